/** Opening a file of the schema before this one. */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { createThroughline } from 'throughline'
import { inspectSqlite, sqlite } from 'throughline/stores/sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { bodyOf } from '../../src/domain/derived-body.ts'
import { unpackText } from '../../src/stores/sqlite/packed-text.ts'
import { integrity, rowsIn, testFolder } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const models = [{ id: 'm', contextWindowTokens: 4_096, tokenizer: 'o200k_base' }] as const

/** A log longer than a segment, with a fork, tool calls, facts and an index. */
async function filled(file: string): Promise<void> {
  const tl = createThroughline({ store: sqlite(file, { durability: 'normal' }), models })
  const chat = tl.conversation('c')
  await chat.append(
    Array.from({ length: 300 }, (_, turn) => [
      { role: 'user', content: `Look at src/file${turn}.ts, and remember value${turn}.` } as const,
      {
        role: 'assistant',
        content: [{ type: 'tool-call', callId: `c${turn}`, name: 'read', input: {} }],
      } as const,
    ]).flat(),
  )
  await chat.append({
    role: 'tool',
    content: [{ type: 'tool-result', callId: 'c299', output: 'const value299 = 7' }],
  })
  await chat.context({ model: 'm' })
  await chat.recall('value7')
  const forked = await chat.history.fork(550, 'fork')
  if (forked.ok) await forked.value.append({ role: 'user', content: 'Another way.' })
  await tl.close()
}

/** Changes the file to the schema before. */
function downgrade(file: string): void {
  const database = new DatabaseSync(file)
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  for (const table of ['answers', 'pieces', 'piece_names', 'recall_terms', 'recall_names'])
    database.exec(`DROP TABLE ${table}`)
  database.exec(`ALTER TABLE messages DROP COLUMN chain_before;
    CREATE TABLE pieces (place INTEGER PRIMARY KEY, length INTEGER NOT NULL) STRICT;
    CREATE TABLE piece_words (place INTEGER PRIMARY KEY, terms BLOB NOT NULL, names TEXT NOT NULL) STRICT;
    CREATE VIRTUAL TABLE recall_terms USING fts5 (
      terms, content = '', columnsize = 0, detail = none, tokenize = 'ascii');
    CREATE VIRTUAL TABLE recall_names USING fts5 (
      names, content = '', columnsize = 0, detail = none, tokenize = 'ascii');`)
  const chains = new Map<string, string>()
  for (const { pk, fork_pk, fork_at } of database.prepare('SELECT * FROM conversations').all()) {
    let chain = chains.get(`${fork_pk} ${Number(fork_at) - 1}`) ?? '0'.repeat(64)
    const rows = 'SELECT place, seq, canonical_hash FROM messages WHERE conversation = ?'
    for (const row of database.prepare(rows).all(pk as number)) {
      chain = sha256(chain + Buffer.from(row['canonical_hash'] as Uint8Array).toString('hex'))
      chains.set(`${pk} ${row['seq']}`, chain)
      const update = 'UPDATE messages SET chain_hash = ? WHERE place = ?'
      database.prepare(update).run(Buffer.from(chain, 'hex'), row['place'] as number)
    }
    const update = 'UPDATE conversations SET chain = ? WHERE pk = ?'
    database.prepare(update).run(Buffer.from(chain, 'hex'), pk as number)
  }
  const short = `SELECT number, kind, body FROM derived WHERE kind IN ('facts', 'ledger')`
  for (const row of database.prepare(short).all()) {
    const text = unpackText(String(row['body']), 'a row')
    const body = bodyOf(row['kind'] as 'facts', { body: text })
    const update = 'UPDATE derived SET body = ? WHERE number = ?'
    database.prepare(update).run(JSON.stringify(body), row['number'] as number)
  }
  database.exec('PRAGMA user_version = 16')
  database.close()
}

describe('a file of the schema before', () => {
  it('is changed when it is opened for writing, and then has the same messages', async () => {
    const file = folder.file('before.db')
    await filled(file)
    const read = async () => {
      const tl = createThroughline({ store: sqlite(file), models })
      try {
        const logs = await Promise.all(
          ['c', 'fork'].map((id) => Array.fromAsync(tl.conversation(id).messages())),
        )
        const found = await tl.conversation('c').recall('value7')
        return { logs, found }
      } finally {
        await tl.close()
      }
    }
    const before = await read()
    const facts = () => rowsIn(file, 'derived').filter(({ kind }) => kind === 'facts')
    const factsBefore = facts()
    const answers = rowsIn(file, 'answers')
    downgrade(file)
    expect(() => sqlite(file, { readOnly: true })).toThrow('open it once for writing')
    expect(() => inspectSqlite(file)).toThrow('schema version 16')
    expect(await read()).toEqual(before)
    expect([facts(), rowsIn(file, 'answers')]).toEqual([factsBefore, answers])
    expect(inspectSqlite(file, { rows: 20 })).toMatchObject({ changedRows: [], problems: [] })
    expect(integrity(file)).toBe('ok')
  })
})

describe('a file that release 0.1 wrote', () => {
  it('opens with its messages, compactions, pin, fork and search', async () => {
    const file = folder.file('release-0.1.db')
    const packed = readFileSync(join(import.meta.dirname, 'fixtures/release-0.1.db.gz'))
    writeFileSync(file, gunzipSync(packed))
    const tl = createThroughline({
      store: sqlite(file),
      models: [{ id: 'm', contextWindowTokens: 2_048 }],
    })
    const chat = tl.conversation('invoices')
    const before = await chat.receipts({ limit: 100 })
    expect(before.length).toBeGreaterThan(2)
    expect((await Array.fromAsync(chat.messages())).length).toBe(96)
    expect((await chat.expand('#8'))?.text).toContain('Invoice 4002: is it paid?')
    const { pieces } = await chat.recall('invoice 4007')
    expect(pieces.some(({ text }) => text.includes('4007'))).toBe(true)

    const retried = await chat.append(
      { role: 'user', content: 'Which invoices are open?' },
      { key: 'new-1' },
    )
    expect(retried.head).toBe(97)
    const context = await chat.context({ model: 'm' })
    expect(context.tokens).toBeLessThanOrEqual(context.available)
    expect(JSON.stringify(context.messages)).toContain('Invoice 4002: is it paid?')
    const undone = await chat.history.undo()
    expect(undone.ok).toBe(true)
    const forked = await Array.fromAsync(tl.conversation('what-if').messages())
    expect(forked.length).toBe(41)
    await tl.close()
    expect(inspectSqlite(file, { rows: 20 })).toMatchObject({ changedRows: [], problems: [] })
    expect(integrity(file)).toBe('ok')
  })
})
