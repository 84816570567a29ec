/**
 * Refuses a path at which no database of ours can be, before SQLite touches what is there. Whoever opens a
 * database that another program has not closed brings its log into the file, and that program is not us.
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
      `${where}: is a folder; name a file in it, such as "${file.replace(/[/\\]+$/, '')}/throughline.db"`,
    )
  if (kind === 'special')
    throw new ThroughlineError('CONFIG_INVALID', `${where}: is a pipe or a device, and no file`)
  if (kind === 'filled') leaveForeign(file, where)
}

/** A file is made where there is none; a folder is not, for a misspelt path would have one. */
export function checkFolder(file: string, where: string): void {
  const folder = globalThis.process.getBuiltinModule('node:path').dirname(file)
  const kind = fileKind(folder)
  if (kind === 'folder') return
  throw new ThroughlineError(
    'CONFIG_INVALID',
    kind === 'missing'
      ? `${where}: the folder "${folder}" does not exist; make it first`
      : `${where}: "${folder}" is no folder`,
  )
}

/** What nothing waits beside is not changed when it is opened and closed, and so is looked at then. */
function leaveForeign(file: string, where: string): void {
  const { log, journal } = commitsBeside(file)
  if (!log && !journal) return
  const seen = glance(file, where)
  if (seen === null || seen.name === applicationId) return
  // Of ours only the first page was ever written with a journal.
  if (log ? isForeign(file, where) : seen.hasPages) throw foreignFile(where)
}

/** Null where it is no database, which opening it reports. `hasPages`: more than the first. */
function glance(
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

/** Who only reads brings no log into the file when the connection is closed. */
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
    // Whatever else is wrong with it is found when it is opened.
    return isThroughlineError(cause) && cause.code === 'STORE_FOREIGN'
  }
}

/** What is at a path; `special` is a pipe or a device. */
export type FileKind = 'missing' | 'folder' | 'special' | 'empty' | 'filled'

export function fileKind(file: string): FileKind {
  const found = fs().statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return 'missing'
  if (found.isDirectory()) return 'folder'
  if (!found.isFile()) return 'special'
  return found.size === 0 ? 'empty' : 'filled'
}

/** Whether commits wait beside a file, in its write-ahead log or in a journal, and are not in it yet. */
function commitsBeside(file: string): { readonly log: boolean; readonly journal: boolean } {
  const real = fs().realpathSync(file)
  return {
    log: fileKind(`${real}-wal`) === 'filled',
    journal: fileKind(`${real}-journal`) === 'filled',
  }
}

/**
 * The file alone, without a lock, so a hint only: a writer may be half way. SQLite opens it, because when
 * we close a file the process loses all its locks on it, also those of an open store.
 */
function openUnlocked(file: string): SqliteDriver {
  const { DatabaseSync } = globalThis.process.getBuiltinModule('node:sqlite')
  const address = globalThis.process.getBuiltinModule('node:url').pathToFileURL(file)
  address.search = '?mode=ro&immutable=1'
  return new DatabaseSync(address, { readOnly: true })
}

/**
 * Opens a database without changing a byte of it or beside it. SQLite reads a file in WAL mode only where
 * it may make files beside it, unless the file is declared immutable. We declare that where there is no
 * log, and check after each read that no other process has written.
 */
export function openReadOnly(file: string, where: string): SqliteDriver {
  const kind = fileKind(file)
  if (kind === 'missing') throw new ThroughlineError('STORE_FAILED', `${where}: is not there`)
  if (kind === 'empty')
    throw new ThroughlineError('STORE_CORRUPT', `${where}: is empty, and holds no conversations`)
  // Before we look for a log: who brings one into the file after that changes this.
  const before = stampOf(file)
  const { log, journal } = commitsBeside(file)
  if (log || journal) return openWithLog(file, where)
  return watched(openUnlocked(file), () => {
    if (stampOf(file) !== before)
      throw new ThroughlineError('STORE_BUSY', `${where}: was written while it was looked at`)
  })
}

/** SQLite needs the index of the log, which others have made or which it may make. */
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
      `${where}: what was written last lies in a log beside it, and cannot be read where nothing can be written`,
      { cause },
    )
  }
}

function stampOf(file: string): string {
  const found = fs().statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '' : [found.dev, found.ino, found.size, found.mtimeNs].join(' ')
}

function watched(driver: SqliteDriver, check: () => void): SqliteDriver {
  const checked = <Value>(look: () => Value): Value => {
    try {
      return look()
    } finally {
      // Also where it was refused: half of one state and half of another is no sound database.
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

/** Null where both can be written, or where there is no file yet. */
export function unwritable(file: string): 'file' | 'folder' | null {
  if (!fs().existsSync(file)) return null
  const real = fs().realpathSync(file)
  if (!mayWrite(real)) return 'file'
  // Where others have it open, its log is there, and no file has to be made.
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
