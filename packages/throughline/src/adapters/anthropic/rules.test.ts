import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropicMessagesProblems } from './rules.ts'

type Block = Readonly<Record<string, unknown>>

const rulesOf = (request: unknown) => [
  ...new Set(anthropicMessagesProblems(request).map(({ rule }) => rule)),
]
const user = (...content: readonly unknown[]) => ({ role: 'user', content })
const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content })
const text = (words: string, more: Block = {}) => ({ type: 'text', text: words, ...more })
const use = (id: string, more: Block = {}) => ({
  type: 'tool_use',
  id,
  name: 'f',
  input: {},
  ...more,
})
const result = (id: string, more: Block = {}) => ({ type: 'tool_result', tool_use_id: id, ...more })
const search = (id: string) => ({ type: 'server_tool_use', id, name: 'web_search', input: {} })
const found = (id: string) => ({ type: 'web_search_tool_result', tool_use_id: id, content: [] })
const thinking = { type: 'thinking', thinking: 'x', signature: 's' }
const marked = (ttl?: string) =>
  text('a', { cache_control: { type: 'ephemeral', ...(ttl ? { ttl } : {}) } })
const image = (source: Block) => ({ type: 'image', source })
const paper = (source: Block) => ({ type: 'document', source })
const asked = (...messages: readonly unknown[]) => ({ messages })
const tool = (more: Block = {}) => ({ name: 'f', input_schema: { type: 'object' }, ...more })
const withTools = (...tools: readonly unknown[]) => ({ messages: [user(text('a'))], tools })
/** A whole exchange around one assistant message. */
const around = (...content: readonly unknown[]) =>
  asked(user(text('a')), assistant(...content), user(text('b')))
const answered = (results: readonly unknown[], ...content: readonly unknown[]) =>
  asked(user(text('a')), assistant(...content), user(...results))

describe('a request that breaks one rule is caught by that rule', () => {
  it.each<readonly [string, unknown]>([
    ['request-shape', null],
    ['request-shape', []],
    ['messages-empty', {}],
    ['messages-empty', asked()],
    ['message-shape', asked('a')],
    ['message-fields', asked({ ...user(text('a')), name: 'Ada' })],
    ['role', asked({ role: 'developer', content: 'a' })],
    ['system-position', asked({ role: 'system', content: 'a' })],
    [
      'system-position',
      asked(user(text('a')), { role: 'system', content: 'a' }, { role: 'system', content: 'b' }),
    ],
    ['system-shape', asked(user(text('a')), { role: 'system', content: [{ type: 'image' }] })],
    ['message-fields', asked(user(text('a')), { role: 'system', content: 'a', name: 'b' })],
    ['content-shape', asked({ role: 'user', content: null })],
    ['content-empty', asked(user())],
    ['first-message', asked(assistant(text('a')), user(text('b')))],
    ['last-message', asked(user(text('a')), assistant(text('b')))],
    ['alternation', asked(user(text('a')), user(text('b')))],
    ['block-shape', asked(user('a'))],
    ['block-shape', asked(user({ text: 'a' }))],
    ['block-shape', asked(user({ type: 'text' }))],
    ['block-role', asked(user(text('a'), thinking))],
    ['block-role', asked(user(text('a'), search('srvtoolu_1')))],
    ['block-role', around(image({ type: 'file', file_id: 'f' }))],
    ['block-role', answered([result('1', { content: [use('2')] })], use('1'))],
    ['text-empty', asked({ role: 'user', content: '' })],
    ['text-empty', asked(user(text(' \n\t\u2003\x1c')))],
    ['text-empty', answered([result('1', { content: [text('')] })], use('1'))],
    ['sealed-incomplete', around({ ...thinking, signature: '' })],
    ['sealed-incomplete', around({ type: 'thinking', signature: 's' })],
    ['sealed-incomplete', around({ type: 'redacted_thinking' })],
    ['call-id', answered([result('1')], use('1'), use(''))],
    ['call-id', around(search('toolu_1'), found('toolu_1'))],
    ['call-name', answered([result('1')], use('1', { name: 'a.b' }))],
    ['call-name', answered([result('1')], use('1', { name: 'x'.repeat(129) }))],
    ['call-input', answered([result('1')], use('1', { input: '{}' }))],
    ['call-input', answered([result('1')], use('1', { input: [] }))],
    ['result-id', answered([result('1'), result('')], use('1'))],
    ['result-content', answered([result('1', { content: {} })], use('1'))],
    ['result-content', answered([result('1', { is_error: 'yes' })], use('1'))],
    ['result-error', answered([result('1', { is_error: true })], use('1'))],
    [
      'result-error',
      answered(
        [result('1', { is_error: true, content: [image({ type: 'file', file_id: 'f' })] })],
        use('1'),
      ),
    ],
    ['call-without-result', answered([result('1')], use('1'), use('2'))],
    ['call-without-result', around(use('1'))],
    ['orphan-result', answered([result('1'), result('2')], use('1'))],
    ['orphan-result', asked(user(result('1')))],
    ['duplicate-result', answered([result('1'), result('1')], use('1'))],
    ['duplicate-call', answered([result('1')], use('1'), use('1'))],
    ['result-position', answered([text('a'), result('1')], use('1'))],
    ['call-position', answered([result('1')], use('1'), text('a'))],
    ['call-position', answered([result('1')], use('1'), thinking)],
    ['server-tool-pair', around(search('srvtoolu_1'), text('a'))],
    ['server-tool-pair', around(found('srvtoolu_1'), text('a'))],
    ['server-tool-pair', around(found('srvtoolu_1'), search('srvtoolu_1'))],
    ['server-tool-pair', answered([result('1'), text('a')], search('srvtoolu_1'), use('1'))],
    ['server-tool-pair', around(search('srvtoolu_1'), found('srvtoolu_1'), search('srvtoolu_1'))],
    [
      'server-tool-pair',
      around(search('srvtoolu_1'), { type: 'mcp_tool_result', tool_use_id: 'srvtoolu_1' }),
    ],
    ['media', asked(user(image({ type: 'base64', media_type: 'image/tiff', data: 'AAAA' })))],
    ['media', asked(user(image({ type: 'base64', media_type: 'image/png', data: 'AAA' })))],
    ['media', asked(user(image({ type: 'base64', media_type: 'image/png', data: '' })))],
    ['media', asked(user(image({ type: 'url', url: 'http://a' })))],
    ['media', asked(user(image({ type: 'text', media_type: 'text/plain', data: 'a' })))],
    ['media', asked(user(paper({ type: 'base64', media_type: 'image/png', data: 'AAAA' })))],
    ['media', asked(user(paper({ type: 'text', media_type: 'text/plain', data: '' })))],
    ['media', asked(user({ type: 'document' }))],
    ['cache-count', asked(user(marked(), marked(), marked(), marked(), marked()))],
    ['cache-order', asked(user(marked(), marked('1h')))],
    ['cache-shape', asked(user(marked('2h')))],
    ['cache-place', around({ ...thinking, cache_control: { type: 'ephemeral' } }, text('a'))],
    ['system-shape', { system: 1, messages: [user(text('a'))] }],
    ['system-shape', { system: [image({})], messages: [user(text('a'))] }],
    ['system-empty', { system: '', messages: [user(text('a'))] }],
    ['system-empty', { system: [], messages: [user(text('a'))] }],
    ['tools-shape', { tools: {}, messages: [user(text('a'))] }],
    ['tools-shape', withTools(1)],
    ['tools-shape', withTools(tool({ description: 1 }))],
    ['tool-name', withTools(tool({ name: 'a b' }))],
    ['tool-schema', withTools({ name: 'f' })],
    ['tool-schema', withTools(tool({ input_schema: { type: 'array' } }))],
    ['tool-schema', withTools(tool({ input_schema: { type: 'object', anyOf: [] } }))],
    ['duplicate-tool', withTools(tool(), tool())],
    ['unicode', asked(user(text('a\ud800')))],
    ['unicode', answered([result('1')], use('1', { input: { 'a\udc00': 1 } }))],
    ['json', asked(user(text('a', { more: Number.NaN })))],
  ])('%s %#', (rule, request) => {
    expect(rulesOf(request)).toEqual([rule])
  })
})

