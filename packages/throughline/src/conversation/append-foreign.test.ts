import { describe, expect, it } from 'vitest'
import { fit } from '../fit/fit.ts'
import { createThroughline } from '../throughline.ts'

const openaiCall = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }

const readers = {
  chat: 'To convert messages from OpenAI, use openaiChat.read({ messages }) from throughline/adapters',
  responses: 'openaiResponses.read({ input })',
  anthropic: 'anthropicMessages.read({ messages })',
  gemini: 'geminiContents.read({ contents })',
  sdk: 'aiSdk.read({ messages })',
} as const

const append = async (message: unknown) => {
  await createThroughline()
    .conversation('c')
    .append(message as never)
}

describe('a message in the form of a provider', () => {
  it.each<[keyof typeof readers, string, object]>([
    [
      'chat',
      'has no field "tool_calls"',
      { role: 'assistant', content: null, tool_calls: [openaiCall] },
    ],
    ['chat', 'has no field "tool_call_id"', { role: 'tool', tool_call_id: 'a', content: 'x' }],
    [
      'chat',
      'has no field "function_call"',
      { role: 'assistant', content: null, function_call: {} },
    ],
    ['chat', 'has no field "name"', { role: 'user', name: 'ada', content: 'x' }],
    ['chat', '.role must be one of', { role: 'developer', content: 'x' }],
    [
      'chat',
      '.content[0].type must be one of',
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.test' } }] },
    ],
    ['chat', '', { role: 'user', content: [{ type: 'file', file: { file_id: 'a' } }] }],
    ['responses', '', { role: 'user', content: [{ type: 'input_text', text: 'x' }] }],
    ['responses', '', { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }],
    ['responses', '', { type: 'function_call_output', call_id: 'a', output: 'x' }],
    [
      'anthropic',
      '.content[0].type must be one of',
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
    ],
    [
      'anthropic',
      '',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
    ],
    ['anthropic', '', { role: 'user', content: [{ type: 'image', source: { type: 'url' } }] }],
    [
      'anthropic',
      'has no field "cache_control"',
      { role: 'user', content: [{ type: 'text', text: 'x', cache_control: {} }] },
    ],
    ['gemini', 'has no field "parts"', { role: 'user', parts: [{ text: 'x' }] }],
    ['gemini', '', { role: 'model', parts: [{ functionCall: { name: 'f' } }] }],
    [
      'sdk',
      'has no field "toolCallId"',
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'f' }] },
    ],
    ['sdk', '', { role: 'user', content: 'x', providerOptions: {} }],
    ['sdk', '', { role: 'user', content: [{ type: 'image', image: 'AAAA' }] }],
    ['sdk', 'convertToModelMessages', { role: 'user', parts: [{ type: 'text', text: 'x' }] }],
  ])('is refused, and the error names its adapter: %s %s', async (reader, why, message) => {
    const refusal = expect.objectContaining({
      code: 'MESSAGE_INVALID',
      message: expect.stringContaining(readers[reader]),
    })
    await expect(append(message)).rejects.toEqual(refusal)
    await expect(append(message)).rejects.toThrow(why)
    await expect(fit({ messages: [message as never], model: 'openai/gpt-5-mini' })).rejects.toEqual(
      refusal,
    )
  })

  it('is distinguished from the result of an adapter, whose messages are to be appended', async () => {
    await expect(append({ system: [], tools: [], messages: [] })).rejects.toThrow(
      'This looks like the result of an adapter',
    )
  })

  it('is not suspected in a mistake of our own format', async () => {
    for (const message of [
      { role: 'usr', content: 'x' },
      { role: 'user', contents: 'x' },
      { role: 'user', content: [{ type: 'txt', text: 'x' }] },
      { role: 'user', content: [{ type: 'file', mediaType: 'image/png' }] },
      { role: 'assistant', content: [{ type: 'tool-call', callId: 'a', name: 7 }] },
      'x',
    ])
      await expect(append(message)).rejects.toThrow(
        expect.objectContaining({
          code: 'MESSAGE_INVALID',
          message: expect.not.stringContaining('throughline/adapters'),
        }),
      )
  })

  it('that cannot be inspected is refused without a suggestion', async () => {
    const message = {
      role: 'user',
      content: [{ type: 'text', text: 'x', extra: 1 }],
      get parts() {
        throw new Error('out of order')
      },
    }
    await expect(append(message)).rejects.toThrow(/^message has no field "parts"; it takes [^.]*$/)
  })
})
