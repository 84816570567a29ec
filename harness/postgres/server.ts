/** A PostgreSQL for a harness, which stops with it. */
import pg from 'pg'
import {
  type PostgresServer,
  type StartOptions,
  startPostgres,
} from '../../packages/postgres/test/postgres-server.ts'

export async function withPostgres<Value>(
  options: StartOptions,
  use: (server: PostgresServer) => Promise<Value>,
): Promise<Value> {
  const server = await startPostgres(options)
  if (typeof server === 'string') throw new Error(server)
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}

export async function rowsOf(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}
