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
import { applicationId, checkFile, foreignFile } from './schema.ts'

const fs = () => globalThis.process.getBuiltinModule('node:fs')

export function checkPath(file: string, where: string): void {
  const kind = fileKind(file)
  if (kind === 'folder')
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `${where} is a folder; name a file in it, such as "${file.replace(/[/\\]+$/, '')}/throughline.db"`,
    )
  if (kind === 'special')
    throw new ThroughlineError('CONFIG_INVALID', `${where} is a pipe or a device, not a file`)
  if (kind === 'filled') refuseForeign(file, where)
}

/** Creates no folder, because the path may be misspelt. */
export function checkFolder(file: string, where: string): void {
  const folder = globalThis.process.getBuiltinModule('node:path').dirname(file)
  const kind = fileKind(folder)
  if (kind === 'folder') return
  throw new ThroughlineError(
    'CONFIG_INVALID',
    kind === 'missing'
      ? `${where}: the folder "${folder}" does not exist; create it first`
      : `${where}: "${folder}" is not a folder`,
  )
}

/** A file without a log or a journal beside it can be opened safely, and is checked then. */
function refuseForeign(file: string, where: string): void {
  const { log, journal } = commitsBeside(file)
  if (!log && !journal) return
  const header = readHeader(file, where)
  if (header === null || header.name === applicationId) return
  // Our files only use a journal for their first page.
  if (log ? isForeign(file, where) : header.hasPages) throw foreignFile(where)
}

/** Null where it is no database, which opening it reports. `hasPages`: more than one page. */
function readHeader(
  file: string,
  where: string,
): { readonly name: number; readonly hasPages: boolean } | null {
  try {
    const connection = new SqliteConnection(openUnlocked(file), where, 'normal')
    try {
      const name = Number(connection.get('PRAGMA application_id')?.['application_id'])
      const pageBytes = Number(connection.get('PRAGMA page_size')?.['page_size'])
      return { name, hasPages: fs().statSync(file).size > pageBytes }
    } finally {
      connection.close()
    }
  } catch {
    return null
  }
}

/** Read-only, so that closing the connection moves no log into the file. */
function isForeign(file: string, where: string): boolean {
  const { DatabaseSync } = globalThis.process.getBuiltinModule('node:sqlite')
  try {
    const driver = new DatabaseSync(file, { readOnly: true })
    const connection = new SqliteConnection(driver, where, 'normal')
    try {
      checkFile(connection, where)
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
  const found = fs().statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return 'missing'
  if (found.isDirectory()) return 'folder'
  if (!found.isFile()) return 'special'
  return found.size === 0 ? 'empty' : 'filled'
}

/** Whether commits are still in a write-ahead log or a journal beside the file. */
function commitsBeside(file: string): { readonly log: boolean; readonly journal: boolean } {
  const real = fs().realpathSync(file)
  return {
    log: fileKind(`${real}-wal`) === 'filled',
    journal: fileKind(`${real}-journal`) === 'filled',
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
 * Opens a database without changing it or its folder. SQLite reads a file in WAL mode only where it
 * may create files beside it, unless the file is declared immutable. That is declared where there
 * is no log, and each read checks that no other process has written.
 */
export function openReadOnly(file: string, where: string): SqliteDriver {
  const kind = fileKind(file)
  if (kind === 'missing') throw new ThroughlineError('STORE_FAILED', `${where} does not exist`)
  if (kind === 'empty')
    throw new ThroughlineError('STORE_CORRUPT', `${where} is empty; it has no conversations`)
  // Read before the search for a log: a process that moves a log into the file changes it.
  const before = stampOf(file)
  const { log, journal } = commitsBeside(file)
  if (log || journal) return openWithLog(file, where)
  return withChangeCheck(openUnlocked(file), () => {
    if (stampOf(file) !== before)
      throw new ThroughlineError(
        'STORE_BUSY',
        `${where} was changed by another process during the read; try again`,
      )
  })
}

/** SQLite needs the index of the log: an existing one, or permission to create it. */
function openWithLog(file: string, where: string): SqliteDriver {
  const { DatabaseSync } = globalThis.process.getBuiltinModule('node:sqlite')
  const driver = new DatabaseSync(file, { readOnly: true })
  try {
    driver.prepare('SELECT count(*) FROM sqlite_schema').get()
    return driver
  } catch (cause) {
    driver.close()
    const refused = storeError(cause, where)
    if (refused.code === 'STORE_CORRUPT' || refused.code === 'STORE_BUSY') throw refused
    throw new ThroughlineError(
      'STORE_READ_ONLY',
      `${where}: its newest commits are in a log beside it, which cannot be read in a read-only folder`,
      { cause },
    )
  }
}

function stampOf(file: string): string {
  const found = fs().statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '' : [found.dev, found.ino, found.size, found.mtimeNs].join(' ')
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
  const watchedStatement = (statement: SqliteStatement): SqliteStatement => ({
    run: (...values) => checked(() => statement.run(...values)),
    get: (...values) => checked(() => statement.get(...values)),
    all: (...values) => checked(() => statement.all(...values)),
  })
  return {
    exec: (sql) => checked(() => driver.exec(sql)),
    prepare: (sql) => watchedStatement(checked(() => driver.prepare(sql))),
    close: () => driver.close(),
    get isTransaction() {
      return driver.isTransaction
    },
  }
}

/** Null where both can be written, or where the file does not exist yet. */
export function unwritable(file: string): 'file' | 'folder' | null {
  if (!fs().existsSync(file)) return null
  const real = fs().realpathSync(file)
  if (!mayWrite(real)) return 'file'
  // If another process has it open, its log exists, and no file must be created.
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
