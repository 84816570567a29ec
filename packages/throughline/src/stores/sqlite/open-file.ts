/**
 * Refuses paths that cannot be a database of ours, before SQLite changes the file: opening a
 * database that another program has not closed moves its log into the file.
 */
import { isThroughlineError, ThroughlineError } from '../../errors.ts'
import {
  SqliteConnection,
  type SqliteDriver,
  type SqliteStatement,
  storeError,
} from './connection.ts'
import { checkFile, foreignFile } from './schema.ts'
import { applicationId } from './schema-data.ts'

const fs = () => globalThis.process.getBuiltinModule('node:fs')

export function checkPath(file: string, label: string): void {
  const kind = fileKind(file)
  if (kind === 'folder')
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `${label} is a folder; name a file in it, such as "${file.replace(/[/\\]+$/, '')}/throughline.db"`,
    )
  if (kind === 'special')
    throw new ThroughlineError('CONFIG_INVALID', `${label} is a pipe or a device, not a file`)
  if (kind === 'filled') refuseForeign(file, label)
}

/** Creates no folder, because the path may be misspelt. */
export function checkFolder(file: string, label: string): void {
  const folder = globalThis.process.getBuiltinModule('node:path').dirname(file)
  const kind = fileKind(folder)
  if (kind === 'folder') return
  throw new ThroughlineError(
    'CONFIG_INVALID',
    kind === 'missing'
      ? `${label}: the folder "${folder}" does not exist; create it first`
      : `${label}: "${folder}" is not a folder`,
  )
}

/** A file without a log or a journal beside it can be opened safely, and is checked then. */
function refuseForeign(file: string, label: string): void {
  const { hasLog, hasJournal } = commitsBeside(file)
  if (!hasLog && !hasJournal) return
  const header = readHeader(file, label)
  if (header === null || header.applicationId === applicationId) return
  // Our files only use a journal for their first page.
  if (hasLog ? isForeign(file, label) : header.hasPages) throw foreignFile(label)
}

/** Null for a file that is no database: opening it reports that. `hasPages`: more than one. */
function readHeader(
  file: string,
  label: string,
): { readonly applicationId: number; readonly hasPages: boolean } | null {
  try {
    const connection = new SqliteConnection(openUnlocked(file), label, 'normal')
    try {
      const id = Number(connection.get('PRAGMA application_id')?.['application_id'])
      const pageBytes = Number(connection.get('PRAGMA page_size')?.['page_size'])
      return { applicationId: id, hasPages: fs().statSync(file).size > pageBytes }
    } finally {
      connection.close()
    }
  } catch {
    return null
  }
}

/** Read-only, so that closing the connection moves no log into the file. */
function isForeign(file: string, label: string): boolean {
  const { DatabaseSync } = globalThis.process.getBuiltinModule('node:sqlite')
  try {
    const driver = new DatabaseSync(file, { readOnly: true })
    const connection = new SqliteConnection(driver, label, 'normal')
    try {
      checkFile(connection, label)
      return false
    } finally {
      connection.close()
    }
  } catch (cause) {
    // Opening the file reports other problems.
    return isThroughlineError(cause) && cause.code === 'STORE_FOREIGN'
  }
}

/** The kind of file at a path; `special` is a pipe or a device. */
export type FileKind = 'missing' | 'folder' | 'special' | 'empty' | 'filled'

export function fileKind(file: string): FileKind {
  const stats = fs().statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return 'missing'
  if (stats.isDirectory()) return 'folder'
  if (!stats.isFile()) return 'special'
  return stats.size === 0 ? 'empty' : 'filled'
}

/** Whether commits are still in a write-ahead log or a journal beside the file. */
function commitsBeside(file: string) {
  const real = fs().realpathSync(file)
  return {
    hasLog: fileKind(`${real}-wal`) === 'filled',
    hasJournal: fileKind(`${real}-journal`) === 'filled',
  }
}

