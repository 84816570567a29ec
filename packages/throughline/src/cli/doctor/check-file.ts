/** The file of the store, as SQLite sees it: whole, ours, and for its owner alone. */
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { bytes, counted } from '../screen/numbers.ts'
import { bad, type Finding, note, sound, warning } from './finding.ts'

export interface CheckedFile {
  readonly findings: readonly Finding[]
  /** Whether it is worth looking into. */
  readonly readable: boolean
  readonly tenants: readonly string[]
}

export function checkFile(file: string): CheckedFile {
  if (!existsSync(file))
    return {
      findings: [note('store', `${file} is not there yet; the first import makes it`)],
      readable: false,
      tenants: [],
    }
  const { size, mode } = statSync(file)
  const whose = process.platform !== 'win32' && (mode & 0o077) !== 0
  const about = [
    sound('store', `${file}, ${bytes(size)}`),
    ...(whose ? [warning('store', `others may read it too: chmod 600 ${file}`)] : []),
  ]
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    try {
      return { ...lookInto(database, about), readable: true }
    } finally {
      database.close()
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return { findings: [...about, bad('store', why)], readable: false, tenants: [] }
  }
}

function lookInto(
  database: DatabaseSync,
  about: readonly Finding[],
): Pick<CheckedFile, 'findings' | 'tenants'> {
  const problems = database
    .prepare('PRAGMA integrity_check(20)')
    .all()
    .map((row) => String(Object.values(row)[0]))
    .filter((line) => line !== 'ok')
  const orphans = database.prepare('PRAGMA foreign_key_check').all().length
  const ahead = Number(
    database.prepare('SELECT count(*) AS rows FROM conversations WHERE indexed_to > head').get()?.[
      'rows'
    ],
  )
  const tenants = database
    .prepare('SELECT DISTINCT tenant FROM conversations ORDER BY tenant')
    .all()
    .map(({ tenant }) => String(tenant))
  return {
    findings: [
      ...about,
      ...problems.map((line) => bad('file', line)),
      ...(orphans > 0
        ? [bad('file', `${counted(orphans, 'row')} without what they belong to`)]
        : []),
      ...(ahead > 0
        ? [bad('index', `ends behind the log in ${counted(ahead, 'conversation')}`)]
        : []),
      ...(problems.length + orphans === 0
        ? [sound('file', 'every page and every index is whole')]
        : []),
    ],
    tenants,
  }
}
