/** The store in PostgreSQL, which any number of processes may share. */
import { ThroughlineError } from 'throughline'
import type { Store } from 'throughline/stores'
import { Database, type Limits } from './database.ts'
import { checkVersion, migrate, tableNames } from './migrate.ts'
import { postgresTenant } from './tenant.ts'

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

/** The options of `migratePostgres`. */
export interface MigratePostgresOptions
  extends Pick<PostgresOptions, 'url' | 'schema' | 'connectTimeoutMs'> {
  /** Splits each table by a hash of the tenant, when it is created; 0 (none) unless set. */
  readonly partitions?: number | undefined
  /** The role of the servers: it may read and write conversations, and change no table. */
  readonly appRole?: string | undefined
}

const defaults = {
  schema: 'throughline',
  maxConnections: 10,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 30_000,
  lockTimeoutMs: 10_000,
  reconnectMs: 15_000,
}

/**
 * Opens a store in PostgreSQL. The first call connects, and creates the tables where there are none.
 *
 * @example
 * const store = postgres({ url: 'postgres://app@localhost/chats' })
 * const engine = createThroughline({ store })
 */
export function postgres(options: PostgresOptions = {}): Store {
  const { createTables = true, ...checked } = checkOptions(options)
  const { database, tables, schema } = open(checked)
  let isReady = false
  let preparing: Promise<void> | null = null
  const prepare = async () => {
    if (!(await checkVersion(database, tables, schema))) {
      if (!createTables)
        throw new ThroughlineError(
          'STORE_OLDER',
          `schema "${schema}" has no tables of Throughline; create them with migratePostgres`,
        )
      await migrate(database, tables, { schema, partitions: 0, appRole: null })
    }
    isReady = true
  }
  /** A failure is not remembered: the next call tries again. */
  const ready = () => {
    preparing ??= prepare().finally(() => {
      preparing = null
    })
    return preparing
  }
  return {
    tenant: (id) => {
      const tenant = postgresTenant(database, tables, id)
      const names = Object.keys(tenant) as readonly (keyof typeof tenant)[]
      // Safe cast: each method with its own command, after the tables were checked.
      return Object.fromEntries(
        names.map((name) => [
          name,
          async (command: object) => {
            if (!isReady) await ready()
            return tenant[name](command as never)
          },
        ]),
      ) as unknown as typeof tenant
    },
    close: () => database.close(),
  }
}

/**
 * Creates the tables of a schema, as their owner, and gives a role without other rights the use of
 * them. Running it again changes nothing.
 *
 * @example
 * await migratePostgres({ url: 'postgres://owner@localhost/chats', partitions: 16, appRole: 'app' })
 */
export async function migratePostgres(options: MigratePostgresOptions = {}): Promise<void> {
  const { partitions = 0, appRole = null, ...others } = options
  const isValid = Number.isInteger(partitions) && partitions >= 0 && partitions <= 1_024
  if (!isValid)
    throw invalid(`partitions must be a whole number from 0 to 1,024, got ${partitions}`)
  const { database, tables, schema } = open({ ...checkOptions(others), maxConnections: 1 })
  try {
    await checkVersion(database, tables, schema)
    await migrate(database, tables, { schema, partitions, appRole })
  } finally {
    await database.close()
  }
}

function open({
  url,
  schema = defaults.schema,
  maxConnections = defaults.maxConnections,
  connectTimeoutMs = defaults.connectTimeoutMs,
  statementTimeoutMs = defaults.statementTimeoutMs,
  lockTimeoutMs = defaults.lockTimeoutMs,
  reconnectMs = defaults.reconnectMs,
}: PostgresOptions) {
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

function checkOptions(options: PostgresOptions): PostgresOptions {
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

function invalid(why: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `postgres: ${why}`)
}
