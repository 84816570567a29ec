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

  it('counts a small picture by its pixels and a large one by the maximum', () => {
    expect(tokensOf(file('image/png', { width: 280, height: 56 }))).toBe(20)
    expect(tokensOf(file('image/png', { width: 9_000, height: 9_000 }))).toBe(1_600)
  })

  it('scales a picture into the frame before it counts tiles', () => {
    const tiles: PictureRule = {
      kind: 'tiles',
      tilePixels: 512,
      longSidePixels: 2_048,
      shortSidePixels: 768,
      baseTokens: 85,
      tokensPerTile: 170,
    }
    // The two examples of OpenAI's guide: 768 × 768 and 768 × 1536 after scaling.
    expect(tokensOf(file('image/png', { width: 1_024, height: 1_024 }), tiles)).toBe(765)
    expect(tokensOf(file('image/png', { width: 2_048, height: 4_096 }), tiles)).toBe(1_105)
    expect(tokensOf(file('image/png'), tiles)).toBe(85 + 8 * 170)
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

  it('counts any number of parts and a block of any size', () => {
    const meter = createMeter({ card, tokenizer: wordTokenizer() })
    const parts = Array.from({ length: 200_000 }, () => text('one'))
    expect(meter.message(message(...parts.slice(0, 50_000)))).toBe(50_004)
    expect(meter.message({ author: null, parts })).toBe(200_004)
    const opaque: Part = { type: 'opaque', kind: 'a/b', json: 'x'.repeat(16_000_000), metadata }
    expect(meter.message(message(opaque))).toBe(4_000_004)
  })
})
