import { describe, expect, it } from 'vitest'
import type { TranscriptItem } from '../../packages/throughline/src/transcripts/transcript.ts'
import { readHistories } from './history.ts'

const id = 'one'

function conversation(meta: { readonly [key: string]: string }): TranscriptItem {
  return { kind: 'conversation', id, title: null, parent: null, meta }
}

function message(role: 'system' | 'user' | 'assistant', content: string): TranscriptItem {
  const rest = { usage: null, model: null, line: null }
  return { kind: 'message', conversationId: id, message: { role, content }, ...rest }
}

function compaction(summary: string | null): TranscriptItem {
  const rest = { tokensBefore: null, trigger: null, line: null }
  return { kind: 'compaction', conversationId: id, summary, ...rest }
}

describe('a history', () => {
  it('counts positions without the system prompt, also those of compactions', async () => {
    const [history] = await readHistories([
      conversation({ cwd: '/w' }),
      message('system', 'Be brief.'),
      message('user', 'a'),
      message('assistant', 'b'),
      compaction('so far'),
      message('user', 'c'),
    ])
    expect(history).toMatchObject({ id, workingFolder: '/w', system: 'Be brief.' })
    expect(history?.messages.map(({ text }) => text)).toEqual(['a', 'b', 'c'])
    expect(history?.compactions).toEqual([{ at: 2, after: 2, summary: 'so far' }])
  })

  it('knows who speaks', async () => {
    const [history] = await readHistories([message('user', 'a'), message('assistant', 'b')])
    expect(history?.messages.map(({ isAssistant }) => isAssistant)).toEqual([false, true])
    expect(history?.isOfRecords).toBe(false)
  })

  it('uses the system prompt in the metadata of the conversation', async () => {
    const [history] = await readHistories([
      conversation({ system: 'Rules.' }),
      message('user', 'a'),
    ])
    expect(history?.system).toBe('Rules.')
  })

  it('skips compactions without a summary', async () => {
    const [history] = await readHistories([message('user', 'a'), compaction(null)])
    expect(history?.compactions).toEqual([])
  })
})
