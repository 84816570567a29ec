/** Opens the connection of a store: the file or the driver, with our settings and tables. */
import { isThroughlineError, ThroughlineError } from '../../errors.ts'
import { oldRuntimeMessage } from '../../system.ts'
import { SqliteConnection, type SqliteDriver } from './connection.ts'
import { checkFolder, checkPath, openReadOnly, unwritablePart } from './open-file.ts'
import { finishErasureAtOpen } from './purge.ts'
import { checkFile, checkTables, createTables } from './schema.ts'

interface OpenOptions {
  readonly durability: 'full' | 'normal'
  readonly busyTimeoutMs: number
  readonly readOnly: boolean
  /** Whether to finish the erasure of a killed process. */
  readonly erasesAtOpen: boolean
}

export function openConnection(
  file: string | SqliteDriver,
  options: OpenOptions,
): SqliteConnection {
  const { durability, busyTimeoutMs, readOnly } = options
  const label = typeof file === 'string' ? `SQLite file "${file}"` : 'SQLite driver'
  const driver = typeof file === 'string' ? openFile(file, label, readOnly) : file
  const path = typeof file === 'string' && file !== ':memory:' ? file : null
  const connection = new SqliteConnection(driver, label, durability, path)
  try {
    connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    checkFile(connection, label)
    if (readOnly) checkTables(connection, label)
    else prepareFile(connection, label, options)
    return connection
  } catch (cause) {
    // The caller closes a driver that it opened.
    if (typeof file !== 'string') throw cause
    connection.close()
    throw readOnly ? cause : explainReadOnly(cause, file, label)
  }
}

function prepareFile(
  connection: SqliteConnection,
  label: string,
  { durability, busyTimeoutMs, erasesAtOpen }: OpenOptions,
): void {
  useWriteAheadLog(connection, busyTimeoutMs)
  connection.exec(`PRAGMA synchronous = ${durability}`)
  connection.exec('PRAGMA foreign_keys = ON')
  // Overwrites purged data instead of only unlinking it.
  connection.exec('PRAGMA secure_delete = ON')
  createTables(connection, label)
  if (erasesAtOpen) finishErasureAtOpen(connection)
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

export function invalidOption(why: string): ThroughlineError {
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
