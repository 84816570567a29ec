import { describe, expect, it } from 'vitest'
import { openaiResponsesProblems } from './responses-rules.ts'

const user = { role: 'user', content: 'Hello' }
const answer = { role: 'assistant', content: 'Well.' }
const call = (call_id: unknown, more: object = {}) => ({
  type: 'function_call',
  call_id,
  name: 'f',
  arguments: '{}',
  ...more,
})
const output = (call_id: unknown, more: object = {}) => ({
  type: 'function_call_output',
  call_id,
  output: 'ok',
  ...more,
})
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] }
const input = (...items: unknown[]) => ({ input: items })
const says = (...content: object[]) => input({ role: 'user', content })

const broken: readonly (readonly [rule: string, at: string, request: unknown])[] = [
  ['request', '', 'x'],
  ['instructions', 'instructions', { instructions: null, input: 'x' }],
  ['input', 'input', {}],
  ['input', 'input', input()],
  ['item-type', 'input[0]', input(null)],
  ['item-type', 'input[0]', input({ type: 'thing' })],
  ['role', 'input[0].role', input({ role: 'tool', content: 'x' })],
  ['content', 'input[0].content', input({ role: 'user' })],
  ['content', 'input[0].content', input({ role: 'user', content: [] })],
  ['part', 'input[0].content[0]', says({ type: 'output_text', text: 'x' })],
  [
    'part',
    'input[0].content[0]',
    input({ ...answer, content: [{ type: 'input_text', text: 'x' }] }),
  ],
  ['part', 'input[0].content[0].text', says({ type: 'input_text' })],
  ['picture', 'input[0].content[0].image_url', says({ type: 'input_image' })],
  [
    'base64',
    'input[0].content[0].image_url',
    says({ type: 'input_image', image_url: 'data:image/png;base64,!' }),
  ],
  ['file', 'input[0].content[0]', says({ type: 'input_file', filename: 'a.pdf' })],
  ['base64', 'input[0].content[0].file_data', says({ type: 'input_file', file_data: '?' })],
  ['item-id', 'input[0].id', input({ ...answer, type: 'message', id: 'call_1' })],
  ['item-id', 'input[0].id', input(call('a', { id: 'call_1' }), output('a'))],
  ['item-id', 'input[0].id', input({ type: 'web_search_call', id: 'x'.repeat(65) })],
  ['item-id', 'input[0].id', input({ type: 'item_reference', id: '' })],
  ['duplicate-id', 'input[1].id', input({ id: 'msg_1' }, { id: 'msg_1' })],
  ['function-name', 'input[0].name', input(call('a', { name: '' }), output('a'))],
  ['arguments', 'input[0].arguments', input(call('a', { arguments: {} }), output('a'))],
  ['content', 'input[1].output', input(call('a'), output('a', { output: {} }))],
  ['part', 'input[1].output[0]', input(call('a'), output('a', { output: [{ type: 'text' }] }))],
  ['missing-result', 'input[0]', input(call('a'), user)],
  ['missing-result', 'input[0]', input({ type: 'computer_call', call_id: 'a' })],
  ['orphan-result', 'input[1].call_id', input(user, output('a'))],
  ['duplicate-call', 'input[1].call_id', input(call('a'), call('a'), output('a'))],
  ['duplicate-result', 'input[2].call_id', input(call('a'), output('a'), output('a'))],
  ['reasoning', 'input[0].summary', input({ type: 'reasoning', id: 'rs_1' }, answer)],
  ['reasoning', 'input[0]', input({ type: 'reasoning', summary: [] }, answer)],
  [
    'reasoning',
    'input[0].encrypted_content',
    input({ ...reasoning, encrypted_content: 1 }, answer),
  ],
  ['reasoning-alone', 'input[0]', input(reasoning, user)],
  ['reasoning-alone', 'input[1]', input(user, reasoning)],
  ['unicode', 'input', { input: '\udc00' }],
  ['tools', 'tools', { input: 'x', tools: {} }],
  ['tool', 'tools[0].type', { input: 'x', tools: [{}] }],
  ['function-name', 'tools[0].name', { input: 'x', tools: [{ type: 'function' }] }],
  [
    'tool-schema',
    'tools[0].parameters',
    { input: 'x', tools: [{ type: 'function', name: 'f', parameters: { type: 'array' } }] },
  ],
]

describe('the rules of responses', () => {
  it.each(broken)('report %s at %s', (rule, at, request) => {
    expect(openaiResponsesProblems(request).map((found) => [found.rule, found.at])).toEqual([
      [rule, at],
    ])
  })

  it('report call ids that are too long, in the call and in the output', () => {
    const id = 'x'.repeat(65)
    expect(openaiResponsesProblems(input(call(id), output(id))).map(({ rule }) => rule)).toEqual([
      'call-id',
      'call-id',
    ])
  })

  it('accept valid requests', () => {
    expect(openaiResponsesProblems({ input: '' })).toEqual([])
    expect(
      openaiResponsesProblems({
        ...input(
          { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' },
          user,
          reasoning,
          call('a', { id: 'fc_1' }),
          { type: 'custom_tool_call', call_id: 'b', name: 'g', input: 'free' },
          { type: 'custom_tool_call_output', call_id: 'b', output: '' },
          user,
          output('a', { output: [{ type: 'input_image', image_url: 'https://a.test' }] }),
          { type: 'tomorrow_call', id: 'tm_1' },
          answer,
        ),
        tools: [{ type: 'web_search' }],
        store: false,
      }),
    ).toEqual([])
  })
})
