/** The store in PostgreSQL. */
export {
  type MigratePostgresOptions,
  migratePostgres,
  type PostgresOptions,
  postgres,
} from './postgres.ts'
