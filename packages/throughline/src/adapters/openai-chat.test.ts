import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildDeliverable } from '../calls/read-messages.ts'
import type { Deliverable } from '../domain/context.ts'
import { sha256 } from '../system.ts'
import { openaiChat } from './http-adapters.ts'
import { chatRequest } from './openai/arbitrary.test-support.ts'
import type { OpenaiChatRequestInput } from './openai/chat-request.ts'
import {
  anthropicHistory,
  brokenHistory,
  foreignHistories,
  geminiHistory,
  stubbed,
  withoutMessage,
} from './openai/foreign.test-support.ts'
import { anyPart, readOrRefused } from './reading.test-support.ts'

const delivered = (request: OpenaiChatRequestInput): Deliverable =>
  buildDeliverable(openaiChat.read(request), sha256)

const call = (id: string, name = 'f') => ({
  id,
  type: 'function',
  function: { name, arguments: '{}' },
})

const session: OpenaiChatRequestInput = {
  messages: [
    {
      role: 'developer',
      content: [
        { type: 'text', text: 'Be brief.' },
        { type: 'text', text: 'Be kind.' },
      ],
    },
    { role: 'system', content: 'Answer in English.', name: 'rules' },
    { role: 'user', content: 'What does it cost?', name: 'ada' },
    { role: 'assistant', content: null, tool_calls: [call('call_1'), call('call_2', 'g')] },
    { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: '12' }] },
    { role: 'tool', tool_call_id: 'call_1', content: '' },
    { role: 'assistant', content: 'Twelve.' },
    { role: 'assistant', content: 'I mean it.' },
    { role: 'developer', content: 'Now in French.' },
    { role: 'user', content: 'Et alors?' },
  ],
}

describe('openaiChat', () => {
  it('writes exactly what it read, for messages with all kinds of blocks', () => {
    fc.assert(
      fc.property(chatRequest, (request) => {
        expect(openaiChat.problems(request)).toEqual([])
        expect(openaiChat.write(delivered(request))).toEqual(request)
      }),
      { numRuns: 500 },
    )
  })

  it('restores a typical session exactly', () => {
    expect(openaiChat.write(delivered(session))).toEqual(session)
  })

  it('reads leading system messages as the system prompt, later ones as messages', () => {
    const { system, messages } = openaiChat.read(session)
    expect(system.map(({ text }) => text)).toEqual(['Be brief.', 'Be kind.', 'Answer in English.'])
    expect(messages.map(({ role }) => role).join(' ')).toBe(
      'user assistant tool tool assistant assistant system user',
    )
    expect(messages[0]?.author).toBe('ada')
  })

  it.each(Object.entries(foreignHistories))('writes a history of %s', (_, context) => {
    const request = openaiChat.write(context)
    expect(openaiChat.problems(request)).toEqual([])
    expect(JSON.stringify(openaiChat.write(context))).toBe(JSON.stringify(request))
  })

  it('writes histories of other providers with any message omitted or stubbed', () => {
    for (const context of [...Object.values(foreignHistories), delivered(session)])
      for (const index of context.messages.keys()) {
        openaiChat.write(withoutMessage(context, index))
        openaiChat.write(stubbed(context, index))
      }
  })

  it('writes random requests with any message omitted or stubbed', () => {
    fc.assert(
      fc.property(chatRequest, fc.nat(), (request, seed) => {
        const context = {
          ...delivered(request),
          system: [{ type: 'text', text: 'Be brief.', metadata: null } as const],
        }
        const index = seed % Math.max(1, context.messages.length)
        openaiChat.write(withoutMessage(context, index))
        openaiChat.write(stubbed(context, index))
      }),
    )
  })

  it('merges consecutive messages with calls, and puts the results after them', () => {
    const { messages } = openaiChat.write(geminiHistory)
    const at = messages.findIndex((message) => 'tool_calls' in message)
    expect(messages[at]).toMatchObject({
      content: 'One more.',
      tool_calls: [{ id: 'now-1' }, { id: 'now-2' }],
    })
    expect(messages.slice(at + 1, at + 3)).toEqual([
      { role: 'tool', tool_call_id: 'now-1', content: '{"h":1}' },
      { role: 'tool', tool_call_id: 'now-2', content: '' },
    ])
  })

  it('omits sealed parts of other providers, names the speaker, and describes files that are not allowed', () => {
    const { messages, tools } = openaiChat.write(anthropicHistory)
    const body = JSON.stringify(messages)
    expect(body).not.toContain('EqQBCkYIAxgC')
    expect(body).not.toContain('redacted')
    expect(messages[1]).toMatchObject({
      role: 'user',
      name: 'Ada_Lovelace',
      content: [
        { type: 'text' },
        { type: 'image_url' },
        { type: 'file', file: { filename: 'file.pdf' } },
        { type: 'text', text: '[file a.heic (image/heic)]' },
      ],
    })
    expect(messages[3]).toMatchObject({ role: 'tool', content: 'seen\n[file image/png]' })
    const { tool_calls } = messages[2] as { tool_calls: { id: string; function: object }[] }
    expect(tool_calls[1]?.id.length).toBeLessThanOrEqual(40)
    const [tool] = (tools ?? []) as { function: { name: string } }[]
    expect(tool_calls[0]?.function).toMatchObject({ name: tool?.function.name })
  })

  it('omits calls and results without a partner, and keeps two calls of one name', () => {
    const { messages } = openaiChat.write(brokenHistory)
    expect(messages.map(({ role, content }) => `${role} ${content}`)).toEqual([
      'system Be brief.',
      'assistant null',
      'tool one',
      'user Between.',
      'assistant null',
      'tool two',
      'user Last.',
    ])
  })

  it('does not change its argument', () => {
    const context = delivered(session)
    const before = JSON.stringify(context)
    openaiChat.write(context)
    expect(JSON.stringify(context)).toBe(before)
  })

  it('reads any value, or refuses it with an error code', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), anyPart, (value, part) => {
        const valid = [
          { role: 'assistant', content: [{ ...part, type: 'hologram' }], tool_calls: [value] },
          { role: 'user', content: [{ ...part, type: 'hologram' }] },
        ]
        const { messages } = openaiChat.read({ messages: valid, tools: [value as never] })
        expect(messages.map(({ content }) => content.length)).toEqual([2, 1])
        const rough = [value, { role: 'assistant', content: value, tool_calls: [value] }]
        for (const message of rough)
          readOrRefused(() => openaiChat.read({ messages: [message as never] }))
        openaiChat.problems(value)
        openaiChat.problems({ messages: [value], tools: value })
        openaiChat.problems({ messages: [{ role: 'user', content: [value] }], tools: [value] })
      }),
    )
  })
})
