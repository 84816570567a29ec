import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { corpusKinds } from '../../../../../bench/corpus-kinds.ts'
import { seededRandom } from '../../../../../harness/kernel/chance.ts'
import type { FilePart, Part, TextPart } from '../../domain/message.ts'
import { completeCard } from '../../domain/model-card.ts'
import { loadGptTokenizer } from '../../tokenizers/gpt.ts'
import {
  boundJsonTextTokens,
  jsonTextTokens,
  type WireMessage,
  wireMessageTokens,
} from './measure-wire.ts'

const o200k = await loadGptTokenizer('o200k_base')
const cl100k = await loadGptTokenizer('cl100k_base')
const count = (text: string) => o200k?.count(text) ?? 0

const card = completeCard({ id: 'house-model', contextWindowTokens: 100_000 })
const metadata = null
const text = (words: string): TextPart => ({ type: 'text', text: words, metadata })
const wire = (message: Partial<WireMessage>) =>
  wireMessageTokens(
    { role: 'user', author: null, meta: null, parts: [], ...message },
    { card, text: count, jsonText: (words) => jsonTextTokens(words, count) },
  )

/** By how many tokens the text in JSON, without its quotes, is above the bound. */
const above = (words: string, counter = count) =>
  counter(JSON.stringify(words)) - 2 - boundJsonTextTokens(words, counter)

