import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aiSdkProblems } from './rules.ts'

const user = { role: 'user', content: 'Hello' }
const call = { type: 'tool-call', toolCallId: '1', toolName: 'lookup', input: { word: 'a' } }
const result = {
  type: 'tool-result',
  toolCallId: '1',
  toolName: 'lookup',
  output: { type: 'text', value: 'an article' },
}
const request = { type: 'tool-approval-request', approvalId: 'ask', toolCallId: '1' }
const response = { type: 'tool-approval-response', approvalId: 'ask', approved: true }
const assistant = (...content: readonly object[]) => ({ role: 'assistant', content })
const tool = (...content: readonly object[]) => ({ role: 'tool', content })
const says = (...content: readonly unknown[]) => ({ messages: [{ role: 'user', content }] })
const file = (data: unknown, mediaType = 'image/png') => says({ type: 'file', data, mediaType })
const gives = (output: unknown) => ({
  messages: [user, assistant(call), tool({ ...result, output })],
})

describe('the rules of the AI SDK', () => {
  it.each<[string, unknown]>([
    ['text', { messages: [user] }],
    ['instructions as text', { instructions: 'Be brief.', messages: [user] }],
    ['instructions as messages', { system: [{ role: 'system', content: 'x' }], messages: [user] }],
    [
      'a system message where it is allowed, empty but for its options',
      {
        allowSystemInMessages: true,
        messages: [user, { role: 'system', content: '', providerOptions: { a: { b: 1 } } }, user],
      },
    ],
    ['calls and results', { messages: [user, assistant(call), tool(result)] }],
    [
      'parallel calls, answered apart and in another order',
      {
        messages: [
          user,
          assistant(call, { ...call, toolCallId: '2' }),
          tool({ ...result, toolCallId: '2' }),
          tool(result),
        ],
      },
    ],
    [
      'an id that is used again after its result',
      { messages: [user, assistant(call), tool(result), assistant(call), tool(result)] },
    ],
    [
      'a call that the provider ran, with and without its result',
      {
        messages: [
          user,
          assistant({ ...call, providerExecuted: true }, result),
          assistant({ ...call, toolCallId: '2', providerExecuted: true }),
          user,
        ],
      },
    ],
    [
      'a call that the last message approves',
      { messages: [user, assistant(call, request), tool(response)] },
    ],
    ['bytes', file(new Uint8Array([1]))],
    ['a buffer', file(new Uint8Array([1]).buffer)],
    ['a URL as text', file('https://example.test/a.png')],
    ['a data: URL', file(new URL('data:image/png;base64,AA=='))],
    ['a reference', file({ openai: 'file-1' })],
    ['text of a file', file({ type: 'text', text: 'words' }, 'text/plain')],
    ['fields that the SDK passes over', says({ type: 'text', text: 'x', id: 7 })],
  ])('take %s', (_, value) => {
    expect(aiSdkProblems(value)).toEqual([])
  })

  it.each<[string, unknown]>([
    ['request', null],
    ['messages', {}],
    ['empty-messages', { messages: [] }],
    ['message', { messages: [user, 'x', user] }],
    ['role', { messages: [{ role: 'developer', content: 'x' }] }],
    ['prompt', { prompt: 'x', messages: [user] }],
    ['instructions', { instructions: 'a', system: 'b', messages: [user] }],
    ['instructions', { instructions: [user], messages: [user] }],
    ['instructions', { instructions: 7, messages: [user] }],
    ['empty-content', { instructions: '', messages: [user] }],
    ['empty-content', { instructions: [], messages: [user] }],
    ['empty-content', { system: { role: 'system', content: '' }, messages: [user] }],
    ['system-in-messages', { messages: [{ role: 'system', content: 'x' }, user] }],
    ['content', { messages: [{ role: 'user' }] }],
    ['content', { messages: [user, { role: 'tool', content: 'x' }] }],
    ['content', { allowSystemInMessages: true, messages: [{ role: 'system', content: [] }, user] }],
    ['empty-content', { messages: [{ role: 'user', content: '' }] }],
    ['empty-content', says()],
    ['empty-content', says({ type: 'text', text: '', providerOptions: {} })],
    ['empty-content', { messages: [user, assistant(), user] }],
    ['empty-content', { messages: [user, tool()] }],
    ['part', says('x')],
    ['part-type', says({ type: 'reasoning', text: 'x' })],
    ['part-type', { messages: [user, assistant({ type: 'thinking', text: 'x' }), user] }],
    ['part-type', gives({ type: 'media' })],
    ['part-type', gives({ type: 'content', value: [{ type: 'image' }] })],
    ['field', says({ type: 'text', text: 7 })],
    ['field', file('AA==', '')],
    ['field', { messages: [user, assistant({ ...call, toolName: '' }), tool(result)] }],
    ['field', { messages: [user, assistant({ ...call, input: undefined }), tool(result)] }],
    ['field', { messages: [user, assistant({ ...call, input: { a: 1n } }), tool(result)] }],
    ['field', gives({ type: 'text', value: 7 })],
    ['field', gives({ type: 'json', value: deep(200) })],
    ['field', gives({ type: 'content', value: 'x' })],
    ['provider-options', says({ type: 'text', text: 'x', providerOptions: { anthropic: 1 } })],
    ['provider-options', { messages: [{ ...user, providerOptions: 'x' }] }],
    ['json', says({ type: 'text', text: 'x', made: new Date(0) })],
    ['file-data', file(undefined)],
    ['file-data', file({ type: 'bytes' })],
    ['file-data', file({ openai: 7 })],
    ['file-data', says({ type: 'image', image: { type: 'data', data: 'AA==' } })],
    [
      'file-data',
      gives({ type: 'content', value: [{ type: 'file', data: 'AA==', mediaType: 'image/png' }] }),
    ],
    [
      'file-data',
      {
        messages: [
          user,
          assistant({ type: 'reasoning-file', data: { openai: 'f' }, mediaType: 'image/png' }),
          user,
        ],
      },
    ],
    ['empty-file', file(new Uint8Array())],
    ['empty-file', file({ type: 'data', data: '' })],
    ['base64', file('not base64!')],
    ['base64', file({ type: 'data', data: 'data:image/png;base64,AA==' })],
    ['data-url', file('data:text/plain,hello')],
    ['data-url', file(new URL('data:;base64,AA=='))],
    ['url', file({ type: 'url', url: 'https://example.test/a.png' })],
    ['url', gives({ type: 'content', value: [{ type: 'image-url', url: '/a.png' }] })],
    ['missing-result', { messages: [user, assistant(call), user] }],
    ['missing-result', { messages: [user, assistant(call), user, tool()].slice(0, 3) }],
    ['missing-result', { messages: [user, assistant(call, request), tool(response), user] }],
    ['duplicate-call', { messages: [user, assistant(call, call), tool(result)] }],
    ['orphan-result', { messages: [user, tool(result)] }],
    ['orphan-result', { messages: [user, assistant(result), user] }],
    [
      'orphan-result',
      { messages: [user, assistant({ ...call, providerExecuted: true }), tool(result)] },
    ],
    ['duplicate-result', { messages: [user, assistant(call), tool(result, result)] }],
    ['orphan-approval', { messages: [user, assistant(call), tool(result, response)] }],
    [
      'orphan-approval',
      { messages: [user, assistant({ type: 'text', text: 'x' }, request), user] },
    ],
    ['last-message', { messages: [user, assistant({ type: 'text', text: 'x' })] }],
    ['unicode', { messages: [{ role: 'user', content: 'a\ud800' }] }],
    ['unicode', { instructions: '\udc00', messages: [user] }],
    ['unicode', { messages: [{ ...user, providerOptions: { a: { '\ud800': 1 } } }] }],
    [
      'unicode',
      { messages: [user, assistant({ ...call, input: { a: ['\ud800'] } }), tool(result)] },
    ],
  ])('find %s, and nothing else', (rule, value) => {
    expect(aiSdkProblems(value).map((problem) => problem.rule)).toEqual([rule])
  })

  it('report the position', () => {
    expect(aiSdkProblems(gives({ type: 'text' }))).toEqual([
      {
        rule: 'field',
        at: 'messages[2].content[0].output.value',
        message: 'must be a string',
      },
    ])
  })

  it('never throw, for any value', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withTypedArray: true }), (value) => {
        aiSdkProblems(value)
        aiSdkProblems({ messages: value, instructions: value })
        aiSdkProblems({ messages: [{ role: 'assistant', content: [value], more: value }] })
        aiSdkProblems(file(value))
        aiSdkProblems(gives(value))
      }),
    )
    expect(aiSdkProblems(gives({ type: 'json', value: deep(50_000) }))).toHaveLength(1)
  })
})

function deep(depth: number): unknown {
  let value: unknown = 'bottom'
  for (let level = 0; level < depth; level += 1) value = { value }
  return value
}
