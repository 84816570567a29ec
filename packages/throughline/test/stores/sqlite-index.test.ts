/** SQLite details of the search index. */

import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type ConversationId, createThroughline, type Store, type TenantId } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { SqliteConnection } from '../../src/stores/sqlite/connection.ts'
import { addPieces, dropPieces } from '../../src/stores/sqlite/pieces.ts'
import { codeText, termCode } from '../../src/stores/sqlite/term-codes.ts'
import { append } from '../../src/testing/store-cases/case.test-support.ts'
import {
  indexUpTo,
  placesOf,
  samplePiece,
} from '../../src/testing/store-cases/indexed-pieces.test-support.ts'
import { integrity, rowsIn, testFolder } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const tenantOf = (store: Store) => store.tenant('default' as TenantId)
const [b, c] = ['b', 'c'] as ConversationId[] as [ConversationId, ConversationId]

/** Neighbours in the order of FTS5, so that its data of one could reveal the others. */
const canary = (seq: number) => `canary${1_000 + seq}`
const pieceOf = (seq: number) =>
  samplePiece(seq, `word ${canary(seq)} w${seq % 50} x${seq}`, {
    names: [`Src/${canary(seq)}.ts`],
  })
const pieces = (count: number) => Array.from({ length: count }, (_, seq) => pieceOf(seq))

async function withPieces(store: Store, counts: Readonly<Record<string, number>>): Promise<void> {
  const tl = createThroughline({ store })
  for (const [id, count] of Object.entries(counts)) {
    await append(tl, id, count)
    await indexUpTo(tenantOf(store), count, pieces(count), id as ConversationId)
  }
}

/** Names and codes of terms that are still in the files. */
function tracesOf(file: string, ...places: readonly number[]): readonly string[] {
  const texts = ['', '-wal'].map((suffix) => readFileSync(file + suffix))
  return places
    .flatMap((seq) => [`${canary(seq)}.ts`, canary(seq), codeText(termCode(canary(seq)))])
    .filter((trace) => texts.some((text) => text.includes(trace)))
}

/** The numbers of terms and runs in FTS5. */
function known(file: string): readonly unknown[] {
  const database = new DatabaseSync(file)
  try {
    return ['recall_terms', 'recall_names'].map((table) => {
      database.exec(`CREATE VIRTUAL TABLE temp.${table}_known USING fts5vocab(main, ${table}, row)`)
      return database.prepare(`SELECT count(*) AS terms FROM ${table}_known`).get()?.['terms']
    })
  } finally {
    database.close()
  }
}

