import { describe, expect, it } from 'vitest'
import type { Deliverable } from '../domain/context.ts'
import type { Adapter } from '../ports/adapter.ts'
import { aiSdk } from './ai-sdk.ts'
import { anthropicMessages, geminiContents, openaiChat, openaiResponses } from './http-adapters.ts'

const adapters: readonly Adapter<object>[] = [
  openaiChat,
  openaiResponses,
  anthropicMessages,
  geminiContents,
  aiSdk,
]

const lists: Readonly<Record<string, string>> = {
  'openai-responses': 'input',
  'gemini-contents': 'contents',
}

function reading(format: string, request: unknown) {
  const adapter = adapters.find((one) => one.format === format)
  return () => adapter?.read(request as never)
}

const order = 'my order is 4711'

describe('a message with a wrong shape', () => {
  it.each<[string, object, string]>([
    [
      'openai-chat',
      { role: 'usr', content: order },
      'messages[0].role must be one of developer, system, user, assistant, tool, function, got "usr"',
    ],
    ['openai-chat', { content: order }, 'messages[0].role must be one of'],
    ['openai-chat', { role: 'model', content: order }, 'got "model"'],
    ['openai-chat', { role: 'user', text: order }, 'messages[0].content must be text or'],
    ['openai-chat', { role: 'user', content: { text: order } }, 'messages[0].content'],
    ['openai-chat', { role: 'user', content: [order] }, 'messages[0].content[0] must be an object'],
    ['openai-chat', { role: 'user', content: [{ text: order }] }, 'content[0].type must be'],
    [
      'openai-chat',
      { role: 'user', content: [{ type: 'text', txt: order }] },
      'messages[0].content[0].text must be text, got undefined',
    ],
    ['openai-chat', { role: 'assistant', text: order }, 'messages[0].content'],
    ['openai-chat', { role: 'tool', content: order }, 'messages[0].tool_call_id must be'],
    ['openai-chat', { role: 'tool', tool_call_id: 'a', content: { order } }, '.content must be'],
    ['openai-chat', { role: 'function', name: 'f', content: { order } }, '.content must be'],
    [
      'openai-responses',
      { role: 'usr', content: order },
      'input[0].role must be one of user, assistant, system, developer, got "usr"',
    ],
    ['openai-responses', { type: 'message', content: order }, 'input[0].role must be one of'],
    ['openai-responses', { content: order }, 'input[0] needs a type, or one of the roles'],
    ['openai-responses', { role: 'user', text: order }, 'input[0].content must be text or'],
    ['openai-responses', { role: 'user', content: [{ type: 'input_text' }] }, 'content[0].text'],
    [
      'openai-responses',
      { type: 'function_call_output', call_id: 'a', output: { order } },
      'input[0].output must be text or an array of parts, got an object',
    ],
    [
      'anthropic-messages',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: { order } }] },
      'messages[0].content[0].content must be text or an array of parts, got an object',
    ],
    [
      'anthropic-messages',
      { role: 'usr', content: order },
      'messages[0].role must be one of user, assistant, system, got "usr"',
    ],
    ['anthropic-messages', { role: 'tool', content: order }, 'messages[0].role must be'],
    ['anthropic-messages', { role: 'user', text: order }, 'messages[0].content must be'],
    ['anthropic-messages', { role: 'user', content: [order] }, 'messages[0].content[0]'],
    [
      'gemini-contents',
      { role: 'assistant', parts: [{ text: order }] },
      'contents[0].role must be one of user, model, function, system, got "assistant"',
    ],
    ['gemini-contents', { role: 'user', content: order }, 'contents[0].parts must be an array'],
    ['gemini-contents', { role: 'user', parts: [order] }, 'contents[0].parts[0] must be an object'],
    ['gemini-contents', { role: 'user', parts: [{ text: 7 }] }, 'contents[0].parts[0].text'],
    [
      'ai-sdk',
      { role: 'usr', content: order },
      'messages[0].role must be one of system, user, assistant, tool, got "usr"',
    ],
    [
      'ai-sdk',
      { id: 'a', role: 'user', parts: [{ type: 'text', text: order }] },
      'convertToModelMessages',
    ],
    [
      'ai-sdk',
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', result: order }] },
      'messages[0].content[0].output must be an object, got undefined',
    ],
    ['ai-sdk', { role: 'user', content: [order] }, 'messages[0].content[0] must be an object'],
  ])('is refused by %s, which says where: %j', (format, message, why) => {
    expect(reading(format, { [lists[format] ?? 'messages']: [message] })).toThrow(
      expect.objectContaining({
        code: 'MESSAGE_INVALID',
        message: expect.stringMatching(new RegExp(`^${format}: `)),
      }),
    )
    expect(reading(format, { [lists[format] ?? 'messages']: [message] })).toThrow(why)
  })

  it.each(adapters)(
    'is refused if it is not an object, with its position: $format',
    ({ format }) => {
      const list = lists[format] ?? 'messages'
      const valid = { role: 'user', content: 'Hi', parts: [] }
      for (const message of [order, null, undefined, 4711, [order]])
        expect(reading(format, { [list]: [valid, message] })).toThrow(
          expect.objectContaining({
            code: 'MESSAGE_INVALID',
            message: expect.stringContaining(`${list}[1] must be an object`),
          }),
        )
    },
  )

  it.each<[string, object]>([
    ['openai-responses', { input: order, instructions: [order] }],
    ['anthropic-messages', { messages: [], system: 7 }],
    ['anthropic-messages', { messages: [], system: [order] }],
    ['anthropic-messages', { messages: [], system: [{ type: 'image' }] }],
    ['gemini-contents', { contents: [], systemInstruction: order }],
    ['gemini-contents', { contents: [], systemInstruction: { parts: [{ inlineData: {} }] } }],
    ['ai-sdk', { messages: [], instructions: 7 }],
    ['ai-sdk', { messages: [], system: [order] }],
    ['ai-sdk', { messages: [], instructions: { role: 'system', text: order } }],
  ])('is refused among the instructions too: %s', (format, request) => {
    expect(reading(format, request)).toThrow(expect.objectContaining({ code: 'MESSAGE_INVALID' }))
  })

  it('may lack content if it has calls, a refusal or null instead', () => {
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
    for (const message of [
      { role: 'assistant', tool_calls: [call] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'assistant', refusal: 'No.' },
      { role: 'function', name: 'f', content: null },
      { role: 'user', content: null },
    ])
      expect(openaiChat.read({ messages: [message] }).messages).toHaveLength(1)
  })

  it('is not one with parts of a newer type, which become opaque', () => {
    const hologram = { type: 'hologram', of: order }
    const content = [hologram]
    const opaque = expect.objectContaining({ type: 'opaque', json: JSON.stringify(hologram) })
    for (const { messages } of [
      openaiChat.read({ messages: [{ role: 'user', content }] }),
      openaiResponses.read({ input: [{ role: 'user', content }] }),
      anthropicMessages.read({ messages: [{ role: 'user', content }] }),
      geminiContents.read({ contents: [{ role: 'user', parts: content }] }),
      aiSdk.read({ messages: [{ role: 'user', content }] }),
    ])
      expect(messages).toEqual([expect.objectContaining({ content: [opaque] })])
  })
})

