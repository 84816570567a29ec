import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FilePart, Part, TextPart } from '../../domain/message.ts'
import { completeCard, type PictureRule } from '../../domain/model-card.ts'
import type { Tokenizer } from '../../ports/tokenizer.ts'
import { createMeter, type Measurable } from './measure.ts'

const card = completeCard({ id: 'house-model', contextWindowTokens: 100_000 })

/** One token a word, and a record of what it was asked. */
function wordTokenizer(): Tokenizer & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    id: 'words/1',
    exact: true,
    asked,
    count(text) {
      asked.push(text)
      return text.split(/\s+/).filter(Boolean).length
    },
  }
}

const metadata = null
const text = (content: string): TextPart => ({ type: 'text', text: content, metadata })
const message = (...parts: Part[]): Measurable => ({ author: null, parts })

function file(mediaType: string, given: Partial<FilePart> = {}): FilePart {
  const source = { kind: 'stored', sha256: '', sizeBytes: 400_000 } as const
  return {
    type: 'file',
    mediaType,
    name: null,
    source,
    width: null,
    height: null,
    metadata,
    ...given,
  }
}

function tokensOf(part: Part, pictures: PictureRule = card.pictures): number {
  const meter = createMeter({ card: { ...card, pictures }, tokenizer: wordTokenizer() })
  return meter.message(message(part)) - meter.message(message())
}

