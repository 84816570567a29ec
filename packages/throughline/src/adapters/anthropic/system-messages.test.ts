/** System messages between the others, as coding agents send them. */
import { describe, expect, it } from 'vitest'
import type { Context } from '../../domain/context.ts'
import { createThroughline } from '../../throughline.ts'
import { anthropicMessages } from '../http-adapters.ts'
import type { AnthropicMessagesRequestInput } from './request.ts'

const reminder = { role: 'system', content: 'The day is Monday.', output_config: { effort: 'low' } }
const request: AnthropicMessagesRequestInput = {
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Look at it.' }] },
    reminder,
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [{ type: 'tool_reference', tool_name: 'Read' }],
        },
      ],
    },
    { role: 'system', content: [{ type: 'text', text: 'One tool was added.' }] },
  ],
  tools: [
    { name: 'Bash', input_schema: { type: 'object' } },
    { name: 'Later', input_schema: { type: 'object' }, defer_loading: true },
    { type: 'web_search_20250305', name: 'web_search' },
  ],
}

async function contextOf(model: string): Promise<Context> {
  const { system, tools, messages } = anthropicMessages.read(request)
  const chat = createThroughline().conversation('c')
  await chat.append(messages)
  return chat.context({ model, system, tools })
}

describe('system messages between the others', () => {
  it('are written back unchanged, with deferred tools and tool references', async () => {
    const context = { ...(await contextOf('claude-opus-5-5')), breakpoints: [] }
    expect(anthropicMessages.write(context)).toEqual(request)
  })
  it('have no fields that the API does not know', async () => {
    const unknown = { ...reminder, name: 'clock', '': 'x' }
    const { messages } = anthropicMessages.read({
      ...request,
      messages: [...request.messages.slice(0, 1), unknown, ...request.messages.slice(2)],
    })
    const chat = createThroughline().conversation('c')
    await chat.append(messages)
    const written = anthropicMessages.write(await chat.context({ model: 'claude-opus-5-5' }))
    expect(written.messages[1]).toEqual(reminder)
  })
  it('are notes of the user for models that do not take them', async () => {
    const written = anthropicMessages.write(await contextOf('claude-sonnet-4'))
    expect(written.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(JSON.stringify(written)).toContain('The day is Monday.')
  })
  it('move to the user where they would not be before an answer', () => {
    const { messages } = anthropicMessages.read(request)
    const shown = [0, 1, 1, 3].map((at) => ({
      ...{ seq: at, slot: 'recent', author: null, meta: messages[at]?.meta ?? null },
      role: at === 1 ? ('system' as const) : ('user' as const),
      parts: [{ type: 'text' as const, text: `text ${at}`, metadata: null }],
    }))
    const { messages: written } = anthropicMessages.write({
      ...{ system: [], tools: [], files: new Map(), breakpoints: [], messages: shown },
    })
    expect(written.map(({ role }) => role)).toEqual(['user'])
  })
})