describe('an argument of read that is not a request', () => {
  it.each(adapters)(
    'is refused with a message that names the expected field: $format',
    ({ format }) => {
      const list = lists[format] ?? 'messages'
      const expected = `${format}: read expects a request with ${list}`
      const cases: readonly (readonly [unknown, string])[] = [
        [[{ role: 'user', content: order }], `, got an array: pass it as { ${list} }`],
        [{}, `, got an object without ${list}`],
        [{ [list]: { role: 'user' } }, `; ${list} must be `],
        [Promise.resolve({}), ', got a promise: await it'],
        [order, `, got "${order}"`],
        [null, ', got null'],
        [undefined, ', got undefined'],
      ]
      for (const [request, why] of cases)
        expect(reading(format, request)).toThrow(
          expect.objectContaining({
            code: 'REQUEST_INVALID',
            message: expect.stringContaining(expected + why),
          }),
        )
    },
  )

  it('may have no messages, or text if the service accepts text', () => {
    for (const { format } of adapters)
      expect(reading(format, { [lists[format] ?? 'messages']: [] })()?.messages).toEqual([])
    expect(openaiResponses.read({ input: order }).messages).toHaveLength(1)
    expect(reading('gemini-contents', { contents: order })).toThrow('contents must be an array')
  })
})

describe('an argument of write that is not a context', () => {
  const context: Deliverable = {
    system: [],
    tools: [],
    messages: [],
    files: new Map(),
    breakpoints: [],
  }

  it.each(adapters)('is refused: $format', ({ format, write }) => {
    const cases: readonly (readonly [unknown, string])[] = [
      [Promise.resolve(context), 'a promise: await it'],
      [
        { system: [], tools: [], messages: [] },
        'an object without breakpoints, files; chat.context and fit return contexts',
      ],
      [[], 'an array'],
      [
        {},
        'an object without system, tools, messages, breakpoints, files; chat.context and fit return contexts',
      ],
      [order, `"${order}"`],
      [undefined, 'undefined'],
    ]
    for (const [value, got] of cases)
      expect(() => write(value as Deliverable)).toThrow(
        expect.objectContaining({
          code: 'REQUEST_INVALID',
          message: `${format}: write expects a context, got ${got}`,
        }),
      )
    expect(write(context)).toBeTypeOf('object')
  })
})
