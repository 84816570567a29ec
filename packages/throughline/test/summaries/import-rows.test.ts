/** Imports the rows of made-up databases of two published designs. */
import { DatabaseSync } from 'node:sqlite'
import { memory } from 'throughline/stores/memory'
import { importRows } from 'throughline/toolkit'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../stores/sqlite-file.ts'
import { blockIn, exchange, model, setUp, slotText } from './set-up.ts'

const contents = Array.from({ length: 20 }, (_, index) => exchange(index)).flat()

/** Fifty messages with a summary of the first thirty, as the design of rolling-rows stores them. */
function rollingRows(file: string) {
  const database = new DatabaseSync(file)
  database.exec(`
    CREATE TABLE messages (id TEXT PRIMARY KEY, conversation_id TEXT, role TEXT, content TEXT, created_at TEXT);
    CREATE TABLE conversation_summaries (id TEXT PRIMARY KEY, conversation_id TEXT, summary_text TEXT,
      messages_covered INTEGER, start_message_id TEXT, end_message_id TEXT, created_at TEXT);`)
  const add = database.prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?)')
  for (const [at, { role, content }] of contents.entries())
    add.run(`m${at}`, 'c', role, String(content), new Date(1_700_000_000_000 + at).toISOString())
  const sum = database.prepare('INSERT INTO conversation_summaries VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (const to of [10, 30])
    sum.run(
      `s${to}`,
      'c',
      `User had ${to / 2} files read.`,
      to,
      'm0',
      `m${to - 1}`,
      `2024-01-${to}`,
    )
  const all = (table: string) =>
    database.prepare(`SELECT * FROM ${table} WHERE conversation_id = 'c' ORDER BY created_at`).all()
  const rows = { messages: all('messages'), summaries: all('conversation_summaries') }
  database.close()
  return rows
}

describe('rows of the table conversation_summaries', () => {
  it('S3-005 S3-024: become messages and summaries, once', async () => {
    const folder = testFolder()
    const rows = rollingRows(folder.file('old.db'))
    const { chat } = await setUp({ policy: 'rolling-rows', windowTokens: 32_000, store: memory() })
    expect(await importRows(chat, rows, { model: 'gpt-4o' })).toEqual({
      messages: 40,
      summaries: 2,
    })
    expect(await importRows(chat, rows, { model: 'gpt-4o' })).toEqual({
      messages: 40,
      summaries: 0,
    })
    const stored = await Array.fromAsync(chat.messages())
    expect(stored.map(({ role }) => role)).toEqual(rows.messages.map((row) => row['role']))
    expect(stored[7]?.createdAt).toBe(1_700_000_000_007)
    expect(await chat.summaries()).toMatchObject([
      { text: 'User had 15 files read.', covers: { from: 0, to: 30 }, version: 2 },
      { text: 'User had 5 files read.', covers: { from: 0, to: 10 }, version: 1 },
    ])
    folder.remove()
  })

  it('S3-020: the next summary extends the imported one, and covers later messages only', async () => {
    const folder = testFolder()
    const rows = rollingRows(folder.file('old.db'))
    const { chat, server } = await setUp({ policy: 'rolling-rows', windowTokens: 32_000 })
    await importRows(chat, rows, { model: 'gpt-4o' })
    const before = await chat.context({ model })
    expect(slotText(before, 'summary')).toContain('User had 15 files read.')
    expect(slotText(before, 'summary')).not.toMatch(/^PREVIOUS/)
    await chat.append(Array.from({ length: 20 }, (_, index) => exchange(20 + index)).flat())
    await chat.compact({ model })
    const [request] = server.requests
    expect(JSON.stringify(request?.question)).toContain('User had 15 files read.')
    expect(blockIn(request, 'transcript')).not.toContain('module-14.ts')
    expect(blockIn(request, 'transcript')).toContain('module-15.ts')
    folder.remove()
  })
})

