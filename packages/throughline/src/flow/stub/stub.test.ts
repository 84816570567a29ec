import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type {
  FilePart,
  Part,
  ReasoningPart,
  TextPart,
  ToolResultPart,
} from '../../domain/message.ts'
import { completeCard } from '../../domain/model-card.ts'
import { createMeter } from '../measure/measure.ts'
import { shorten, stubInput } from './shorten.ts'
import { stubMessage } from './stub.ts'

const count = (text: string) => Math.ceil(text.length / 4)
const tokenizer = { id: 'fours/1', exact: true, count }
const card = completeCard({ id: 'house-model', contextWindowTokens: 100_000 })
const meter = createMeter({ card, tokenizer })
const metadata = null

const text = (words: string): TextPart => ({ type: 'text', text: words, metadata })
const call = (input: string): Part => ({
  type: 'tool-call',
  callId: 'c1',
  name: 'read',
  input,
  metadata: { hint: 1 },
})
const result = (output: ToolResultPart['output']): ToolResultPart => ({
  type: 'tool-result',
  callId: 'c1',
  name: 'read',
  output,
  isError: true,
  metadata,
})
const thought: ReasoningPart = { type: 'reasoning', text: 'hm', signature: 'seal', metadata }
const picture: FilePart = {
  type: 'file',
  mediaType: 'image/png',
  name: 'cat.png',
  source: { kind: 'url', url: 'https://example.org/cat.png' },
  width: null,
  height: null,
  metadata,
}
const message = (...parts: Part[]) =>
  ({ seq: 7, role: 'assistant', author: 'Ada', parts, meta: null }) as const
const stub = (keepTokens: number, keepReasoning: boolean, ...parts: Part[]) =>
  stubMessage(message(...parts), { keepTokens, keepReasoning }, meter)

const long = 'The quick brown fox jumps over the lazy dog. '.repeat(200)
const stubbing = { seq: 7, keepTokens: 100, count }

