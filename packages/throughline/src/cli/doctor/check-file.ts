/** The file of the store, as SQLite sees it: whole, ours, and for its owner alone. */
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { checkPath } from '../../stores/sqlite/check-path.ts'
import { changedRows } from '../../stores/sqlite/check-rows.ts'
import { SqliteConnection } from '../../stores/sqlite/connection.ts'
import { unfinishedPurges } from '../../stores/sqlite/erase.ts'
import { storeError } from '../../stores/sqlite/errors.ts'
import { fileKind } from '../../stores/sqlite/file-kind.ts'
import { openReadOnly } from '../../stores/sqlite/open-read-only.ts'
import { checkFile as checkOurs } from '../../stores/sqlite/schema.ts'
import { unwritable } from '../../stores/sqlite/write-access.ts'
import { errorText } from '../ending.ts'
import { bytes, counted } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'

export interface CheckedFile {
  readonly findings: readonly Finding[]
  /** Whether it is worth looking into. */
  readonly readable: boolean
  readonly tenants: readonly string[]
}

/** With `rows`, each row is held against its hash, which takes a moment. */
export function checkFile(file: string, { rows }: { readonly rows: boolean }): CheckedFile {
  const where = `SQLite file "${file}"`
  const kind = fileKind(file)
  if (kind === 'missing')
    return refused(note('store', `${file} is not there yet; the first import makes it`))
  const isWritable = kind !== 'empty' && unwritable(file) === null
  try {
    checkPath(file, where)
    const driver = isWritable
      ? new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
      : openReadOnly(file, where)
    const connection = new SqliteConnection(driver, where, 'normal')
    try {
      checkOurs(connection, where)
      const about = [sound('store', `${file}, ${bytes(statSync(file).size)}`)]
      const found = lookInto(connection, [...about, ...rights(file, isWritable)])
      const changed = rows ? rowFindings(connection) : []
      return { ...found, findings: [...found.findings, ...changed], readable: true }
    } finally {
      connection.close()
    }
  } catch (cause) {
    const told = bad('store', errorText(storeError(cause, where)))
    return refused(told, ...(kind === 'filled' ? rights(file, isWritable) : []))
  }
}

function refused(...findings: readonly Finding[]): CheckedFile {
  return { findings, readable: false, tenants: [] }
}

function rights(file: string, isWritable: boolean): readonly Finding[] {
  const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
  return [
    ...(isWritable
      ? []
      : [warning('store', 'it cannot be written: it can be looked at, and nothing can be added')]),
    ...(isOpen ? [warning('store', `others may read it too: chmod 600 ${file}`)] : []),
  ]
}

function rowFindings(connection: SqliteConnection): readonly Finding[] {
  return Array.from(changedRows(connection).take(rowsListed), ({ conversation, seq }) =>
    bad(
      'log',
      seq === null
        ? `${safeLine(conversation)}: its title, time or other fields are not what they were`
        : `${safeLine(conversation)}: #${seq}: its time, key or marks are not what they were`,
    ),
  )
}

/** Whoever has so many needs a backup, not a longer list. */
const rowsListed = 20

function lookInto(
  connection: SqliteConnection,
  about: readonly Finding[],
): Pick<CheckedFile, 'findings' | 'tenants'> {
  const problems = connection
    .all('PRAGMA integrity_check(20)')
    .map((row) => String(Object.values(row)[0]))
    .filter((line) => line !== 'ok')
  const orphans = connection.all('PRAGMA foreign_key_check').length
  const ahead = Number(
    connection.get('SELECT count(*) AS rows FROM conversations WHERE indexed_to > head')?.['rows'],
  )
  const missing = missingPieces(connection)
  const tenants = connection
    .all('SELECT DISTINCT tenant FROM conversations ORDER BY tenant')
    .map(({ tenant }) => String(tenant))
  const unerased = unfinishedPurges(connection)
  return {
    findings: [
      ...about,
      ...(unerased > 0
        ? [
            warning(
              'purges',
              `${counted(unerased, 'purge')} did not finish, and old bytes may remain; the next command that opens the store erases them, or purge again`,
            ),
          ]
        : []),
      ...problems.map((line) => bad('file', line)),
      ...(orphans > 0
        ? [bad('file', `${counted(orphans, 'row')} without what they belong to`)]
        : []),
      ...(ahead > 0
        ? [bad('index', `ends behind the log in ${counted(ahead, 'conversation')}`)]
        : []),
      ...(missing > 0
        ? [
            bad(
              'index',
              `${counted(missing, 'piece')} missing: recall does not find what was there`,
            ),
          ]
        : []),
      ...(problems.length + orphans === 0
        ? [sound('file', 'every page and every index is whole')]
        : []),
    ],
    tenants,
  }
}

/** What conversations count as indexed, and the index does not have. */
function missingPieces(connection: SqliteConnection): number {
  const { counted: indexed, kept } =
    connection.get(
      'SELECT coalesce(sum(indexed_pieces), 0) AS counted, (SELECT count(*) FROM pieces) AS kept FROM conversations',
    ) ?? {}
  return Math.max(0, Number(indexed) - Number(kept))
}

/** What the doctor has looked at, and what it has found. */
export interface Finding {
  readonly about: string
  /** `note`: nothing is wrong with it. `warning`: it works, and should be otherwise. */
  readonly state: 'sound' | 'note' | 'warning' | 'bad'
  readonly text: string
}

export function sound(about: string, text: string): Finding {
  return { about, state: 'sound', text }
}

export function note(about: string, text: string): Finding {
  return { about, state: 'note', text }
}

function warning(about: string, text: string): Finding {
  return { about, state: 'warning', text }
}

export function bad(about: string, text: string): Finding {
  return { about, state: 'bad', text }
}