describe('the bound of a text in JSON', () => {
  const kinds = Object.entries(corpusKinds).filter(([kind]) => kind !== 'lone surrogates')
  it.each(kinds)('holds for %s', (kind, make) => {
    const random = seededRandom(kind)
    for (const length of [1, 3, 12, 60, 300, 1_500, 12, 60, 300, 60]) {
      const words = make(random, length)
      // Runs without a break are counted in pieces, and what is escaped before one moves them.
      expect(above(words)).toBeLessThanOrEqual(Math.floor(words.length / 256))
    }
  })

  const cost = (words: string) => {
    const padded = `${'x'.repeat(60)} ${words} ${'x'.repeat(60)}`
    const letters = (counted: string) => counted.length
    return boundJsonTextTokens(padded, letters) - letters(padded) - 1
  }

  it.each([
    ...['a\n}', 'z\n!', 'A\n~', 'Z\n{', '0\n-', '9\n[', 'm\n@', 'm\n`'].map((each) => [each, 0]),
    ...[' \n}', '-\n}', '/\n}', ':\n}', '@\n}', '[\n}', 'ß\n}'].map((each) => [each, 3]),
    ...['a\nb', 'a\nZ', 'a\n ', 'a\n\u007f', 'a\nß', 'a\t}', 'a\r}'].map((each) => [each, 3]),
    ...['a"}', 'a\\}', 'a\b}', 'a\f}'].map((each) => [each, 3]),
    ...['a\u0000}', 'a\u000b}', 'a\u001f}'].map((each) => [each, 6]),
    ...['a\u0020}', 'a\u007f}', 'abc'].map((each) => [each, 0]),
  ] as const)('adds for %j: %i', (words, tokens) => {
    expect(cost(String(words))).toBe(tokens)
  })

  it('is exact if more than a tenth of a text is escaped', () => {
    const letters = (words: string) => words.length
    const quotes = (count: number, length: number) => '"'.repeat(count).padEnd(length, 'x')
    expect(boundJsonTextTokens(quotes(10, 100), letters)).toBe(100 + 1 + 10 * 3)
    expect(boundJsonTextTokens(quotes(11, 100), letters)).toBe(111)
  })

  it('holds for whatever is escaped, next to whatever', () => {
    const escaped = fc.constantFrom(
      '\n',
      '\t',
      '"',
      '\\',
      '\r\n',
      '\b',
      '\f',
      '\u0001',
      '\u001b[31m',
    )
    const words = fc.constantFrom(
      ...['internationalization', 'phlegmatic', 'HTTPServer', 'n', 't', 'u0000', "'s", 'Straße'],
      ...[
        '你好世界',
        'привет',
        'नमस्ते',
        '👩‍👧',
        '𓀀',
        '1234567',
        'x',
        '7',
        '    ',
        '\n  \n',
        ' the',
        '...',
        '</div>',
        '=>',
      ],
    )
    const anyText = fc.array(fc.oneof({ weight: 3, arbitrary: words }, escaped), {
      maxLength: 40,
      size: 'max',
    })
    fc.assert(
      fc.property(anyText, (pieces) => {
        // Short enough that no run of it is counted in pieces.
        const joined = pieces.join('').slice(0, 120).toWellFormed()
        expect(above(joined)).toBeLessThanOrEqual(0)
        expect(above(joined, (each) => cl100k?.count(each) ?? 0)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 500 },
    )
  })

  it('holds for a text that begins with what a half of a character became', () => {
    expect(above('\ufffda')).toBeLessThanOrEqual(0)
  })

  it('holds for such a text with the frame of its message', () => {
    const words = '\ufffda'
    const written = JSON.stringify({ role: 'user', content: words })
    expect(count(written)).toBeLessThanOrEqual(wire({ parts: [text(words)] }))
  })

  it('is the count and one for the quotes where nothing is escaped', () => {
    const words = 'Nothing to see here. 你好 👩‍👧 '.repeat(20)
    expect(boundJsonTextTokens(words, count)).toBe(count(words) + 1)
    expect(boundJsonTextTokens('', count)).toBeLessThanOrEqual(1)
  })

  it('is counted as it is written where much is escaped', () => {
    const lines = '"a"\n'.repeat(50)
    expect(boundJsonTextTokens(lines, count)).toBe(jsonTextTokens(lines, count))
  })

  it('asks for one count alone', () => {
    const asked: string[] = []
    const counting = (words: string) => asked.push(words)
    boundJsonTextTokens('one line\nand many more words behind it', counting)
    expect(asked).toEqual(['one line\nand many more words behind it'])
  })
})

describe('a message on the wire', () => {
  const call: Part = {
    type: 'tool-call',
    callId: 'call_1',
    name: 'read',
    input: '{"a":1}',
    metadata,
  }
  const result: Part = {
    type: 'tool-result',
    callId: 'call_1',
    name: 'read',
    output: { kind: 'text', text: 'found' },
    isError: false,
    metadata,
  }

  it('is bounded for the plain forms of the providers', () => {
    const quoted = 'He said "no"\n\tand left: C:\\temp'
    const bound = wire({ parts: [text(quoted)] })
    expect(count(JSON.stringify({ role: 'user', content: quoted }))).toBeLessThanOrEqual(bound)
    expect(count(JSON.stringify({ role: 'user', parts: [{ text: quoted }] }))).toBeLessThanOrEqual(
      bound,
    )
    const both = wire({ parts: [text(quoted), text(quoted)] })
    const content = [1, 2].map(() => ({ type: 'text', text: quoted }))
    expect(count(JSON.stringify({ role: 'user', content }))).toBeLessThanOrEqual(both)
  })

  it('is bounded for calls and results in the forms of the providers', () => {
    const forms = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"a":1}' } },
        ],
      },
      { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"a":1}' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_1', name: 'read', input: { a: 1 } }],
      },
      { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'read', args: { a: 1 } } }] },
    ]
    for (const form of forms)
      expect(count(JSON.stringify(form))).toBeLessThanOrEqual(
        wire({ role: 'assistant', parts: [call] }),
      )
    const answers = [
      { role: 'tool', tool_call_id: 'call_1', content: 'found' },
      { type: 'function_call_output', call_id: 'call_1', output: 'found' },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'found', is_error: true }],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_1', name: 'read', response: { output: 'found' } } },
        ],
      },
    ]
    for (const form of answers)
      expect(count(JSON.stringify(form))).toBeLessThanOrEqual(
        wire({ role: 'tool', parts: [result] }),
      )
  })

  it('is bounded for many calls at once', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `call_${index}`)
    const parts = ids.map((callId) => ({ ...call, callId }))
    const bound = wire({ role: 'assistant', parts })
    const args = '{"a":1}'
    const chat = ids.map((id) => ({
      id,
      type: 'function',
      function: { name: 'read', arguments: args },
    }))
    const blocks = ids.map((id) => ({ type: 'tool_use', id, name: 'read', input: { a: 1 } }))
    for (const form of [{ role: 'assistant', tool_calls: chat }, { content: blocks }])
      expect(count(JSON.stringify(form))).toBeLessThanOrEqual(bound)
  })

  const letters = (words: string) => words.length
  /** With a token for each letter. */
  const framed = (message: Partial<WireMessage>) =>
    wireMessageTokens(
      { role: 'user', author: null, meta: null, parts: [], ...message },
      { card, text: letters, jsonText: letters },
    )
  const file: FilePart = {
    ...{ type: 'file', mediaType: 'text/plain', name: 'a.md', width: null, height: null, metadata },
    source: { kind: 'stored', sha256: '', sizeBytes: 101 },
  }
  const empty = {
    mediaType: 'a/unknown',
    name: null,
    source: { kind: 'stored', sha256: '', sizeBytes: 0 },
  } as const
  const block: Part = { type: 'opaque', kind: 'x/y', json: '{"a":1}', metadata }
  const url = 'https://example.org/x'

  it.each<[string, Part, number]>([
    ['reasoning', { type: 'reasoning', text: 'abc', signature: 'de', metadata }, 20 + 5],
    ['reasoning', { type: 'reasoning', text: 'abc', signature: null, metadata }, 20 + 3],
    ['a call', call, 20 + 6 + 2 * 4 + 7],
    ['a result', result, 25 + 6 + 4 + 5],
    ['a result', { ...result, name: null, output: { kind: 'json', json: '[]' } }, 25 + 6 + 2],
    [
      'a result with parts',
      { ...result, output: { kind: 'parts', parts: [text('ab'), text('c')] } },
      25 + 6 + 4 + (9 + 2) + (9 + 1),
    ],
    // At worst a token for each byte, and a tenth.
    ['a text file', file, 26 + 10 + 4 + 112],
    ['another file', { ...file, mediaType: 'font/woff2' }, 26 + 10 + 4 + 4 + 26],
    ['a file elsewhere', { ...file, source: { kind: 'url', url } }, 26 + 10 + 4 + 21 + 10_004],
    [
      'an excerpt',
      { type: 'resource-excerpt', resourceId: 'r', title: 'ti', text: 'abc', metadata },
      48 + 1 + 2 + 3,
    ],
    ['an attachment', { type: 'attachment-ref', attachmentId: 'a', title: null, metadata }, 14 + 1],
    ['an unknown block', block, 4 + 7],
    ['such a block by its text', { ...block, json: 'x'.repeat(400) }, 4 + 400],
    // Providers get the metadata as text, and may decode the data in it.
    [
      'such a block by its data',
      { ...block, metadata: { a: 'x'.repeat(400) } },
      4 + 7 + 100 + (400 + 8),
    ],
    ['an empty file', { ...file, ...empty }, 26 + 9],
    ['metadata', { ...call, metadata: { a: 1 } }, 20 + 6 + 2 * 4 + 7 + 7],
  ])('has the frame and the texts of %s', (_, part, tokens) => {
    expect(framed({ parts: [part] })).toBe(8 + tokens)
  })

  it('has no list around one text, and one around several parts', () => {
    expect(framed({ parts: [text('abc')] })).toBe(8 + 9 + 3 - 5)
    expect(framed({ parts: [text('abc'), text('de')] })).toBe(8 + 2 * 9 + 5)
    expect(framed({ parts: [] })).toBe(8)
  })

  it('has its author, and a hash for a name that a provider refuses', () => {
    const allowed = ['a', 'Ada_L-9', 'x'.repeat(64)]
    for (const author of allowed) expect(framed({ author })).toBe(8 + 10 + author.length)
    for (const author of ['Ada L', 'Ä', '', 'x'.repeat(65)])
      expect(framed({ author })).toBe(8 + 10 + author.length + 10)
  })

  it('has the data block of a late system message, and the fields that adapters send back', () => {
    expect(framed({ role: 'system' })).toBe(8 + 48)
    expect(framed({ meta: { mine: 'anything' } })).toBe(8)
    expect(framed({ meta: { mine: 'anything', openai: { id: 1 }, google: 2 } })).toBe(8 + 12)
  })

  it('grows with everything that is written', () => {
    const plain = wire({ parts: [text('hello')] })
    expect(wire({ parts: [text('hello')], author: 'Ada' })).toBeGreaterThan(plain)
    expect(wire({ parts: [text('hello')], role: 'system' })).toBeGreaterThan(plain)
    expect(wire({ parts: [{ ...text('hello'), metadata: { a: 'b' } }] })).toBeGreaterThan(plain)
    expect(wire({ parts: [text('hello'), text('hello')] })).toBeGreaterThan(plain)
    const signed = { type: 'reasoning', text: 'hm', metadata } as const
    expect(wire({ parts: [{ ...signed, signature: 'x'.repeat(400) }] })).toBeGreaterThan(
      wire({ parts: [{ ...signed, signature: null }] }) + 40,
    )
  })

  it('counts fields that adapters keep, and not those of applications', () => {
    const plain = wire({ parts: [text('hello')] })
    const note = { id: 'message-1', phase: 'commentary' }
    expect(wire({ parts: [text('hello')], meta: { openai: note } })).toBeGreaterThan(plain)
    expect(wire({ parts: [text('hello')], meta: { house: note } })).toBe(plain)
  })

  it('counts the parts of an output, and a picture by what it is billed', () => {
    const file = { type: 'file', mediaType: 'image/png', name: 'cat.png', metadata } as const
    const source = { kind: 'url', url: 'https://example.org/cat.png' } as const
    const picture = { ...file, source, width: null, height: null }
    const output = { kind: 'parts', parts: [text('seen'), picture] } as const
    expect(wire({ role: 'tool', parts: [{ ...result, output }] })).toBeGreaterThan(1_600)
    expect(wire({ parts: [picture] })).toBeGreaterThan(1_600)
  })
})
