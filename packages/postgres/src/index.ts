/** The store and the queue in PostgreSQL. */
export { type Moved, type MoveOptions, moveConversations } from './move.ts'
export {
  type MigratePostgresOptions,
  migratePostgres,
  type PostgresOptions,
  postgres,
} from './postgres.ts'
export {
  type DeadJob,
  type PostgresQueue,
  type PostgresQueueOptions,
  postgresQueue,
  type QueueFigures,
} from './queue.ts'
