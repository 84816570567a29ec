/** The store and the queue in PostgreSQL, and what servers share. */
export { type Moved, type MoveOptions, moveConversations } from './move.ts'
export type { PostgresOptions } from './open-schema.ts'
export { type MigratePostgresOptions, migratePostgres, postgres } from './postgres.ts'
export {
  type DeadJob,
  type PostgresQueue,
  type PostgresQueueOptions,
  postgresQueue,
  type QueueFigures,
} from './queue.ts'
export {
  postgresServerRows,
  type ServerRows,
  type ServerRowsOptions,
  type SharedAnswer,
  type SharedAuditRow,
  type SharedReservation,
  type SharedSpan,
  type SharedWrite,
} from './server-rows.ts'