describe('a part', () => {
  it.each<[string, Part, number]>([
    ['text', text('one two three'), 3],
    ['reasoning', { type: 'reasoning', text: 'one two', signature: null, metadata }, 2],
    [
      'sealed reasoning, by the larger of text and seal',
      { type: 'reasoning', text: 'one two', signature: 'x'.repeat(400), metadata },
      100,
    ],
    [
      'a call, with its name and arguments',
      { type: 'tool-call', callId: 'c', name: 'read', input: '{"path": "a b"}', metadata },
      10 + 1 + 3,
    ],
    [
      'a result, with all its parts',
      {
        type: 'tool-result',
        callId: 'c',
        name: 'read',
        isError: false,
        output: { kind: 'parts', parts: [text('one two'), file('image/png')] },
        metadata,
      },
      10 + 1 + 2 + 1_600,
    ],
    [
      'an excerpt, with its title',
      { type: 'resource-excerpt', resourceId: 'r', title: 'The title', text: 'one', metadata },
      8 + 1 + 2 + 1,
    ],
    ['an attachment', { type: 'attachment-ref', attachmentId: 'a', title: null, metadata }, 8 + 1],
    [
      'a block that we do not know, its sealed runs by their bytes',
      { type: 'opaque', kind: 'x/y', json: `{"a b":"${'x'.repeat(400)}"}`, metadata },
      2 + 100 + 1,
    ],
    [
      'what a provider hung on a part',
      { type: 'text', text: 'one', metadata: { google: { thoughtSignature: 'x'.repeat(400) } } },
      101,
    ],
    [
      'a hint on a part',
      { type: 'text', text: 'one', metadata: { cache_control: { type: 'ephemeral' } } },
      1,
    ],
    ['a text file by its bytes, at the rate of the densest text', file('text/plain'), 200_000],
    ['a film by its bytes, at the rate of film', file('video/mp4'), 6_250],
  ])('counts %s', (_, part, tokens) => {
    expect(tokensOf(part)).toBe(tokens)
  })

  it('counts what is sealed by its bytes, rounded up', () => {
    const sealed = (signature: string): Part => ({
      type: 'reasoning',
      text: '',
      signature,
      metadata,
    })
    for (const [length, tokens] of [
      [1, 1],
      [4, 1],
      [5, 2],
    ] as const)
      expect(tokensOf(sealed('x'.repeat(length)))).toBe(tokens)
    expect(tokensOf({ type: 'reasoning', text: '', signature: null, metadata })).toBe(0)
    // Two bytes a letter.
    expect(tokensOf(sealed('ß'.repeat(4)))).toBe(2)
  })

  it('takes metadata for sealed data from 200 characters on, in whatever it is nested', () => {
    const withData = (length: number): Part => ({
      ...text(''),
      metadata: { list: [{ deep: 'x'.repeat(length) }], none: null },
    })
    expect([199, 200, 201].map((length) => tokensOf(withData(length)))).toEqual([0, 50, 51])
  })

  it('counts a block that we do not know piece by piece', () => {
    const plain = fc.string({ unit: fc.constantFrom(...' ",.:;@[`{|~á'), minLength: 1 })
    const run = fc.string({
      unit: fc.constantFrom(...'/09AZaz+=-_'),
      minLength: 196,
      maxLength: 206,
    })
    const letters = { ...wordTokenizer(), count: (words: string) => words.length }
    const meter = createMeter({ card, tokenizer: letters })
    const runTokens = ({ length }: string) => (length < 200 ? length : Math.ceil(length / 4))
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, run)), fc.boolean(), fc.boolean(), (pieces, a, b) => {
        // A block may begin and end with a run.
        const words = pieces.flat().slice(a ? 1 : 0, b ? undefined : -1)
        const tokens = words.map((each) =>
          /^[/\w+=-]+$/.test(each) ? runTokens(each) : each.length,
        )
        const part: Part = { type: 'opaque', kind: 'x/y', json: words.join(''), metadata }
        const counted = meter.message(message(part)) - meter.message(message())
        expect(counted).toBe(tokens.reduce((sum, each) => sum + each, 0))
      }),
    )
  })

  it('counts a small picture by its pixels and a large one by the maximum', () => {
    expect(tokensOf(file('image/png', { width: 280, height: 56 }))).toBe(20)
    expect(tokensOf(file('image/png', { width: 9_000, height: 9_000 }))).toBe(1_600)
  })

  it('counts a patch that is only partly filled, and rounds the tokens of all patches up', () => {
    expect(tokensOf(file('image/png', { width: 281, height: 56 }))).toBe(22)
    expect(tokensOf(file('image/png', { width: 280, height: 57 }))).toBe(30)
    const third: PictureRule = {
      ...{ kind: 'patches', patchPixels: 10, maxPatches: 10, tokensPerPatch: 1 / 3 },
    }
    expect(tokensOf(file('image/png', { width: 40, height: 10 }), third)).toBe(2)
  })

  const tiles: PictureRule = {
    kind: 'tiles',
    tilePixels: 512,
    longSidePixels: 2_048,
    shortSidePixels: 768,
    baseTokens: 85,
    tokensPerTile: 170,
  }

  it('scales a picture into the frame before it counts tiles, and enlarges none', () => {
    // The two examples of OpenAI's guide: 768 × 768 and 768 × 1536 after scaling.
    expect(tokensOf(file('image/png', { width: 1_024, height: 1_024 }), tiles)).toBe(765)
    expect(tokensOf(file('image/png', { width: 2_048, height: 4_096 }), tiles)).toBe(1_105)
    expect(tokensOf(file('image/png', { width: 600, height: 300 }), tiles)).toBe(85 + 2 * 170)
    expect(tokensOf(file('image/png', { width: 1, height: 1 }), tiles)).toBe(85 + 170)
    expect(tokensOf(file('image/png'), tiles)).toBe(85 + 8 * 170)
  })

  it.each([null, 0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'takes a picture with a side of %s for one of unknown size',
    (side) => {
      const unknown = 85 + 8 * 170
      expect(tokensOf(file('image/png', { width: side, height: 100 }), tiles)).toBe(unknown)
      expect(tokensOf(file('image/png', { width: 100, height: side }), tiles)).toBe(unknown)
    },
  )

  it('counts a PDF by its bytes, up to what its pages can have', () => {
    const pdf = (sizeBytes: number, mediaType: string) =>
      tokensOf(file(mediaType, { source: { kind: 'stored', sha256: '', sizeBytes } }))
    for (const mediaType of ['application/pdf', 'Application/PDF; version=1.7'])
      expect([pdf(4_001, mediaType), pdf(4_000_000, mediaType)]).toEqual([1_001, 460_000])
  })

  it('does not let the bytes of a picture count', () => {
    const source = { kind: 'stored', sha256: '', sizeBytes: 60_000_000 } as const
    expect(tokensOf(file('image/jpeg', { source }))).toBe(1_600)
  })

  it('has a bound for what it cannot see', () => {
    const source = { kind: 'url', url: 'https://example.org/x' } as const
    for (const mediaType of ['image/png', 'application/pdf', 'audio/mp3', 'text/plain'])
      expect(tokensOf(file(mediaType, { source }))).toBeGreaterThan(1_000)
  })
})