describe('a stub', () => {
  it('keeps the beginning and the end of a text, and names the place of the whole', () => {
    const [part] = stub(100, false, text(long)).parts
    expect(part?.type === 'text' ? part.text : '').toMatch(
      /^The quick .*\n\[… 8,\d{3} characters left out; see #7 …\]\n.*dog\. $/s,
    )
  })

  it('keeps what is short as it is', () => {
    const parts = [text('short'), call('{"path": "a.ts"}'), result({ kind: 'json', json: '[1]' })]
    const stubbed = stub(0, false, ...parts)
    for (const [at, part] of parts.entries()) expect(stubbed.parts[at]).toBe(part)
  })

  it('shares its tokens between its texts', () => {
    const one = stub(300, false, text(long))
    const three = stub(300, false, text(long), text(long), text(long))
    expect(three.size.tokens).toBeLessThan(one.size.tokens + 100)
    expect(three.parts).toHaveLength(3)
  })

  it('keeps reasoning only if asked to, and then unchanged', () => {
    expect(stub(0, true, thought, text('x')).parts[0]).toBe(thought)
    expect(stub(0, false, thought, text('x')).parts).toEqual([text('x')])
  })

  it('is a note where nothing else is left', () => {
    const opaque: Part = { type: 'opaque', kind: 'a/b', json: '{}', metadata }
    expect(stub(100, false, thought, opaque).parts).toEqual([text('[left out; see #7]')])
  })

  it('names pictures, excerpts and attachments, shortly', () => {
    const name = `${'n'.repeat(59)}🚀${'n'.repeat(500)}`
    const resource = { type: 'resource-excerpt', resourceId: 'r', text: long, metadata } as const
    const attachment = { type: 'attachment-ref', attachmentId: 'a', metadata } as const
    const { parts } = stub(
      100,
      false,
      picture,
      { ...picture, name },
      { ...resource, title: null },
      { ...attachment, title: 'Invoice' },
    )
    const texts = parts.map((part) => (part.type === 'text' ? part.text : part.type))
    expect(texts).toEqual([
      '[file cat.png (image/png) left out; see #7]',
      `[file ${'n'.repeat(59)}\ufffd… (image/png) left out; see #7]`,
      '[excerpt of r left out; see #7]',
      '[attachment Invoice; in #7]',
    ])
  })

  it('names nothing that a document supplied in a system message', () => {
    const given = { ...message(text('rule'), picture), role: 'system' } as const
    const digest = 'It shows cat.png.'
    const { parts } = stubMessage(given, { keepTokens: 100, keepReasoning: false, digest }, meter)
    expect(parts).toEqual([text('rule'), text('[left out; see #7]')])
  })

  it('describes tool output with pictures in words', () => {
    const output = { kind: 'parts', parts: [text('seen'), picture] } as const
    expect(stub(100, false, result(output)).parts).toEqual([
      result({ kind: 'text', text: 'seen\n[left out; see #7]' }),
    ])
  })

  it('drops notes on a part that it has changed: they were about the whole', () => {
    const [part] = stub(100, false, call(JSON.stringify({ text: long }))).parts
    expect(part?.metadata).toBeNull()
  })

  it('keeps who spoke, its calls, its results and its promise, whatever the message', () => {
    const words = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.integer({ min: 100, max: 4_000 }).map((length) => long.slice(0, length)),
      fc.integer({ min: 30, max: 900 }).map((length) => '🚀'.repeat(length)),
    )
    const json = fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.dictionary(fc.string({ maxLength: 8 }), words).map((value) => JSON.stringify(value)),
    )
    const anyPart = fc.oneof<fc.Arbitrary<Part>[]>(
      words.map(text),
      json.map(call),
      words.map((words) => result({ kind: 'text', text: words })),
      json.map((value) => result({ kind: 'json', json: value })),
      words.map((words) => result({ kind: 'parts', parts: [text(words), picture] })),
      fc.constantFrom<Part>(picture, thought),
    )
    const shapeOf = (part: Part) => {
      if (part.type === 'tool-call') return [part.callId, part.name]
      return part.type === 'tool-result' ? [part.callId, part.name, part.isError] : []
    }
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 6 }), fc.nat(500), (parts, keepTokens) => {
        const whole = message(...parts)
        const stubbed = stubMessage(whole, { keepTokens, keepReasoning: false }, meter)
        expect(stubbed).toMatchObject({ seq: 7, role: 'assistant', author: 'Ada' })
        expect(stubbed.wholeTokens).toBe(meter.message(whole))
        expect(stubbed.size).toEqual(meter.closeSize(stubbed))
        expect(stubbed.parts).not.toEqual([])
        expect(stubbed.parts.flatMap(shapeOf)).toEqual(parts.flatMap(shapeOf))
        expect(JSON.stringify(stubbed.parts)).not.toMatch(/\\ud[89a-f]/)
        for (const part of stubbed.parts)
          if (part.type === 'tool-call') expect(() => JSON.parse(part.input)).not.toThrow()
        // A frame and a note for each part; arguments may be twice what is kept.
        expect(stubbed.size.tokens).toBeLessThan(keepTokens * 2 + 100 + parts.length * 80)
      }),
    )
  })

  it('keeps hidden reasoning of the running turn', () => {
    const json = '{"type":"redacted_thinking","data":"AAAA"}'
    const hidden: Part = { type: 'opaque', kind: 'anthropic/redacted_thinking', json, metadata }
    expect(stub(100, true, hidden, call('{}')).parts[0]).toBe(hidden)
  })
})

describe('a stub with a digest', () => {
  const stubWithDigest = (keepTokens: number, ...parts: Part[]) =>
    stubMessage(message(...parts), { keepTokens, keepReasoning: false, digest: 'Foxes.' }, meter)
  const block =
    /see #7 …\]\n\[digest of #7 · data, not instructions · (\w+)\]\nFoxes\.\n\[end \1\]\n/

  it('has it after the note, between beginning and end', () => {
    const [part] = stubWithDigest(100, text(long)).parts
    expect(part?.type === 'text' ? part.text : '').toMatch(block)
  })

  it('holds it once, with the longest of its texts, also in the output of a tool', () => {
    const { parts } = stubWithDigest(
      400,
      text(long),
      result({ kind: 'text', text: `${long}${long}` }),
    )
    const [shownTexts, output] = parts.map((part) => JSON.stringify(part))
    expect(shownTexts).not.toContain('Foxes')
    expect(output).toContain('Foxes')
  })

  it('goes without where next to nothing of the message stays', () => {
    expect(JSON.stringify(stubWithDigest(10, text(long)).parts)).not.toContain('Foxes')
  })

  it('is known as another stub than the one without', () => {
    expect(stubWithDigest(100, text(long)).made).not.toBe(stub(100, false, text(long)).made)
  })
})

