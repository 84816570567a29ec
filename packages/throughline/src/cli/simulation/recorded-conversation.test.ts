import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../../index.ts'
import type { TranscriptItem } from '../../transcripts/index.ts'
import { readConversations } from './recorded-conversation.ts'

function items(messages: readonly MessageInput[], meta: Record<string, string> | null = null) {
  const conversationId = 'one'
  const begun: TranscriptItem = {
    kind: 'conversation',
    id: conversationId,
    title: null,
    parent: null,
    meta,
  }
  const told = messages.map(
    (message): TranscriptItem => ({
      kind: 'message',
      conversationId,
      message,
      usage: null,
      model: null,
      line: null,
    }),
  )
  return [begun, ...told]
}

describe('readConversations', () => {
  it('calls the model before each reply, and takes the system prompt out of the messages', async () => {
    const [conversation] = await readConversations(
      items([
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'two' },
        { role: 'user', content: 'three' },
        { role: 'assistant', content: 'four' },
      ]),
    )
    expect(conversation).toMatchObject({ system: 'Be kind.', calls: [1, 3] })
    expect(conversation?.messages).toHaveLength(4)
  })

  it('follows a talk without replies, and a system prompt that stands beside the messages', async () => {
    const talk = Array.from({ length: 12 }, (): MessageInput => ({ role: 'user', content: 'so' }))
    const [conversation] = await readConversations(items(talk, { system: 'Listen.' }))
    expect(conversation).toMatchObject({ system: 'Listen.', calls: [5, 10] })
  })

  it('offers the tools that are called, with the fields that they are called with', async () => {
    const calls = ['{"path":"a"}', { to: 1 }, 'no JSON'].map(
      (input, at): MessageInput => ({
        role: 'assistant',
        content: [{ type: 'tool-call', callId: `c${at}`, name: 'read', input }],
      }),
    )
    const [conversation] = await readConversations(items(calls))
    expect(conversation?.tools).toMatchObject([
      { name: 'read', parameters: { properties: { path: {}, to: {} } } },
    ])
  })
})
