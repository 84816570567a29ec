/** Databases for tests: files in a temporary folder, and their content. */
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface TestFolder {
  file(name: string): string
  remove(): void
}

export function testFolder(): TestFolder {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
  return {
    file: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Every row of every table as text, with the inner tables of FTS5. Equal texts, equal states. */
export function dump(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database
      .prepare(
        `SELECT name FROM sqlite_schema
         WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
      )
      .all()
      .map((row) => String(row['name']))
    // A purge may use up numbers, which does not count as a change.
    return tables
      .filter((name) => name !== 'sqlite_sequence')
      .map((name) => {
        const rows = database.prepare(`SELECT * FROM ${name}`)
        // Numbers of pages in FTS5 are larger than a number of JavaScript.
        rows.setReadBigInts(true)
        return JSON.stringify([name, rows.all()], plain)
      })
      .join('\n')
  } finally {
    database.close()
  }
}

/** The rows of one table. */
export function rowsIn(file: string, table: string): readonly Readonly<Record<string, unknown>>[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare(`SELECT * FROM ${table}`).all()
  } finally {
    database.close()
  }
}

export function integrity(file: string): string {
  const database = new DatabaseSync(file)
  try {
    const rows = database.prepare('PRAGMA integrity_check').all()
    return rows.map((row) => String(row['integrity_check'])).join('\n')
  } finally {
    database.close()
  }
}

export function copyDatabase(from: string, to: string): void {
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

/** Runs a script in several processes at once, and returns their exit codes. */
export function inProcesses(count: number, script: string): Promise<readonly unknown[]> {
  const words = ['--conditions=throughline-source', '--input-type=module', '--eval', script]
  return Promise.all(
    Array.from({ length: count }, () => {
      const child = spawn(process.execPath, words, { cwd: import.meta.dirname, stdio: 'inherit' })
      return new Promise((resolve) => child.on('close', resolve))
    }),
  )
}
