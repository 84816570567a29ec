/**
 * The store in one SQLite file: write-ahead log, and by default a sync to disk
 * before an append is acknowledged. Several processes may share the file.
 */
import { defaults } from '../defaults.ts'
import { describe } from '../domain/describe.ts'
import { isThroughlineError, ThroughlineError } from '../errors.ts'
import type { Store } from '../ports/store.ts'
import { SqliteConnection } from './sqlite/connection.ts'
import type { SqliteDriver } from './sqlite/driver.ts'
import { checkFile, migrate } from './sqlite/schema.ts'
import { sqliteTenant } from './sqlite/tenant.ts'

export type { SqliteDriver, SqliteStatement, SqliteValue } from './sqlite/driver.ts'

export interface SqliteOptions {
  /**
   * `full` (default): what was acknowledged survives a power cut. `normal`: it
   * survives a crash of the process, and commits several times faster.
   */
  readonly durability?: 'full' | 'normal' | undefined
  /** How long to wait for another process that is writing; 5,000 unless set. */
  readonly busyTimeoutMs?: number | undefined
}

interface CheckedOptions {
  readonly durability: 'full' | 'normal'
  readonly busyTimeoutMs: number
}

/**
 * Opens a file (made if there is none), or uses a driver that you opened, such as
 * a better-sqlite3 database. Closing the store closes either.
 *
 * @example
 * const store = sqlite('chat.db', { durability: 'normal' })
 */
export function sqlite(file: string | SqliteDriver, options: SqliteOptions = {}): Store {
  const { durability, busyTimeoutMs } = checkOptions(options)
  if (typeof file === 'string' && file.startsWith('file:'))
    throw invalid('takes a path, not an address')
  if (
    typeof file !== 'string' &&
    typeof (file as Partial<SqliteDriver> | null)?.prepare !== 'function'
  )
    throw invalid(`takes a path or a driver, got ${describe(file)}`)
  const where = typeof file === 'string' ? `SQLite file "${file}"` : 'SQLite driver'
  const driver = typeof file === 'string' ? openFile(file) : file
  const connection = new SqliteConnection(driver, where, durability)
  try {
    connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    checkFile(connection, where)
    useWriteAheadLog(connection, busyTimeoutMs)
    connection.exec(`PRAGMA synchronous = ${durability}`)
    connection.exec('PRAGMA foreign_keys = ON')
    // What is purged is overwritten, not only forgotten.
    connection.exec('PRAGMA secure_delete = ON')
    migrate(connection, where)
  } catch (cause) {
    // What was handed in is its owner's to close.
    if (typeof file === 'string') connection.close()
    throw cause
  }
  return {
    tenant: (id) => sqliteTenant(connection, id),
    close: async () => connection.close(),
  }
}

/**
 * SQLite does not wait for its turn to change the journal of a file, so we do: several
 * processes may open a new file at once.
 */
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
  if (typeof options !== 'object' || options === null) throw invalid('takes an object of options')
  const {
    durability = defaults.durability.value,
    busyTimeoutMs = defaults.busyTimeoutMs.value,
    ...unknown
  } = options
  const [extra] = Object.keys(unknown)
  if (extra !== undefined) throw invalid(`there is no option "${extra}"`)
  if (durability !== 'full' && durability !== 'normal')
    throw invalid(`durability must be "full" or "normal", got ${describe(durability)}`)
  // SQLite takes a larger number for none at all.
  const most = 2 ** 31 - 1
  if (!Number.isSafeInteger(busyTimeoutMs) || busyTimeoutMs < 0 || busyTimeoutMs > most)
    throw invalid(
      `busyTimeoutMs must be a whole number from 0 to ${most}, got ${describe(busyTimeoutMs)}`,
    )
  return { durability, busyTimeoutMs }
}

function invalid(why: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `sqlite: ${why}`)
}

function openFile(file: string): SqliteDriver {
  // Asked for here, so that a driver can be handed in where there is no node:sqlite.
  const library = globalThis.process?.getBuiltinModule?.('node:sqlite')
  if (library === undefined)
    throw invalid('this runtime has no node:sqlite; hand in a driver such as better-sqlite3')
  try {
    if (file !== ':memory:') makePrivate(file, globalThis.process.getBuiltinModule('node:fs'))
    return new library.DatabaseSync(file)
  } catch (cause) {
    throw new ThroughlineError('STORE_FAILED', `SQLite file "${file}" cannot be opened`, { cause })
  }
}

/** Conversations are private: a new file is for its owner alone; an old one keeps its mode. */
function makePrivate(file: string, { closeSync, openSync }: typeof import('node:fs')): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'EEXIST') throw cause
  }
}
