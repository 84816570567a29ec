/** Opens a schema: connections, the names of its tables, and a check of their version before the first call. */
import { ThroughlineError } from 'throughline'
import { Database, type Limits } from './database.ts'
import { checkVersion, migrate, tableNames } from './migrate.ts'
import type { TableNames } from './rows.ts'

/** The options of `postgres`. */
export interface PostgresOptions {
  /** Such as `postgres://app@host/database`. Without it, the PG* environment variables apply. */
  readonly url?: string | undefined
  /** The schema of the tables; `throughline` unless set. */
  readonly schema?: string | undefined
  /** Connections at most; 10 unless set. */
  readonly maxConnections?: number | undefined
  /** How long a call waits for a connection of the pool; 10,000 unless set. */
  readonly connectTimeoutMs?: number | undefined
  /** How long a statement may run, and how long a transaction may wait for us; 30,000 unless set. */
  readonly statementTimeoutMs?: number | undefined
  /** How long a statement waits for another transaction; 10,000 unless set. */
  readonly lockTimeoutMs?: number | undefined
  /** How long a call tries again while PostgreSQL cannot be reached; 15,000 unless set. */
  readonly reconnectMs?: number | undefined
  /** Creates missing tables at the first call; true unless set. */
  readonly createTables?: boolean | undefined
}

const defaults = {
  schema: 'throughline',
  maxConnections: 10,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 30_000,
  lockTimeoutMs: 10_000,
  reconnectMs: 15_000,
}

/** A schema that may not have been checked yet. */
export interface OpenedSchema {
  readonly database: Database
  readonly tables: TableNames
  readonly schema: string
  /** Resolves at once after the first time. */
  ready(): Promise<void>
}

export function openSchema(options: PostgresOptions, maxConnections?: number): OpenedSchema {
  const { createTables = true, ...checked } = checkOptions(options)
  const opened = open(maxConnections === undefined ? checked : { ...checked, maxConnections })
  const { database, tables, schema } = opened
  let isReady = false
  let preparing: Promise<void> | null = null
  const prepare = async () => {
    const found = await checkVersion(database, tables, schema)
    if (found !== 'current') {
      if (!createTables || (found === 'older' && !(await mayChange(opened))))
        throw notMigrated(schema, found)
      await migrate(database, tables, { schema, partitions: 0, appRole: null })
    }
    isReady = true
  }
  return {
    ...opened,
    ready: async () => {
      if (isReady) return
      // A failure is not remembered: the next call tries again.
      preparing ??= prepare().finally(() => {
        preparing = null
      })
      await preparing
    },
  }
}

function mayChange({
  database,
  schema,
}: Pick<OpenedSchema, 'database' | 'schema'>): Promise<boolean> {
  return database.transaction('', 'read', async (sql) => {
    const found = await sql.get(`SELECT has_schema_privilege($1, 'CREATE') AS may`, [schema])
    return found?.['may'] === true
  })
}

function notMigrated(schema: string, found: 'missing' | 'older'): ThroughlineError {
  const why =
    found === 'missing' ? 'has no tables of Throughline' : 'has tables of an older release'
  return new ThroughlineError(
    'STORE_OLDER',
    `schema "${schema}" ${why}; run migratePostgres as the owner of its tables`,
  )
}

export function open({
  url,
  schema = defaults.schema,
  maxConnections = defaults.maxConnections,
  connectTimeoutMs = defaults.connectTimeoutMs,
  statementTimeoutMs = defaults.statementTimeoutMs,
  lockTimeoutMs = defaults.lockTimeoutMs,
  reconnectMs = defaults.reconnectMs,
}: PostgresOptions): Omit<OpenedSchema, 'ready'> {
  const limits: Limits = { statementTimeoutMs, lockTimeoutMs, reconnectMs }
  const database = new Database(
    {
      ...(url !== undefined && { connectionString: url }),
      max: maxConnections,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: 'throughline',
      keepAlive: true,
      allowExitOnIdle: true,
    },
    limits,
  )
  return { database, tables: tableNames(schema), schema }
}

const known = new Set([...Object.keys(defaults), 'url', 'createTables'])

export function checkOptions(options: PostgresOptions): PostgresOptions {
  if (typeof options !== 'object' || options === null) throw invalid('options must be an object')
  for (const [name, value] of Object.entries(options)) {
    if (!known.has(name)) throw invalid(`unknown option "${name}"`)
    if (value === undefined) continue
    if (name === 'url' || name === 'schema') {
      if (typeof value !== 'string' || value === '') throw invalid(`${name} must be a text`)
    } else if (name === 'createTables') {
      if (typeof value !== 'boolean') throw invalid('createTables must be true or false')
    } else if (!Number.isInteger(value) || Number(value) < 1 || Number(value) >= 2 ** 31)
      throw invalid(`${name} must be a whole number from 1 on`)
  }
  return options
}

export function invalid(why: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `postgres: ${why}`)
}
