/** Moves between a SQLite file and PostgreSQL, also while the source is in use. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThroughline, type Throughline } from 'throughline'
import type { Archive } from 'throughline/stores'
import { sqlite, sqliteArchive } from 'throughline/stores/sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import {
  randomCommands,
  randomSearches,
} from '../../throughline/src/testing/store-contract/random-commands.ts'
import { StoreCommands } from '../../throughline/src/testing/store-contract/store-commands.ts'
import { moveConversations, postgres } from '../src/index.ts'
import { newSchema, server, sql } from './shared-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-move-'))
const schemas: string[] = []
const url = server?.url ?? ''
let files = 0
const newFile = () => join(folder, `${files++}.db`)
const schemaOf = () => {
  const schema = newSchema()
  schemas.push(schema)
  return schema
}

/** Forks, edits, files, calls, hard texts and rows of every kind, of two tenants. */
async function fill(file: string, seeds: readonly number[]): Promise<void> {
  const store = sqlite(file, { durability: 'normal' })
  for (const seed of seeds)
    await randomCommands(seed)(new StoreCommands(store, `tenant-${seed}` as never)).catch(() => {})
  await randomSearches(9)(new StoreCommands(store, 'searched' as never)).catch(() => {})
  await store.close()
}

async function recordsOf(archive: Archive): Promise<readonly string[]> {
  const records: string[] = []
  for (const conversation of await archive.list())
    for await (const record of archive.read(conversation)) records.push(JSON.stringify(record))
  for (const purge of await archive.purges()) records.push(JSON.stringify(purge))
  await archive.close()
  return records.toSorted()
}

const append = (tl: Throughline, id: string, content: string) =>
  tl.conversation(id).append({ role: 'user', content })

describe.skipIf(server === null)('a move', () => {
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    for (const schema of schemas) await sql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  })

  it('to PostgreSQL and back leaves every record as it was', async () => {
    const [file, back, schema] = [newFile(), newFile(), schemaOf()]
    await fill(file, [1, 2, 3])
    const before = await recordsOf(sqliteArchive(file))
    expect(before.length).toBeGreaterThan(100)
    const there = await moveConversations({ from: file, to: url, schema })
    expect(there.conversations).toBeGreaterThan(5)
    const again = await moveConversations({ from: url, to: back, schema })
    expect(again.conversations).toBe(there.conversations)
    expect(await recordsOf(sqliteArchive(back))).toEqual(before)
    expect(existsSync(`${file}.move`)).toBe(false)
  })

  it('gives programs the same conversation, which continues', async () => {
    const [file, schema] = [newFile(), schemaOf()]
    const old = createThroughline({ store: sqlite(file) })
    await append(old, 'c', 'We sail to Bergen in May.')
    await old.conversation('c').pin('#0')
    const expected = await old.conversation('c').info()
    await old.close()
    await moveConversations({ from: file, to: url, schema })
    const tl = createThroughline({ store: postgres({ url, schema }) })
    expect(await tl.conversation('c').info()).toEqual(expected)
    expect((await tl.conversation('c').recall('Bergen')).pieces).toHaveLength(1)
    expect((await append(tl, 'c', 'And back in June.')).head).toBe(2)
    await tl.close()
  })

  it('continues after it was interrupted, and takes what was written meanwhile', async () => {
    const [file, schema] = [newFile(), schemaOf()]
    const tl = createThroughline({ store: sqlite(file) })
    for (let at = 0; at < 40; at += 1) await append(tl, `c${at}`, `${at}`)
    const interrupted = moveConversations({
      ...{ from: file, to: url, schema },
      onProgress: (done) => {
        if (done === 25) throw new Error('interrupted')
      },
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    await append(tl, 'c3', 'meanwhile')
    await append(tl, 'new', 'meanwhile')
    await tl.tenant('default').conversation('c4').history.purge()
    let written = 0
    const moved = await moveConversations({
      ...{ from: file, to: url, schema },
      // During the move: nothing that is acknowledged may be missing in the copy.
      onProgress: (done) => {
        if (done % 4 !== 0 || written > 3) return
        written += 1
        void append(tl, `c${30 + written}`, 'during')
      },
    })
    expect(moved).toMatchObject({ conversations: 40, resumed: 25 })
    await tl.close()
    const [source, target] = [createThroughline({ store: sqlite(file) }), postgres({ url, schema })]
    const copy = createThroughline({ store: target })
    for (const { id } of await copy.list({ limit: 100 })) {
      const texts = (from: Throughline) =>
        Array.fromAsync(from.conversation(id).messages(), ({ parts }) => JSON.stringify(parts))
      const copied = await texts(copy)
      expect((await texts(source)).slice(0, copied.length)).toEqual(copied)
    }
    expect((await copy.conversation('c3').info())?.head).toBe(2)
    expect(await copy.conversation('c4').info()).toBeNull()
    await Promise.all([source.close(), copy.close()])
  })

  it('refuses a target with other conversations, and two ends of one kind', async () => {
    const [file, schema] = [newFile(), schemaOf()]
    const there = createThroughline({ store: postgres({ url, schema }) })
    await append(there, 'c', 'there')
    await there.close()
    const here = createThroughline({ store: sqlite(file) })
    await append(here, 'c', 'here')
    await here.close()
    const move = moveConversations({ from: file, to: url, schema })
    await expect(move).rejects.toThrow('the target has a conversation "c"')
    await expect(moveConversations({ from: file, to: newFile() })).rejects.toThrow('one of from')
    await expect(moveConversations({ from: newFile(), to: url })).rejects.toThrow(
      'there is no file',
    )
  })
})
