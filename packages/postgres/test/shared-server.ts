/** One server for all tests of a process. Stores get schemas that others have left, emptied. */
import pg from 'pg'
import type { Store } from 'throughline/stores'
import { type PostgresOptions, postgres } from '../src/index.ts'
import { tables } from '../src/schema-data.ts'
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

const free: string[] = []

/** An empty store; closing it empties its schema for the next one. */
export function emptyStore(options: PostgresOptions = {}): Store {
  const schema = free.pop() ?? newSchema()
  const store = postgres({ url: server?.url ?? '', schema, maxConnections: 4, ...options })
  let closing: Promise<void> | null = null
  const close = async () => {
    await store.close()
    // A store that was never called has no tables.
    const found = await sql('SELECT to_regclass($1) AS found', [`${schema}.versions`])
    if (found[0]?.['found'] === null) return
    await sql(
      Object.keys(tables)
        .map((table) => `DELETE FROM ${schema}.${table}`)
        .join(';'),
    )
    free.push(schema)
  }
  return {
    tenant: (id) => store.tenant(id),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** As a role that may do everything, and sees the rows of all tenants. */
export async function sql(
  text: string,
  values?: readonly unknown[],
  url = server?.url ?? '',
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(text, values as unknown[])
    return rows ?? []
  } finally {
    await client.end()
  }
}
