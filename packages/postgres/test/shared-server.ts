/** One server for all tests of a process, and a schema of its own for each store. */
import { type PostgresServer, startPostgres } from './postgres-server.ts'

const started = await startPostgres()

if (typeof started === 'string') console.warn(`tests of PostgreSQL are skipped: ${started}`)

/** Null where there is no PostgreSQL; the reason was printed. */
export const server: PostgresServer | null = typeof started === 'string' ? null : started

let schemas = 0

export function newSchema(): string {
  schemas += 1
  return `t${process.pid}_${Date.now().toString(36)}_${schemas}`
}