describe('a row of the table conversation', () => {
  it('S4-006 S4-007: becomes a summary up to its checkpoint, with the attachments of messages', async () => {
    const messages = contents.map(({ role, content }, at) => ({
      ...{ id: at + 1, role, content: `${content} ${'There is more to say of it. '.repeat(12)}` },
      ...(at === 0 && { attachments: [{ id: 123, title: 'grammar.pdf' }] }),
    }))
    const conversation = {
      id: 7,
      summary: 'User asked about grammar.pdf.',
      last_summarized_msg_id: 30,
    }
    const { chat } = await setUp({ policy: 'running-rag', windowTokens: 32_000 })
    const report = await importRows(chat, { messages, conversation }, { model: 'gpt-4o' })
    expect(report).toEqual({ messages: 40, summaries: 1 })
    expect(await chat.summaries()).toMatchObject([
      { text: conversation.summary, covers: { from: 0, to: 30 }, trust: 'tool' },
    ])
    const [first] = await Array.fromAsync(chat.messages())
    expect(first?.parts[1]).toMatchObject({ attachmentId: '123', title: 'grammar.pdf' })
    const context = await chat.context({ model })
    const summary = context.messages.find(({ slot }) => slot === 'summary')
    expect(summary?.role).toBe('user')
    expect(slotText(context, 'summary')).toContain(conversation.summary)
  })

  it.each([
    ['2026-01-20 10:00:00', '2026-01-20T10:00:00.000Z'],
    ['2026-01-20T10:00:00.250000', '2026-01-20T10:00:00.250Z'],
    ['2026-01-20T10:00:00+02:00', '2026-01-20T08:00:00.000Z'],
    [1_768_903_200, '2026-01-20T10:00:00.000Z'],
    [1_768_903_200_000, '2026-01-20T10:00:00.000Z'],
  ])('reads the time %s, in every zone', async (created_at, expected) => {
    const zone = process.env['TZ']
    process.env['TZ'] = 'America/New_York'
    const { chat } = await setUp({ policy: 'running-rag' })
    const messages = [{ id: 1, role: 'user', content: 'Hello.', created_at }]
    await importRows(chat, { messages }, { model: 'gpt-4o' })
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
    const [message] = await Array.fromAsync(chat.messages())
    expect(new Date(message?.createdAt ?? 0).toISOString()).toBe(expected)
  })

  it('has its attachments as JSON where the database has no lists', async () => {
    const { chat } = await setUp({ policy: 'running-rag' })
    const row = { id: 1, role: 'user', content: 'Hello.' }
    const attachments = '[{"id":123,"title":"grammar.pdf"}]'
    await importRows(chat, { messages: [{ ...row, attachments }] }, { model: 'gpt-4o' })
    const [message] = await Array.fromAsync(chat.messages())
    expect(message?.parts[1]).toMatchObject({ attachmentId: '123', title: 'grammar.pdf' })
    const wrong = { messages: [{ ...row, attachments: 'grammar.pdf' }] }
    await expect(importRows(chat, wrong, { model: 'gpt-4o' })).rejects.toThrow(
      'attachments must be',
    )
  })

  it('has no summary in a conversation with other messages before its checkpoint', async () => {
    const { chat } = await setUp({ policy: 'running-rag' })
    await chat.append({ role: 'user', content: 'Not a row.' })
    const messages = [1, 2].map((id) => ({ id, role: 'user', content: `Row ${id}.` }))
    const conversation = { summary: 'User sent two rows.', last_summarized_msg_id: 2 }
    const report = await importRows(chat, { messages, conversation }, { model: 'gpt-4o' })
    expect(report).toEqual({ messages: 3, summaries: 0 })
  })

  it('without a summary, imports only messages; a wrong row is named', async () => {
    const { chat } = await setUp({ policy: 'running-rag' })
    const messages = [{ id: 1, role: 'user', content: 'Hello.' }]
    const conversation = { summary: null, last_summarized_msg_id: null }
    const report = await importRows(chat, { messages, conversation }, { model: 'gpt-4o' })
    expect(report).toEqual({ messages: 1, summaries: 0 })
    const wrong = importRows(chat, { messages: [{ id: 2, role: 'tool' }] }, { model: 'gpt-4o' })
    await expect(wrong).rejects.toThrow('messages[0].role must be')
  })
})
