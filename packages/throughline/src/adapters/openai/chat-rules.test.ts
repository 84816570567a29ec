import { describe, expect, it } from 'vitest'
import { openaiChatProblems } from './chat-rules.ts'

const user = { role: 'user', content: 'Hello' }
const call = (id: unknown, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: '{}', ...more },
})
const calls = (...tool_calls: object[]) => ({ role: 'assistant', content: null, tool_calls })
const result = (tool_call_id: unknown) => ({ role: 'tool', tool_call_id, content: 'ok' })
const says = (...content: object[]) => ({ messages: [{ role: 'user', content }] })
const image = (url: unknown) => says({ type: 'image_url', image_url: { url } })
const tool = (made: object) => ({ messages: [user], tools: [made] })
const schema = (parameters: unknown) =>
  tool({ type: 'function', function: { name: 'f', parameters } })

const broken: readonly (readonly [rule: string, at: string, request: unknown])[] = [
  ['request', '', null],
  ['request', '', []],
  ['messages', 'messages', {}],
  ['messages', 'messages', { messages: [] }],
  ['role', 'messages[0].role', { messages: [null] }],
  ['role', 'messages[0].role', { messages: [{ role: 'model', content: 'x' }] }],
  ['content', 'messages[0].content', { messages: [{ role: 'user', content: null }] }],
  ['content', 'messages[0].content', { messages: [{ role: 'user', content: [] }] }],
  ['content', 'messages[0].content', { messages: [{ role: 'assistant', content: null }] }],
  ['content', 'messages[0].content', { messages: [{ role: 'system' }] }],
  ['part', 'messages[0].content[0]', says({ type: 'video' })],
  ['part', 'messages[0].content[0].text', says({ type: 'text' })],
  [
    'part',
    'messages[0].content[0]',
    {
      messages: [{ role: 'assistant', content: [{ type: 'image_url', image_url: { url: 'x' } }] }],
    },
  ],
  ['picture', 'messages[0].content[0].image_url.url', image(undefined)],
  ['media-type', 'messages[0].content[0].image_url.url', image('data:image/bmp;base64,AAAA')],
  ['base64', 'messages[0].content[0].image_url.url', image('data:image/png;base64,AAA')],
  ['base64', 'messages[0].content[0].image_url.url', image('data:image/png;base64,')],
  [
    'audio',
    'messages[0].content[0].input_audio.format',
    says({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'ogg' } }),
  ],
  ['file', 'messages[0].content[0].file', says({ type: 'file', file: {} })],
  ['name', 'messages[0].name', { messages: [{ ...user, name: 'Ada Lovelace' }] }],
  ['name', 'messages[0].name', { messages: [{ ...user, name: '' }] }],
  [
    'refusal',
    'messages[0].refusal',
    { messages: [{ role: 'assistant', content: '', refusal: 1 }] },
  ],
  ['tool-calls', 'messages[0].tool_calls', { messages: [calls()] }],
  [
    'tool-calls',
    'messages[0].tool_calls',
    { messages: [{ role: 'assistant', content: '', tool_calls: null }] },
  ],
  [
    'call-type',
    'messages[0].tool_calls[0].type',
    { messages: [calls({ id: 'a', type: 'x' }), result('a')] },
  ],
  [
    'function-name',
    'messages[0].tool_calls[0].function.name',
    { messages: [calls(call('a', { name: 'f g' })), result('a')] },
  ],
  [
    'function-name',
    'messages[0].tool_calls[0].function.name',
    { messages: [calls(call('a', { name: 'f'.repeat(65) })), result('a')] },
  ],
  [
    'arguments',
    'messages[0].tool_calls[0].function.arguments',
    { messages: [calls(call('a', { arguments: {} })), result('a')] },
  ],
  ['missing-result', 'messages[0].tool_calls[0]', { messages: [calls(call('a'))] }],
  [
    'missing-result',
    'messages[0].tool_calls[1]',
    { messages: [calls(call('a'), call('b')), result('a'), user] },
  ],
  ['orphan-result', 'messages[1].tool_call_id', { messages: [user, result('a')] }],
  [
    'orphan-result',
    'messages[2].tool_call_id',
    { messages: [calls(call('a')), result('a'), result('b')] },
  ],
  [
    'duplicate-result',
    'messages[2].tool_call_id',
    { messages: [calls(call('a')), result('a'), result('a')] },
  ],
  [
    'duplicate-call',
    'messages[0].tool_calls[1].id',
    { messages: [calls(call('a'), call('a')), result('a')] },
  ],
  ['unicode', 'messages[0].content', { messages: [{ ...user, content: 'a\ud83d' }] }],
  [
    'text-length',
    'messages[0].content',
    { messages: [{ ...user, content: 'x'.repeat(10_485_761) }] },
  ],
  ['tools', 'tools', { messages: [user], tools: [] }],
  ['tools', 'tools', { messages: [user], tools: null }],
  ['tool', 'tools[0].type', tool({ type: 'web_search' })],
  [
    'function-name',
    'tools[0].function.name',
    tool({ type: 'function', function: { name: 'a.b' } }),
  ],
  ['tool-schema', 'tools[0].function.parameters', schema({})],
  ['tool-schema', 'tools[0].function.parameters', schema({ type: 'object' })],
  [
    'tool-schema',
    'tools[0].function.parameters',
    schema({ type: 'object', properties: {}, anyOf: [] }),
  ],
]

describe('the rules of chat completions', () => {
  it.each(broken)('report %s at %s', (rule, at, request) => {
    expect(openaiChatProblems(request).map((found) => [found.rule, found.at])).toEqual([[rule, at]])
  })

  it('report ids that are missing or too long, in the call and in the result', () => {
    for (const id of ['x'.repeat(41), ''])
      expect(
        openaiChatProblems({ messages: [calls(call(id)), result(id)] }).map(({ rule }) => rule),
      ).toEqual(['call-id', 'call-id'])
  })

  it('report cyclic values without a stack overflow', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep]
    const found = openaiChatProblems({ messages: [{ ...user, deep }] })
    expect(found.map(({ rule }) => rule)).toEqual(['nesting'])
  })

  it('accept valid requests', () => {
    const messages = [
      { role: 'assistant', content: 'I begin.' },
      { role: 'assistant', content: '', name: 'Änne' },
      calls(call('a'), { id: 'b', type: 'custom', custom: { name: 'g', input: 'free' } }),
      result('b'),
      result('a'),
      calls(call('a')),
      result('a'),
      { role: 'assistant', content: null, refusal: 'No.', audio: null, function_call: null },
      { role: 'system', content: [{ type: 'text', text: '' }] },
    ]
    expect(openaiChatProblems({ messages, temperature: 2 })).toEqual([])
  })
})
