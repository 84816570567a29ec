import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { append, tenantOf } from '../../testing/store-cases/case.test-support.ts'
import { indexUpTo, samplePiece } from '../../testing/store-cases/indexed-pieces.test-support.ts'
import { createThroughline } from '../../throughline.ts'
import { inspectSqlite, spaceInSqlite, sqlite, sqliteFileState } from '../sqlite.ts'
import { applicationId, oldestVersion, schemaVersion } from './schema-data.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
let files = 0
const newFile = () => join(folder, `${files++}.db`)
afterAll(() => rmSync(folder, { recursive: true }))

/** A file with conversations of these lengths, changed by another program. */
async function fileWith(lengths: Readonly<Record<string, number>>, sql = ''): Promise<string> {
  const file = newFile()
  const store = sqlite(file, { durability: 'normal' })
  const tl = createThroughline({ store })
  for (const [id, length] of Object.entries(lengths)) await append(tl, id, length)
  await tl.conversation('c').update({ title: 'T' })
  if (lengths['c']) await indexUpTo(tenantOf(store), 1, [samplePiece(0, 'a')])
  await store.close()
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
  return file
}

describe('an inspection', () => {
  it('finds nothing in a file that only we have written', async () => {
    expect(inspectSqlite(await fileWith({ c: 3, d: 1 }), { rows: 9 })).toEqual({
      ...{ tenants: ['default'], problems: [], orphans: 0, indexedTooFar: 0 },
      ...{ missingPieces: 0, unfinishedPurges: 0, changedRows: [] },
    })
  })

  it.each([
    ['UPDATE conversations SET indexed_to = head + 1', { indexedTooFar: 1 }],
    ['UPDATE conversations SET indexed_to = head', { indexedTooFar: 0 }],
    ['UPDATE conversations SET indexed_pieces = 3', { missingPieces: 2 }],
    ['UPDATE conversations SET indexed_pieces = 0', { missingPieces: 0 }],
    ['PRAGMA foreign_keys = OFF; DELETE FROM conversations', { orphans: expect.any(Number) }],
    [
      "INSERT INTO purges VALUES ('default', 1, x'ab', 'message', 0, 1, 9, 0)",
      { unfinishedPurges: 1 },
    ],
    [
      "INSERT INTO purges VALUES ('default', 1, x'ab', 'message', 0, 1, 9, 1)",
      { unfinishedPurges: 0 },
    ],
  ])('after %j finds %o', async (sql, found) => {
    expect(inspectSqlite(await fileWith({ c: 2 }, sql))).toMatchObject(found)
  })

  it('counts rows that refer to nothing', async () => {
    const sql = 'PRAGMA foreign_keys = OFF; DELETE FROM conversations'
    expect(inspectSqlite(await fileWith({ c: 2 }, sql)).orphans).toBeGreaterThan(0)
  })

  it('finds changed rows wherever they are, and as many as asked for', async () => {
    const changed = 'UPDATE messages SET created_at = 1 WHERE seq IN (0, 63, 64, 129)'
    const title = "UPDATE conversations SET title = 'other'"
    const file = await fileWith({ c: 130 }, `${changed}; ${title}`)
    const rows = [null, 0, 63, 64, 129].map((seq) => ({ conversation: 'c', seq }))
    expect(inspectSqlite(file, { rows: 99 }).changedRows).toEqual(rows)
    expect(inspectSqlite(file, { rows: 2 }).changedRows).toEqual(rows.slice(0, 2))
    expect(inspectSqlite(file).changedRows).toEqual([])
  })

  it.each([63, 64, 65, 128])('reads all of %i messages', async (length) => {
    const last = length - 1
    const file = await fileWith({ c: length }, `UPDATE messages SET key = 'k' WHERE seq = ${last}`)
    expect(inspectSqlite(file, { rows: 9 }).changedRows).toEqual([{ conversation: 'c', seq: last }])
  })

  it('finds a row without a hash', async () => {
    const file = await fileWith({ c: 1 }, 'UPDATE messages SET row_hash = NULL')
    expect(inspectSqlite(file, { rows: 9 }).changedRows).toEqual([{ conversation: 'c', seq: 0 }])
  })

  it('names the kind of a file without opening it', async () => {
    const [empty, missing] = [newFile(), newFile()]
    writeFileSync(empty, '')
    const kindOf = (path: string) => sqliteFileState(path).kind
    expect([folder, empty, missing, await fileWith({ c: 1 })].map(kindOf)).toEqual([
      ...['folder', 'empty', 'missing', 'filled'],
    ])
    expect(() => inspectSqlite(empty)).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }))
    expect(() => inspectSqlite(missing)).toThrow()
  })

  it.each([inspectSqlite, spaceInSqlite])(
    'refuses a folder, an empty file, and the database of another program or release: %o',
    (inspect) => {
      const fileAfter = (sql: string) => {
        const file = newFile()
        const database = new DatabaseSync(file)
        database.exec(sql)
        database.close()
        return file
      }
      const refuses = (file: string, code: string) =>
        expect(() => inspect(file), code).toThrow(expect.objectContaining({ code }))
      refuses(folder, 'CONFIG_INVALID')
      refuses(fileAfter(''), 'STORE_CORRUPT')
      refuses(fileAfter('CREATE TABLE t (a)'), 'STORE_FOREIGN')
      const ours = `PRAGMA application_id = ${applicationId}`
      refuses(fileAfter(`${ours}; PRAGMA user_version = ${schemaVersion + 1}`), 'STORE_NEWER')
      refuses(fileAfter(`${ours}; PRAGMA user_version = ${oldestVersion - 1}`), 'STORE_OLDER')
    },
  )

  it('lists what the bytes are used for, the largest part first', async () => {
    const file = await fileWith({ c: 3, d: 1 })
    const space = spaceInSqlite(file)
    const tables = space.filter(({ what }) => !what.startsWith('derived rows: '))
    const rows = Object.fromEntries(space.map((part) => [part.what, part.rows]))
    expect(rows).toMatchObject({ messages: 4, files: 0, 'search index: pieces': 1 })
    const { textBytes } = space.find(({ what }) => what === 'messages') ?? {}
    expect(textBytes).toBeGreaterThanOrEqual(4 * 'x'.length)
    const bytes = tables.map(({ pageBytes }) => pageBytes ?? 0)
    expect(bytes).toEqual(bytes.toSorted((left, right) => right - left))
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(statSync(file).size)
  })

  it('changes neither the file nor its log, which a killed process has left', async () => {
    const [file, left] = [newFile(), newFile()]
    const store = sqlite(file)
    await append(createThroughline({ store }), 'c', 2)
    for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, `${left}${suffix}`)
    await store.close()
    const bytes = () => ['', '-wal'].map((suffix) => readFileSync(`${left}${suffix}`, 'hex'))
    const before = bytes()
    expect(inspectSqlite(left, { rows: 9 })).toMatchObject({ problems: [], changedRows: [] })
    expect(bytes()).toEqual(before)
  })
})
