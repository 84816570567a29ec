/**
 * Refuses a path at which no database of ours can be, before SQLite touches what is there. Whoever opens a
 * database that another program has not closed brings its log into the file, and that program is not us.
 */
import { isThroughlineError, ThroughlineError } from '../../errors.ts'
import { SqliteConnection } from './connection.ts'
import { commitsBeside, fileKind } from './file-kind.ts'
import { openUnlocked } from './open-unlocked.ts'
import { applicationId, checkFile, foreignFile } from './schema.ts'

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

interface Glance {
  readonly name: number
  /** More than the first. */
  readonly hasPages: boolean
}

/** Null where it is no database; which it is told to be when it is opened. */
function glance(file: string, where: string): Glance | null {
  const { statSync } = globalThis.process.getBuiltinModule('node:fs')
  try {
    const connection = new SqliteConnection(openUnlocked(file), where, 'normal')
    try {
      const name = Number(connection.get('PRAGMA application_id')?.['application_id'])
      const pageBytes = Number(connection.get('PRAGMA page_size')?.['page_size'])
      return { name, hasPages: statSync(file).size > pageBytes }
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