/**
 * Opens the file without a lock, so its state is only a hint. SQLite opens it, because a process
 * that closes a file descriptor loses all its locks on that file, also those of an open store.
 */
function openUnlocked(file: string): SqliteDriver {
  const { DatabaseSync } = globalThis.process.getBuiltinModule('node:sqlite')
  const address = globalThis.process.getBuiltinModule('node:url').pathToFileURL(file)
  address.search = '?mode=ro&immutable=1'
  return new DatabaseSync(address, { readOnly: true })
}

/**
 * Opens a database without changing it or its folder. In WAL mode SQLite must be able to create
 * files beside the database, unless that is declared immutable. Without a log we declare it, and
 * each read checks that no other process has written.
 */
export function openReadOnly(file: string, label: string): SqliteDriver {
  const kind = fileKind(file)
  if (kind === 'missing') throw new ThroughlineError('STORE_FAILED', `${label} does not exist`)
  if (kind === 'empty')
    throw new ThroughlineError('STORE_CORRUPT', `${label} is empty; it has no conversations`)
  // Before the search for a log: a process that moves a log into the file changes the stamp.
  const stamp = stampOf(file)
  const { hasLog, hasJournal } = commitsBeside(file)
  if (hasLog || hasJournal) return openWithLog(file, label)
  return withChangeCheck(openUnlocked(file), () => {
    if (stampOf(file) !== stamp)
      throw new ThroughlineError(
        'STORE_BUSY',
        `${label} was changed by another process during the read; try again`,
      )
  })
}

/** SQLite needs the index of the log: an existing one, or permission to create it. */
function openWithLog(file: string, label: string): SqliteDriver {
  const { DatabaseSync } = globalThis.process.getBuiltinModule('node:sqlite')
  const driver = new DatabaseSync(file, { readOnly: true })
  try {
    driver.prepare('SELECT count(*) FROM sqlite_schema').get()
    return driver
  } catch (cause) {
    driver.close()
    const error = storeError(cause, label)
    if (error.code === 'STORE_CORRUPT' || error.code === 'STORE_BUSY') throw error
    throw new ThroughlineError(
      'STORE_READ_ONLY',
      `${label}: its newest commits are in a log beside it, which cannot be read in a read-only folder`,
      { cause },
    )
  }
}

/** Differs after every change of the file. */
function stampOf(file: string): string {
  const stats = fs().statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? '' : [stats.dev, stats.ino, stats.size, stats.mtimeNs].join(' ')
}

function withChangeCheck(driver: SqliteDriver, check: () => void): SqliteDriver {
  const checked = <Value>(read: () => Value): Value => {
    try {
      return read()
    } finally {
      // Also after an error, which may come from reading two states of the file.
      check()
    }
  }
  const checkedStatement = (statement: SqliteStatement): SqliteStatement => ({
    run: (...values) => checked(() => statement.run(...values)),
    get: (...values) => checked(() => statement.get(...values)),
    all: (...values) => checked(() => statement.all(...values)),
  })
  return {
    exec: (sql) => checked(() => driver.exec(sql)),
    prepare: (sql) => checkedStatement(checked(() => driver.prepare(sql))),
    close: () => driver.close(),
    get isTransaction() {
      return driver.isTransaction
    },
  }
}

/** Whether the file or its folder cannot be written; null where both can, or without a file. */
export function unwritablePart(file: string): 'file' | 'folder' | null {
  if (!fs().existsSync(file)) return null
  const real = fs().realpathSync(file)
  if (!mayWrite(real)) return 'file'
  // Another process has the database open: its log exists, so no file has to be created.
  const isOpen = ['-wal', '-shm'].every((suffix) => mayWrite(`${real}${suffix}`))
  const folder = globalThis.process.getBuiltinModule('node:path').dirname(real)
  return isOpen || mayWrite(folder) ? null : 'folder'
}

function mayWrite(path: string): boolean {
  try {
    fs().accessSync(path, fs().constants.W_OK)
    return true
  } catch {
    return false
  }
}
