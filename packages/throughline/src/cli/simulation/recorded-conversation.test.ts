import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../../index.ts'
import { recordedConversation } from './recorded-conversation.ts'

function recorded(messages: readonly MessageInput[], meta: Record<string, string> | null = null) {
  const header = { kind: 'conversation', id: 'one', title: null, parent: null, meta } as const
  return recordedConversation('one', messages, header)
}

describe('recordedConversation', () => {
  it('calls the model before each reply, and takes the system prompt out of the messages', () => {
    const conversation = recorded([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'three' },
      { role: 'assistant', content: 'four' },
    ])
    expect(conversation).toMatchObject({ system: 'Be kind.', calls: [1, 3] })
    expect(conversation.messages).toHaveLength(4)
  })

  it('reads a conversation without replies, and a system prompt outside the messages', () => {
    const talk = Array.from({ length: 12 }, (): MessageInput => ({ role: 'user', content: 'so' }))
    const conversation = recorded(talk, { system: 'Listen.' })
    expect(conversation).toMatchObject({ system: 'Listen.', calls: [5, 10] })
  })

  it('offers the tools that are called, with the fields that they are called with', () => {
    const calls = ['{"path":"a"}', { to: 1 }, 'no JSON'].map(
      (input, at): MessageInput => ({
        role: 'assistant',
        content: [{ type: 'tool-call', callId: `c${at}`, name: 'read', input }],
      }),
    )
    const conversation = recorded(calls)
    expect(conversation.tools).toMatchObject([
      { name: 'read', parameters: { properties: { path: {}, to: {} } } },
    ])
  })
})
