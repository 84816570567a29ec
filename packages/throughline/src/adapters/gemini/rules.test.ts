import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { geminiContentsProblems } from './rules.ts'

type Fields = Readonly<Record<string, unknown>>

const rulesOf = (request: unknown) => [
  ...new Set(geminiContentsProblems(request).map(({ rule }) => rule)),
]
const user = (...parts: readonly unknown[]) => ({ role: 'user', parts })
const model = (...parts: readonly unknown[]) => ({ role: 'model', parts })
const text = (words: string, more: Fields = {}) => ({ text: words, ...more })
const call = (name: string, more: Fields = {}) => ({ functionCall: { name, args: {}, ...more } })
const answer = (name: string, more: Fields = {}) => ({
  functionResponse: { name, response: {}, ...more },
})
const asked = (...contents: readonly unknown[]) => ({ contents })
const around = (...parts: readonly unknown[]) =>
  asked(user(text('a')), model(...parts), user(text('b')))
const answered = (responses: readonly unknown[], ...parts: readonly unknown[]) =>
  asked(user(text('a')), model(...parts), user(...responses))
const inline = (mimeType: unknown, data: unknown) => ({ inlineData: { mimeType, data } })
const withTools = (...tools: readonly unknown[]) => ({ contents: [user(text('a'))], tools })
const functions = (...functionDeclarations: readonly unknown[]) =>
  withTools({ functionDeclarations })
const withInstruction = (systemInstruction: unknown) => ({
  contents: [user(text('a'))],
  systemInstruction,
})

describe('a request that breaks one rule is caught by that rule', () => {
  it.each<readonly [string, unknown]>([
    ['request-shape', 'a'],
    ['contents-empty', {}],
    ['contents-empty', asked()],
    ['content-shape', asked(1)],
    ['content-shape', asked({ role: 'user' })],
    ['content-fields', asked({ ...user(text('a')), name: 'Ada' })],
    ['role', asked({ role: 'function', parts: [text('a')] })],
    ['role', asked({ parts: [text('a')] }, model(text('b')), user(text('c')))],
    ['parts-empty', asked(user())],
    ['first-content', asked(model(text('a')), user(text('b')))],
    ['last-content', asked(user(text('a')), model(text('b')))],
    ['alternation', asked(user(text('a')), user(text('b')))],
    ['part-shape', asked(user('a'))],
    ['part-shape', asked(user({}))],
    ['part-shape', asked(user({ text: 'a', inlineData: {} }))],
    ['part-shape', around({ thoughtSignature: 'AAAA' })],
    ['part-shape', asked(user({ text: 1 }))],
    ['part-shape', asked(user(text('a', { thought: 'no' })))],
    ['part-shape', around({ executableCode: 'a' })],
    ['part-role', asked(user(text('a'), text('b', { thought: true })))],
    ['part-role', asked(user(text('a'), { executableCode: {} }))],
    ['text-empty', asked(user(text('')))],
    ['text-empty', around(text('', { thought: true }))],
    ['signature', around(text('a', { thoughtSignature: '' }))],
    ['signature', around(text('a', { thoughtSignature: 'a b' }))],
    ['signature', around(text('a', { thoughtSignature: 'AAAAA' }))],
    ['call-args', answered([answer('f')], call('f', { args: '{}' }))],
    ['call-args', answered([answer('f')], call('f', { args: null }))],
    ['call-id', answered([answer('f')], call('f', { id: 1 }))],
    ['response-id', answered([answer('f', { id: '' })], call('f'))],
    ['response-object', answered([answer('f', { response: 'ok' })], call('f'))],
    ['response-parts', answered([answer('f', { parts: {} })], call('f'))],
    ['response-parts', answered([answer('f', { parts: [text('a')] })], call('f'))],
    ['response-call-name', answered([answer('g', { id: '1' })], call('f', { id: '1' }))],
    ['call-without-result', answered([answer('f')], call('f'), call('f'))],
    ['call-without-result', around(call('f'))],
    ['orphan-result', answered([answer('f'), answer('f')], call('f'))],
    ['orphan-result', asked(user(answer('f')))],
    ['result-position', answered([text('a'), answer('f')], call('f'))],
    [
      'duplicate-call',
      answered(
        [answer('f', { id: '1' }), answer('f', { id: '1' })],
        call('f', { id: '1' }),
        call('f', { id: '1' }),
      ),
    ],
    ['server-tool-pair', around({ codeExecutionResult: {} })],
    ['server-tool-pair', around({ codeExecutionResult: {} }, { executableCode: {} })],
    ['server-tool-pair', around({ toolResponse: { id: '1' } })],
    ['media', asked(user(inline('image', 'AAAA')))],
    ['media', asked(user(inline('image/png', 'A')))],
    ['media', asked(user(inline('image/png', '')))],
    ['media', asked(user({ fileData: { mimeType: 'image/png' } }))],
    ['system-shape', withInstruction('be brief')],
    ['system-shape', withInstruction({ parts: { text: 'a' } })],
    ['system-shape', withInstruction({ parts: [inline('image/png', 'AAAA')] })],
    ['system-shape', withInstruction({ parts: [text('a', { thought: true })] })],
    ['system-shape', withInstruction({ parts: [text('a')], name: 'a' })],
    ['system-empty', withInstruction({ parts: [] })],
    ['text-empty', withInstruction({ parts: [text('')] })],
    ['tools-shape', { ...asked(user(text('a'))), tools: {} }],
    ['tools-shape', withTools({})],
    ['tools-shape', functions()],
    ['tools-shape', functions({ name: 'f', description: 1 })],
    ['tools-empty', withTools()],
    ['tool-name', functions({ name: '1f' })],
    ['tool-name', functions({ name: 'x'.repeat(65) })],
    ['tool-schema', functions({ name: 'f', parameters: 'a' })],
    ['tool-schema', functions({ name: 'f', parameters: {}, parametersJsonSchema: {} })],
    ['duplicate-tool', functions({ name: 'f' }, { name: 'f' })],
    ['unicode', asked(user(text('a\ud800')))],
    ['json', asked(user(text('a', { partMetadata: { a: Number.POSITIVE_INFINITY } })))],
  ])('%s %#', (rule, request) => {
    expect(rulesOf(request)).toEqual([rule])
  })
})

