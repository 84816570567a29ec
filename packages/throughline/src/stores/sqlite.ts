/**
 * The store in one SQLite file, with a write-ahead log. By default it syncs to disk before it
 * acknowledges an append. Several processes may share the file.
 */
import { defaults } from '../defaults-data.ts'
import { describe } from '../domain/text.ts'
import type { Store } from '../ports/store.ts'
import type { SqliteConnection, SqliteDriver } from './sqlite/connection.ts'
import { invalidOption, openConnection } from './sqlite/open-connection.ts'
import { sqliteTenant } from './sqlite/tenant.ts'
import { withThreads } from './sqlite/writer-thread.ts'

export { sqliteArchive } from './sqlite/archive.ts'
export type { SqliteDriver, SqliteStatement, SqliteValue } from './sqlite/connection.ts'
export {
  inspectSqlite,
  type SpaceUse,
  spaceInSqlite,
  sqliteFileState,
} from './sqlite/inspect.ts'

/** The options of `sqlite`. */
export interface SqliteOptions {
  /** `full` (default): appends survive a power cut. `normal`: only a crash, and much faster. */
  readonly durability?: 'full' | 'normal' | undefined
  /** How long to wait for another process that is writing; 5,000 unless set. */
  readonly busyTimeoutMs?: number | undefined
  /** Changes no byte; writes fail with `STORE_READ_ONLY`. False unless set. */
  readonly readOnly?: boolean | undefined
  /**
   * Writes in a thread and searches in another, for servers: neither stops the event loop, and writes that
   * wait together share a commit. A write alone takes about 0.1 ms longer. False unless set.
   */
  readonly thread?: boolean | undefined
}

type CheckedOptions = {
  readonly [Name in keyof SqliteOptions]-?: NonNullable<SqliteOptions[Name]>
}

/**
 * Opens a file (and creates it if it is missing), or uses a driver that you opened, such as a
 * better-sqlite3 database. Closing the store closes either.
 *
 * @example
 * const store = sqlite('chat.db', { durability: 'normal' })
 */
export function sqlite(file: string | SqliteDriver, options: SqliteOptions = {}): Store {
  const checked = checkOptions(options)
  const { durability, busyTimeoutMs, readOnly, thread } = checked
  if (typeof file === 'string' && file.startsWith('file:'))
    throw invalidOption('takes a path, not a URL')
  if (
    typeof file !== 'string' &&
    typeof (file as Partial<SqliteDriver> | null)?.prepare !== 'function'
  )
    throw invalidOption(`takes a path or a driver, got ${describe(file)}`)
  if (!thread) return storeOn(openConnection(file, { ...checked, erasesAtOpen: true }))
  if (typeof file !== 'string' || file === ':memory:' || readOnly)
    throw invalidOption('thread takes the path of a file, without readOnly')
  const reader = storeOn(openConnection(file, { ...checked, erasesAtOpen: false }))
  return withThreads(reader, { file, durability, busyTimeoutMs })
}

function storeOn(connection: SqliteConnection): Store {
  return {
    tenant: (id) => sqliteTenant(connection, id),
    close: () => connection.afterErasure(() => connection.close()),
  }
}

function checkOptions(options: SqliteOptions): CheckedOptions {
  if (typeof options !== 'object' || options === null)
    throw invalidOption('options must be an object')
  const {
    durability = defaults.durability,
    busyTimeoutMs = defaults.busyTimeoutMs,
    readOnly = false,
    thread = false,
    ...unknown
  } = options
  const [extra] = Object.keys(unknown)
  if (extra !== undefined) throw invalidOption(`unknown option "${extra}"`)
  if (durability !== 'full' && durability !== 'normal')
    throw invalidOption(`durability must be "full" or "normal", got ${describe(durability)}`)
  // SQLite treats a larger number as no timeout.
  const maxMs = 2 ** 31 - 1
  if (!Number.isSafeInteger(busyTimeoutMs) || busyTimeoutMs < 0 || busyTimeoutMs > maxMs)
    throw invalidOption(
      `busyTimeoutMs must be a whole number from 0 to ${maxMs}, got ${describe(busyTimeoutMs)}`,
    )
  if (typeof readOnly !== 'boolean')
    throw invalidOption(`readOnly must be true or false, got ${describe(readOnly)}`)
  if (typeof thread !== 'boolean')
    throw invalidOption(`thread must be true or false, got ${describe(thread)}`)
  return { durability, busyTimeoutMs, readOnly, thread }
}