describe('the search index in a SQLite file', () => {
  it('leaves no row and no byte after a purge', async () => {
    const file = folder.file('purged.db')
    const store = sqlite(file, { durability: 'normal' })
    await withPieces(store, { c: 300 })
    expect(tracesOf(file, 7)).toContain('canary1007.ts')
    expect(await tenantOf(store).purge({ id: c, forks: 'refuse', at: 1 })).toMatchObject({
      erased: true,
    })
    expect(tracesOf(file, ...Array(300).keys())).toEqual([])
    for (const table of ['pieces', 'piece_names', 'recall_terms_idx', 'recall_names_idx'])
      expect(rowsIn(file, table), table).toEqual([])
    expect(known(file)).toEqual([0, 0])
    expect(integrity(file)).toBe('ok')
    await store.close()
  })

  it('leaves nothing of a small conversation in a large store, and nothing else changes', async () => {
    const file = folder.file('large.db')
    const store = sqlite(file, { durability: 'normal' })
    const tenant = tenantOf(store)
    const words = (seq: number) => Array.from({ length: 20 }, (_, at) => `x${seq}y${at}`)
    await append(createThroughline({ store }), 'b', 1_000)
    const large = pieces(1_000).map((piece) => ({
      ...piece,
      terms: [...piece.terms, ...words(piece.seq)],
    }))
    await indexUpTo(tenant, 1_000, large, b)
    const before = known(file)
    const purged = [samplePiece(0, canary(5_000), { names: [`Src/${canary(5_000)}.ts`] })]
    await append(createThroughline({ store }), 'c', 1)
    await indexUpTo(tenant, 1, purged)
    expect(rowsIn(file, 'recall_terms_idx').length).toBeGreaterThan(25)
    await tenant.purge({ id: c, forks: 'refuse', at: 1 })
    expect([tracesOf(file, 5_000), known(file)]).toEqual([[], before])
    const query = { terms: ['word', canary(9)], partsOfNames: [canary(500)], most: 5 }
    expect(await placesOf(tenant, query, b)).toEqual(['1000 in all', '9', '500'])
    expect(integrity(file)).toBe('ok')
    await store.close()
  })

  it('drops one message and adds it again, on any connection', async () => {
    const file = folder.file('dropped.db')
    const store = sqlite(file, { durability: 'normal' })
    const tenant = tenantOf(store)
    await withPieces(store, { b: 40, c: 40 })
    // A separate connection, because FTS5 must erase for any of them.
    const driver = new DatabaseSync(file)
    driver.exec('PRAGMA secure_delete = ON')
    const connection = new SqliteConnection(driver, file, 'normal')
    for (let seq = 0; seq < 40; seq += 2)
      connection.write(() => {
        dropPieces({ connection, pk: 2 }, seq)
        if (seq % 4 === 0)
          addPieces({ connection, pk: 2 }, [samplePiece(seq, 'word', { length: 9 })])
      })
    connection.get('PRAGMA wal_checkpoint(TRUNCATE)')
    connection.close()
    const query = { terms: ['word', canary(2), canary(3)], partsOfNames: [canary(4), '.ts'] }
    const places = await placesOf(tenant, { ...query, before: 6 }, c)
    expect(places).toEqual(['0 1 3 4 5', '', '3', '', '1 3 5'])
    expect((await placesOf(tenant, query, b))?.slice(1, 4)).toEqual(['2', '3', '4'])
    await tenant.purge({ id: b, forks: 'refuse', at: 1 })
    const gone = tracesOf(file, ...Array.from({ length: 20 }, (_, half) => 2 * half))
    expect([gone, tracesOf(file, 3).length > 0, integrity(file)]).toEqual([[], true, 'ok'])
    await store.close()
  })

  it('is not erased after a purge that could not rewrite it, and then with the next', async () => {
    const file = folder.file('failed.db')
    const driver = new DatabaseSync(file)
    let failing = true
    const store = sqlite({
      exec: (sql) => {
        if (failing && sql.includes("'optimize'")) throw new Error('planted')
        return driver.exec(sql)
      },
      close: () => driver.close(),
      prepare: (sql) => driver.prepare(sql),
    })
    await withPieces(store, { c: 3 })
    const command = { id: c, forks: 'refuse', at: 1 } as const
    expect(await tenantOf(store).purge(command)).toMatchObject({ erased: false })
    failing = false
    expect(await tenantOf(store).purge(command)).toMatchObject({ erased: true })
    expect(tracesOf(file, 0, 1, 2)).toEqual([])
    await store.close()
  })

  it('is written without waiting for the disk', async () => {
    const driver = new DatabaseSync(folder.file('levels.db'))
    const levels = new Set<unknown>()
    const store = sqlite({
      exec: (sql) => driver.exec(sql),
      close: () => driver.close(),
      prepare: (sql) => {
        if (/INSERT INTO (?:pieces|recall)/.test(sql))
          levels.add(driver.prepare('PRAGMA synchronous').get()?.['synchronous'])
        return driver.prepare(sql)
      },
    })
    await withPieces(store, { c: 1 })
    expect([...levels]).toEqual([1])
    await store.close()
  })
})

describe('term codes', () => {
  it('differ for similar short texts', () => {
    const codes = new Set<number>()
    for (let at = 0; at < 50_000; at += 1) codes.add(termCode(at.toString(36)))
    expect(codes.size).toBe(50_000)
  })
})
