/**
 * The store in one SQLite file, with a write-ahead log. By default it syncs to disk before it
 * acknowledges an append. Several processes may share the file.
 */
import { defaults } from '../defaults-data.ts'
import { describe } from '../domain/text.ts'
import { isThroughlineError, ThroughlineError } from '../errors.ts'
import type { Store } from '../ports/store.ts'
import { oldRuntimeMessage } from '../system.ts'
import { SqliteConnection, type SqliteDriver } from './sqlite/connection.ts'
import { checkFolder, checkPath, openReadOnly, unwritablePart } from './sqlite/open-file.ts'
import { finishErasureAtOpen } from './sqlite/purge.ts'
import { checkFile, checkTables, createTables } from './sqlite/schema.ts'
import { sqliteTenant } from './sqlite/tenant.ts'

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
  const { durability, busyTimeoutMs, readOnly } = checkOptions(options)
  if (typeof file === 'string' && file.startsWith('file:'))
    throw invalidOption('takes a path, not a URL')
  if (
    typeof file !== 'string' &&
    typeof (file as Partial<SqliteDriver> | null)?.prepare !== 'function'
  )
    throw invalidOption(`takes a path or a driver, got ${describe(file)}`)
  const label = typeof file === 'string' ? `SQLite file "${file}"` : 'SQLite driver'
  const driver = typeof file === 'string' ? openFile(file, label, readOnly) : file
  const path = typeof file === 'string' && file !== ':memory:' ? file : null
  const connection = new SqliteConnection(driver, label, durability, path)
  try {
    connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    checkFile(connection, label)
    if (readOnly) checkTables(connection, label)
    else prepareFile(connection, label, { durability, busyTimeoutMs })
  } catch (cause) {
    // The caller closes a driver that it opened.
    if (typeof file !== 'string') throw cause
    connection.close()
    throw readOnly ? cause : explainReadOnly(cause, file, label)
  }
  return {
    tenant: (id) => sqliteTenant(connection, id),
    close: () => connection.afterErasure(() => connection.close()),
  }
}

function prepareFile(
  connection: SqliteConnection,
  label: string,
  { durability, busyTimeoutMs }: Omit<CheckedOptions, 'readOnly'>,
): void {
  useWriteAheadLog(connection, busyTimeoutMs)
  connection.exec(`PRAGMA synchronous = ${durability}`)
  connection.exec('PRAGMA foreign_keys = ON')
  // Overwrites purged data instead of only unlinking it.
  connection.exec('PRAGMA secure_delete = ON')
  createTables(connection, label)
  finishErasureAtOpen(connection)
}

/** SQLite does not wait to change the journal mode, and several processes may open a new file. */
function useWriteAheadLog(connection: SqliteConnection, busyTimeoutMs: number): void {
  const pauseMs = 5
  for (let waitedMs = 0; ; waitedMs += pauseMs)
    try {
      if (connection.get('PRAGMA journal_mode')?.['journal_mode'] === 'wal') return
      connection.exec('PRAGMA journal_mode = WAL')
      return
    } catch (cause) {
      if (!isThroughlineError(cause) || cause.code !== 'STORE_BUSY' || waitedMs >= busyTimeoutMs)
        throw cause
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    }
}

function checkOptions(options: SqliteOptions): CheckedOptions {
  if (typeof options !== 'object' || options === null)
    throw invalidOption('options must be an object')
  const {
    durability = defaults.durability.value,
    busyTimeoutMs = defaults.busyTimeoutMs.value,
    readOnly = false,
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
  return { durability, busyTimeoutMs, readOnly }
}

function invalidOption(why: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `sqlite: ${why}`)
}

function openFile(file: string, label: string, readOnly: boolean): SqliteDriver {
  // Loaded here, so that a runtime without node:sqlite can pass a driver.
  const library = globalThis.process?.getBuiltinModule?.('node:sqlite')
  if (library === undefined)
    throw invalidOption(
      `node:sqlite is missing; ${oldRuntimeMessage()}. In another runtime, pass a driver such as better-sqlite3`,
    )
  try {
    if (file === ':memory:') return new library.DatabaseSync(file)
    checkPath(file, label)
    if (readOnly) return openReadOnly(file, label)
    checkFolder(file, label)
    createPrivate(file, globalThis.process.getBuiltinModule('node:fs'))
    return new library.DatabaseSync(file)
  } catch (cause) {
    if (isThroughlineError(cause)) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    const { code } = cause as { readonly code?: unknown }
    const isReadOnly = code === 'EROFS' || code === 'EACCES' || code === 'EPERM'
    const failed = new ThroughlineError(
      isReadOnly ? 'STORE_READ_ONLY' : 'STORE_FAILED',
      `${label} cannot be opened: ${why}`,
      { cause },
    )
    throw readOnly ? failed : explainReadOnly(failed, file, label)
  }
}

/** SQLite reports no read-only error where it cannot create a file beside the database. */
function explainReadOnly(cause: unknown, file: string, label: string): unknown {
  if (file === ':memory:' || !isThroughlineError(cause) || cause.code !== 'STORE_FAILED')
    return cause
  const blocked = unwritablePart(file)
  if (blocked === null) return cause
  const what = blocked === 'file' ? 'it' : 'its folder'
  const why = `${label}: can only be opened with readOnly, because ${what} cannot be written`
  return new ThroughlineError('STORE_READ_ONLY', why, { cause })
}

/** Conversations are private: only the owner can read a new file. An old file keeps its mode. */
function createPrivate(file: string, { closeSync, openSync }: typeof import('node:fs')): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'EEXIST') throw cause
  }
}