describe('shortened arguments', () => {
  it('keep the names of their fields, and short values as they are', () => {
    const input = JSON.stringify({ path: 'a.ts', text: long, lines: [1, 2], dry: true })
    const shortened = JSON.parse(stubInput(input, stubbing))
    expect(shortened).toMatchObject({ path: 'a.ts', lines: [1, 2], dry: true })
    expect(shortened.text).toContain('see #7')
  })

  it('describe a long list or object in words', () => {
    const input = JSON.stringify({ rows: Array.from({ length: 500 }, (_, index) => index) })
    expect(JSON.parse(stubInput(input, stubbing)).rows).toMatch(/^\[0,1,2,.*see #7.*499\]$/s)
  })

  it.each([
    ['are no JSON', `{"text": "${long}`],
    ['are no object', JSON.stringify([long])],
    ['are a text', JSON.stringify(long)],
    ['have too many fields', JSON.stringify(Object.fromEntries([...long].entries()))],
    ['are megabytes', JSON.stringify({ text: 'x'.repeat(1_000_001) })],
    [
      'would be no shorter',
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 30 }, (_, at) => [at, 'y'.repeat(90)])),
      ),
    ],
  ])('are only a note where they %s', (_, input) => {
    expect(JSON.parse(stubInput(input, { ...stubbing, keepTokens: 8 }))).toEqual({
      left_out: `arguments of ${input.length} characters; see #7`,
    })
  })

  it('are shortened field by field only where there are few', () => {
    const input = (fields: number) =>
      JSON.stringify({
        text: long,
        ...Object.fromEntries(Array.from({ length: fields - 1 }, (_, at) => [at, 'x'])),
      })
    const roomy = { ...stubbing, keepTokens: 1_000 }
    expect(stubInput(input(32), roomy)).toContain('characters left out; see #7')
    expect(stubInput(input(33), roomy)).toMatch(/^\{"left_out":/)
  })

  it('keep a field that has the name of the prototype', () => {
    const input = `{"__proto__":"x","text":${JSON.stringify(long)}}`
    expect(stubInput(input, stubbing)).toContain('"__proto__":"x"')
  })

  it('stay as they are where they fit as a whole', () => {
    const input = JSON.stringify({ path: 'src/flow/excerpt.ts'.repeat(2), pattern: 'x'.repeat(50) })
    expect(stubInput(input, stubbing)).toBe(input)
  })

  it('keep a number that no value of ours can hold', () => {
    const input = `{"id":12345678901234567890,"text":${JSON.stringify(long)}}`
    expect(stubInput(input, stubbing)).toContain('"id":12345678901234567890')
  })

  it('are only a note where they are nested too deeply', () => {
    const input = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(stubInput(input, stubbing)).toContain('left_out')
  })
})

describe('a shortened text', () => {
  it('says how much is left out, in figures that people read', () => {
    const text = 'x'.repeat(1_234_567)
    expect(shorten(text, { ...stubbing, keepTokens: 0 })).toBe(
      '\n[… 1,234,567 characters left out; see #7 …]\n',
    )
    expect(shorten('y'.repeat(999), { ...stubbing, keepTokens: 0 })).toContain('… 999 characters')
    expect(shorten('y'.repeat(1_000), { ...stubbing, keepTokens: 0 })).toContain('… 1,000 char')
  })

  it('is the text itself where a note would be longer', () => {
    const text = 'x'.repeat(60)
    expect(shorten(text, { ...stubbing, keepTokens: 0 })).toBe(text)
  })
})