describe('requests that the service accepts pass', () => {
  it.each([
    [asked({ parts: [text('a')] })],
    [answered([answer('f'), answer('g'), text('a')], call('g'), text('b'), call('f'))],
    [
      answered(
        [answer('f'), answer('f', { id: '1' })],
        call('f', { id: '1' }),
        call('f', { id: '2' }),
      ),
    ],
    [around(text('', { thoughtSignature: 'AAAA' }))],
    [
      answered([answer('f')], {
        ...call('f'),
        thoughtSignature: 'skip_thought_signature_validator',
      }),
    ],
    [around({ executableCode: {} }, { codeExecutionResult: {} }, text('a'))],
    [around({ toolCall: { id: '1' } }, { toolResponse: { id: '1' } })],
    [asked(user({ aPartOfTomorrow: {} }))],
    [withTools({ googleSearch: {} }, { functionDeclarations: [{ name: 'a.b:c-d' }] })],
    [withInstruction({ role: 'system', parts: [text('a')] })],
  ])('%#', (request) => {
    expect(geminiContentsProblems(request)).toEqual([])
  })
})

it('reports an invalid name at the call and at its response', () => {
  const names = rulesOf(answered([answer('1f')], call('1f')))
  expect(names).toEqual(['call-name', 'response-name'])
  expect(rulesOf(around(answer('f')))).toContain('part-role')
})

it('reports the position', () => {
  expect(geminiContentsProblems(around(text('a'), text('')))).toMatchObject([
    { at: 'contents[1].parts[1].text' },
  ])
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
            'systemInstruction',
            'contents',
            'tools',
            'role',
            'parts',
            'text',
            'functionCall',
            'id',
          ],
          ...['functionResponse', 'name', 'args', 'response', 'inlineData', 'functionDeclarations'],
        ),
        fc.oneof(tie('value'), fc.constantFrom('user', 'model', 'f')),
      ),
    ),
  })).value
  fc.assert(
    fc.property(shapes, shapes, (contents, tools) => {
      expect(Array.isArray(geminiContentsProblems(contents))).toBe(true)
      const request = { contents, tools, systemInstruction: tools }
      expect(Array.isArray(geminiContentsProblems(request))).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

it('refuses a cyclic value without a stack overflow', () => {
  let deep: unknown = 'a'
  for (let depth = 0; depth < 20_000; depth += 1) deep = { a: deep }
  expect(rulesOf(asked(user(deep)))).toEqual(['nesting'])
})

it('takes a response with an id of the client for a call that has none', () => {
  expect(rulesOf(answered([answer('f', { id: '1' })], call('f')))).toEqual([])
  expect(rulesOf(answered([answer('f', { id: '1' })], call('f', { id: '2' })))).toContain(
    'orphan-result',
  )
})
