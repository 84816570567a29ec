/** A file that was refused or only checked must not stay open: its locks would stay too. */
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { inspectSqlite, sqlite } from '../sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
let files = 0
const newFile = () => join(folder, `${files++}.db`)
afterAll(() => rmSync(folder, { recursive: true }))

const handles = '/proc/self/fd'

/** Files of this process that are open, with their logs. */
function openFiles(file: string): readonly string[] {
  const links = readdirSync(handles).map((name) => {
    try {
      return readlinkSync(join(handles, name))
    } catch {
      // It was the handle of the folder itself.
      return ''
    }
  })
  return links.filter((link) => link.startsWith(file))
}

async function ownFile(): Promise<string> {
  const file = newFile()
  await sqlite(file).close()
  return file
}

describe.runIf(existsSync(handles))('an open handle', () => {
  it('is kept by a store, until that is closed', async () => {
    const file = newFile()
    const store = sqlite(file)
    expect(openFiles(file)).toContain(file)
    await store.close()
    expect(openFiles(file)).toEqual([])
  })

  it('is not left by a file that was refused', async () => {
    const file = await ownFile()
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 9999')
    database.close()
    for (const readOnly of [false, true]) {
      expect(() => sqlite(file, { readOnly })).toThrow(
        expect.objectContaining({ code: 'STORE_NEWER' }),
      )
      expect(openFiles(file)).toEqual([])
    }
    const text = newFile()
    writeFileSync(text, 'no database at all, but long enough to be read as one. '.repeat(20))
    expect(() => sqlite(text)).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }))
    expect(openFiles(text)).toEqual([])
  })

  it('is not left by the check of a database that another program has open', () => {
    const file = newFile()
    const other = new DatabaseSync(file)
    other.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    expect(() => sqlite(file)).toThrow(expect.objectContaining({ code: 'STORE_FOREIGN' }))
    // SQLite closes handles late while the same process has others.
    other.close()
    expect(openFiles(file)).toEqual([])
  })

  it('is not left by an inspection, which works beside an open store', async () => {
    const file = newFile()
    const store = sqlite(file)
    expect(inspectSqlite(file, { rows: 5 })).toMatchObject({ problems: [], changedRows: [] })
    await store.close()
    expect(openFiles(file)).toEqual([])
    expect(inspectSqlite(file).problems).toEqual([])
    expect(openFiles(file)).toEqual([])
  })
})