describe('a meter', () => {
  it('counts a list as the sum of its messages, and a request as the sum of its parts', () => {
    const anyPart = fc.oneof(
      fc.string().map(text),
      fc.string().map((json): Part => ({ type: 'opaque', kind: 'a/b', json, metadata })),
      fc
        .string()
        .map((input): Part => ({ type: 'tool-call', callId: 'c', name: 'run', input, metadata })),
    )
    const anyMessage = fc.record({
      author: fc.option(fc.string(), { nil: null }),
      parts: fc.array(anyPart, { maxLength: 5 }),
    })
    fc.assert(
      fc.property(fc.array(anyMessage), fc.string(), (messages, system) => {
        const meter = createMeter({ card, tokenizer: wordTokenizer() })
        const sum = messages.reduce((tokens, each) => tokens + meter.message(each), 0)
        expect(meter.messages(messages)).toBe(sum)
        const { tokens, parts } = meter.request({ system, messages })
        expect(parts.messages).toBe(sum)
        expect(tokens).toBe(parts.system + parts.tools + parts.messages + parts.overhead)
      }),
    )
  })

  it('counts more for a message with one more part', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string({ minLength: 1 }), (texts, more) => {
        const meter = createMeter({ card, tokenizer: wordTokenizer() })
        const before = meter.message(message(...texts.map(text)))
        expect(meter.message(message(...texts.map(text), text(more)))).toBeGreaterThanOrEqual(
          before,
        )
      }),
    )
  })

  it('counts a message that it knows by its hashes only once', () => {
    const tokenizer = wordTokenizer()
    const meter = createMeter({ card, tokenizer })
    const known = { ...message(text('one two')), hashes: { content: 'a', canonical: 'b' } }
    const tokens = meter.message(known)
    expect(meter.message(known)).toBe(tokens)
    expect(tokenizer.asked).toEqual(['one two'])
  })

  it('does not take two messages for one because their original line is the same', () => {
    const meter = createMeter({ card, tokenizer: wordTokenizer() })
    const first = { ...message(text('one')), hashes: { content: 'line', canonical: 'x' } }
    const second = { ...message(text('one two')), hashes: { content: 'line', canonical: 'y' } }
    expect(meter.message(second) - meter.message(first)).toBe(1)
  })

  it('does not take two speakers for one because they say the same', () => {
    const meter = createMeter({ card, tokenizer: wordTokenizer() })
    const same = { ...message(text('yes')), hashes: { content: 'a', canonical: 'b' } }
    const tokens = [null, 'Ann', 'Ann Lee', null].map((author) =>
      meter.message({ ...same, author }),
    )
    expect(tokens).toEqual([5, 7, 8, 5])
  })

  it('counts a text again if it is short or long, and once otherwise', () => {
    for (const [length, times] of [
      [23, 2],
      [24, 1],
      [65_536, 1],
      [65_537, 2],
    ] as const) {
      const tokenizer = wordTokenizer()
      const meter = createMeter({ card, tokenizer })
      for (const _ of [1, 2]) expect(meter.text('x'.repeat(length))).toBe(1)
      expect(tokenizer.asked).toHaveLength(times)
    }
  })

  it('counts by characters what is longer than any window', () => {
    const small = { ...card, contextWindowTokens: 1_000 }
    for (const [each, longest] of [
      [card, 1_600_000],
      [small, 1_000_000],
    ] as const) {
      const meter = createMeter({ card: each, tokenizer: wordTokenizer() })
      expect(meter.text('x'.repeat(longest))).toBe(1)
      expect(meter.text('x'.repeat(longest + 1))).toBe(longest / 4 + 1)
    }
  })

  it('corrects an estimate for the tokenizer of the model, and rounds it up', () => {
    const other = { ...card, tokensPerEstimate: 1.5 }
    const guess = { ...wordTokenizer(), exact: false }
    expect(createMeter({ card: other, tokenizer: guess }).text('one two three')).toBe(5)
    expect(createMeter({ card: other, tokenizer: wordTokenizer() }).text('one two three')).toBe(3)
  })

  it('adds frames to system prompt and tools', () => {
    const meter = createMeter({ card, tokenizer: wordTokenizer() })
    expect(meter.systemSize('one two')).toEqual({ tokens: 4 + 2, wire: 12 + 2 })
    expect(meter.request({ system: '', messages: [] }).parts.system).toBe(0)
    expect(meter.toolsSize([])).toEqual({ tokens: 0, wire: 0 })
    const [read, look] = [{ name: 'read', parameters: {} }, { name: 'look' }]
    expect(meter.toolsSize([read, read, look]).wire).toBe(6 + 2 * (9 + 1) + (9 + 1 + 16))
    const request = { system: 'one two', tools: [read], messages: [message(text('yes'))] }
    const { tokens, parts } = meter.request(request)
    expect(parts).toEqual({ system: 6, tools: 11, messages: 5, overhead: 3 })
    expect(tokens).toBe(25)
  })

  it('forgets what was not asked for the longest', () => {
    const tokenizer = wordTokenizer()
    const meter = createMeter({ card, tokenizer, cacheEntries: 2 })
    const at = (hash: string) => ({
      ...message(text(hash)),
      hashes: { content: hash, canonical: hash },
    })
    for (const hash of ['a', 'b', 'a', 'c', 'a', 'b']) meter.message(at(hash))
    expect(tokenizer.asked).toEqual(['a', 'b', 'c', 'b'])
  })

  it('counts the name of a speaker', () => {
    const meter = createMeter({ card, tokenizer: wordTokenizer() })
    const textMessage = message(text('yes'))
    expect(meter.message({ ...textMessage, author: 'Project Manager' })).toBe(
      meter.message(textMessage) + 3,
    )
  })

  it('counts tools with their schemas, and what the provider says about tools once', () => {
    const overhead = { ...card.overhead, toolPreambleTokens: 300 }
    const meter = createMeter({ card: { ...card, overhead }, tokenizer: wordTokenizer() })
    const tool = { name: 'read', description: 'Reads a file', parameters: { type: 'object' } }
    expect(meter.tools([])).toBe(0)
    expect(meter.tools([tool])).toBe(300 + 10 + 3)
    expect(meter.tools([tool, tool])).toBe(300 + 2 * (10 + 3))
  })

  it('has room for text that the provider adds for tools', () => {
    const overhead = { ...card.overhead, toolPreambleTokens: 500 }
    const meter = createMeter({ card: { ...card, overhead }, tokenizer: wordTokenizer() })
    const { tokens, wire } = meter.toolsSize([{ name: 'look' }])
    expect(tokens).toBeGreaterThan(500)
    expect(wire).toBeGreaterThanOrEqual(tokens)
  })

  it('counts a long system prompt once for all requests', () => {
    const tokenizer = wordTokenizer()
    const meter = createMeter({ card, tokenizer })
    const system = 'rule '.repeat(500)
    const first = meter.request({ system, messages: [] })
    expect(meter.request({ system, messages: [] })).toEqual(first)
    expect(first.parts.system).toBe(504)
    expect(tokenizer.asked).toHaveLength(1)
  })

  it('bounds a text that fits no window without writing it, and never too low', () => {
    const meter = createMeter({ card, tokenizer: wordTokenizer() })
    for (const sign of ['x', '"', '\u0000']) {
      const giant = sign.repeat(2_000_000)
      const { tokens, wire } = meter.closeSize(message(text(giant)))
      expect(tokens).toBeGreaterThan(card.contextWindowTokens)
      expect(wire).toBeGreaterThanOrEqual(JSON.stringify(giant).length / 4)
    }
  })

  it('counts a text of up to 16 characters for each token of the window', () => {
    const meter = createMeter({ card, tokenizer: wordTokenizer() })
    const sizeOf = (length: number) => meter.closeSize(message(text('x'.repeat(length))))
    const { tokens, wire } = sizeOf(1_600_000)
    expect([tokens, wire < 50]).toEqual([5, true])
    expect(sizeOf(1_600_001)).toMatchObject({ tokens: 400_005 })
    expect(sizeOf(1_600_001).wire).toBeGreaterThan(2_400_000)
  })

  it('bounds a message by its JSON, and never below its tokens', () => {
    const sizesWith = (perMessageTokens: number) => {
      const overhead = { ...card.overhead, perMessageTokens }
      const meter = createMeter({ card: { ...card, overhead }, tokenizer: wordTokenizer() })
      return [meter.size(message(text('one'))), meter.closeSize(message(text('one')))]
    }
    // A frame of 8, and of 9 around a text that is no list, and one for quotes in the bound.
    expect(sizesWith(4)).toEqual([
      { tokens: 5, wire: 8 + 9 - 5 + 1 + 1 },
      { tokens: 5, wire: 8 + 9 - 5 + 1 },
    ])
    const large = { tokens: 101, wire: 101 }
    expect(sizesWith(100)).toEqual([large, large])
  })

  it('bounds a text by six times its tokens only if it is longer than any window', () => {
    const meter = createMeter({
      card: { ...card, contextWindowTokens: 1_000 },
      tokenizer: wordTokenizer(),
    })
    const frame = 8 + 9 - 5
    const wireOf = (length: number) => meter.closeSize(message(text('x'.repeat(length)))).wire
    expect(wireOf(1_000_000)).toBe(frame + 1)
    expect(wireOf(1_000_001)).toBe(frame + 250_001 * 6)
  })

  it('counts any number of parts and a block of any size', () => {
    const meter = createMeter({ card, tokenizer: wordTokenizer() })
    const parts = Array.from({ length: 200_000 }, () => text('one'))
    expect(meter.message(message(...parts.slice(0, 50_000)))).toBe(50_004)
    expect(meter.message({ author: null, parts })).toBe(200_004)
    const opaque: Part = { type: 'opaque', kind: 'a/b', json: 'x'.repeat(16_000_000), metadata }
    expect(meter.message(message(opaque))).toBe(4_000_004)
  })
})
