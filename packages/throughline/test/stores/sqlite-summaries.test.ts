/** SQL views of summaries, for people and other programs. */

import { DatabaseSync } from 'node:sqlite'
import { type ConversationId, createThroughline, type TenantId } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { afterAll, expect, it } from 'vitest'
import { commitChanges } from '../../src/derived/commit.ts'
import { sampleSummarized, sampleSummary } from '../../src/derived/samples.test-support.ts'
import { testFolder } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const id = 'c' as ConversationId

async function withSummaries(file: string): Promise<void> {
  const store = sqlite(file)
  const tl = createThroughline({ store })
  const chat = tl.conversation('c')
  await chat.append(Array.from({ length: 9 }, () => ({ role: 'user' as const, content: 'x' })))
  await tl.conversation('none').append({ role: 'user', content: 'x' })
  for (const [version, to] of [3, 7].entries()) {
    const record = sampleSummary({
      id: `s${to}`,
      text: `Told to ${to}.`,
      covers: { from: 0, to },
      added: { from: version === 0 ? 0 : 3, to },
      createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678 + version),
    })
    const changes = { summarized: sampleSummarized({ record }) }
    const tenant = store.tenant('default' as TenantId)
    await commitChanges(tenant, { id, expectedVersion: version, changes, at: 9 })
  }
  await tl.close()
}

it('S3-023, S3-024, S3-036, S3-065: are the rows of conversation_summaries', async () => {
  const file = folder.file('rows.db')
  await withSummaries(file)
  const database = new DatabaseSync(file)
  const row = {
    tenant: 'default',
    conversation_id: 'c',
    created_at: '2026-01-02T03:04:05.678Z',
  }
  expect(database.prepare('SELECT * FROM conversation_summaries').all()).toEqual([
    {
      ...row,
      id: 's3',
      summary_text: 'Told to 3.',
      messages_covered: 3,
      start_message_id: 'c#0',
      end_message_id: 'c#2',
    },
    {
      ...row,
      id: 's7',
      summary_text: 'Told to 7.',
      messages_covered: 7,
      start_message_id: 'c#3',
      end_message_id: 'c#6',
      created_at: '2026-01-02T03:04:05.679Z',
    },
  ])
  database.close()
})

it('S3-026, X3-6: are deleted with their conversation', async () => {
  const file = folder.file('cascade.db')
  await withSummaries(file)
  const tl = createThroughline({ store: sqlite(file) })
  await tl.conversation('c').history.purge()
  await tl.close()
  const database = new DatabaseSync(file)
  expect(database.prepare('SELECT count(*) AS rows FROM derived').get()).toEqual({ rows: 0 })
  database.close()
})

it('S4-006, S4-007: are columns of a conversation, with the checkpoint', async () => {
  const file = folder.file('columns.db')
  await withSummaries(file)
  const database = new DatabaseSync(file)
  const rows = database.prepare('SELECT * FROM running_summaries ORDER BY id').all()
  expect(rows).toEqual([
    { tenant: 'default', id: 'c', title: null, summary: 'Told to 7.', last_summarized_msg_id: 6 },
    { tenant: 'default', id: 'none', title: null, summary: null, last_summarized_msg_id: null },
  ])
  database.close()
})
