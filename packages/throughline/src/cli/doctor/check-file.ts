/** The file of the store, as SQLite sees it: whole, ours, and for its owner alone. */
import { statSync } from 'node:fs'
import { isThroughlineError } from '../../errors.ts'
import { inspectSqlite, sqliteFileState } from '../../stores/sqlite.ts'
import { errorText } from '../ending.ts'
import { bytes, counted } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'

export interface CheckedFile {
  readonly findings: readonly Finding[]
  /** Whether it is worth looking into. */
  readonly readable: boolean
  readonly tenants: readonly string[]
}

/** With `rows`, each row is checked against its hash, which takes a moment. */
export function checkFile(file: string, { rows }: { readonly rows: boolean }): CheckedFile {
  const { kind, unwritable } = sqliteFileState(file)
  if (kind === 'missing')
    return refused(note('store', `${file} is not there yet; the first import makes it`))
  const isWritable = kind !== 'empty' && unwritable === null
  try {
    const found = inspectSqlite(file, { rows: rows ? rowsListed : 0 })
    return {
      findings: [
        sound('store', `${file}, ${bytes(statSync(file).size)}`),
        ...rights(file, isWritable),
        ...fileFindings(found),
        ...found.changedRows.map(rowFinding),
      ],
      tenants: found.tenants,
      readable: true,
    }
  } catch (cause) {
    if (!isThroughlineError(cause)) throw cause
    return refused(
      bad('store', errorText(cause)),
      ...(kind === 'filled' ? rights(file, isWritable) : []),
    )
  }
}

/** Whoever has so many needs a backup, not a longer list. */
const rowsListed = 20

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

type Inspection = ReturnType<typeof inspectSqlite>

function fileFindings(found: Inspection): readonly Finding[] {
  const { unfinishedPurges, problems, orphans, indexedTooFar, missingPieces } = found
  const purges = `${counted(unfinishedPurges, 'purge')} did not finish, and old bytes may remain; the next command that opens the store erases them, or purge again`
  const lost = `${counted(missingPieces, 'piece')} missing: recall does not find what was there`
  const ahead = `ends behind the log in ${counted(indexedTooFar, 'conversation')}`
  return [
    ...(unfinishedPurges > 0 ? [warning('purges', purges)] : []),
    ...problems.map((line) => bad('file', line)),
    ...(orphans > 0 ? [bad('file', `${counted(orphans, 'row')} without what they belong to`)] : []),
    ...(indexedTooFar > 0 ? [bad('index', ahead)] : []),
    ...(missingPieces > 0 ? [bad('index', lost)] : []),
    ...(problems.length + orphans === 0
      ? [sound('file', 'every page and every index is whole')]
      : []),
  ]
}

function rowFinding({ conversation, seq }: Inspection['changedRows'][number]): Finding {
  const [where, what] =
    seq === null ? ['', 'title, time or other fields'] : [`#${seq}: `, 'time, key or marks']
  return bad('log', `${safeLine(conversation)}: ${where}its ${what} are not what they were`)
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
