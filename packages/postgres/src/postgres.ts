/** The store in PostgreSQL, which any number of processes may share. */
import type { Store } from 'throughline/stores'
import { checkVersion, migrate } from './migrate.ts'
import { checkOptions, invalid, open, openSchema, type PostgresOptions } from './open-schema.ts'
import { postgresTenant } from './tenant.ts'

/** The options of `migratePostgres`. */
export interface MigratePostgresOptions
  extends Pick<PostgresOptions, 'url' | 'schema' | 'connectTimeoutMs'> {
  /** Splits each table by a hash of the tenant, when it is created; 0 (none) unless set. */
  readonly partitions?: number | undefined
  /** The role of the servers: it may read and write conversations, and change no table. */
  readonly appRole?: string | undefined
}

/**
 * Opens a store in PostgreSQL. The first call connects, and creates the tables where there are none.
 *
 * @example
 * const store = postgres({ url: 'postgres://app@localhost/chats' })
 * const engine = createThroughline({ store })
 */
export function postgres(options: PostgresOptions = {}): Store {
  const { database, tables, ready } = openSchema(options)
  return {
    tenant: (id) => {
      const { vectors, ...tenant } = postgresTenant(database, tables, id)
      return { ...afterCheck(tenant, ready), vectors: afterCheck(vectors, ready) }
    },
    close: () => database.close(),
  }
}

/** The same methods, which wait until the tables were checked. */
function afterCheck<Methods extends object>(methods: Methods, ready: () => Promise<void>): Methods {
  // Safe casts: each method with its own command.
  return Object.fromEntries(
    Object.entries(methods as Record<string, (command: object) => Promise<unknown>>).map(
      ([name, method]) => [
        name,
        async (command: object) => {
          await ready()
          return method(command)
        },
      ],
    ),
  ) as Methods
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