describe('requests that the service accepts pass', () => {
  it.each([
    [asked({ role: 'user', content: 'a' })],
    [
      answered(
        [result('2'), result('1', { content: '' }), text('a')],
        thinking,
        use('1'),
        use('2'),
      ),
    ],
    [answered([result('1')], search('srvtoolu_1'), use('1'))],
    [
      asked(
        user(text('a')),
        assistant(search('srvtoolu_1'), use('1')),
        user(result('1')),
        assistant(found('srvtoolu_1'), text('b')),
        user(text('c')),
      ),
    ],
    [around(search('srvtoolu_1'), found('srvtoolu_1'), thinking, text('a'))],
    [asked(user(marked('1h'), marked(), marked('5m'), marked()))],
    [withTools(tool(), { type: 'web_search_20250305', name: 'web_search' })],
    [withTools()],
    [asked(user({ type: 'a_kind_of_tomorrow', of: 1 }))],
  ])('%#', (request) => {
    expect(anthropicMessagesProblems(request)).toEqual([])
  })
})

it('reports the position', () => {
  expect(anthropicMessagesProblems(around(text('a'), text(' ')))).toMatchObject([
    { at: 'messages[1].content[1].text' },
  ])
  expect(
    anthropicMessagesProblems(asked(user(text('a', { more: [{ b: '\ud800' }] })))),
  ).toMatchObject([{ at: 'messages[0].content[0].more[0].b' }])
})

it('never throws, for any value', () => {
  const shapes = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          ...[
            'system',
            'messages',
            'tools',
            'role',
            'content',
            'type',
            'id',
            'tool_use_id',
            'source',
          ],
          ...['cache_control', 'text', 'input', 'is_error', 'name', 'input_schema'],
        ),
        fc.oneof(
          tie('value'),
          fc.constantFrom('user', 'assistant', 'text', 'tool_use', 'tool_result', 'image'),
        ),
      ),
    ),
  })).value
  fc.assert(
    fc.property(shapes, shapes, (messages, tools) => {
      expect(Array.isArray(anthropicMessagesProblems(messages))).toBe(true)
      expect(Array.isArray(anthropicMessagesProblems({ messages, tools, system: tools }))).toBe(
        true,
      )
    }),
    { numRuns: 1000 },
  )
})

it('refuses a cyclic value without a stack overflow', () => {
  let deep: unknown = 'a'
  for (let depth = 0; depth < 20_000; depth += 1) deep = [deep]
  expect(rulesOf(asked(user(deep)))).toEqual(['nesting'])
})
