import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextMessage } from '../../domain/context.ts'
import type { FilePart, OpaquePart, Part, TextPart } from '../../domain/message.ts'
import {
  mayContainLoneSurrogates,
  sanitizeJson,
  sanitizeMessage,
  sanitizeName,
} from './sanitize-message.ts'

const metadata = null
const half = '\ud83d'
const text = (words: string): TextPart => ({ type: 'text', text: words, metadata })
const message = (...parts: Part[]): ContextMessage => ({
  role: 'assistant',
  author: null,
  parts,
  meta: null,
  seq: 3,
  slot: 'recent',
})

// Texts with halves of pairs in them, plain and escaped, and names that are far too long.
const anyText = fc.oneof(
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
  fc.array(fc.constantFrom(half, '\ude00', 'a', '\\ud83d', '\\ude00', '\\\\', '"')).map(join),
  fc.integer({ min: 100, max: 400 }).map((length) => half.repeat(length)),
)
const anyJson = fc.oneof(
  fc.array(anyText).map((value) => JSON.stringify(value)),
  fc.dictionary(anyText, anyText).map((value) => JSON.stringify(value)),
  anyText,
)
const anyFile: fc.Arbitrary<FilePart> = fc.record({
  type: fc.constant('file'),
  mediaType: anyText,
  name: fc.option(anyText),
  source: fc.constant({ kind: 'stored', sha256: 'f0', sizeBytes: 1 }),
  width: fc.constant(null),
  height: fc.constant(null),
  metadata: fc.constant(metadata),
})
const anyOpaque: fc.Arbitrary<OpaquePart> = fc.record({
  type: fc.constant('opaque'),
  kind: fc.constant('a/b'),
  json: anyJson,
  metadata: fc.constant(metadata),
})
const anyOutput = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: anyText }),
  fc.record({ kind: fc.constant('json' as const), json: anyJson }),
  fc.record({
    kind: fc.constant('parts' as const),
    parts: fc.array(fc.oneof(anyText.map(text), anyFile, anyOpaque), { maxLength: 3 }),
  }),
)
const fields = { metadata: fc.constant(metadata) }
const anyPart: fc.Arbitrary<Part> = fc.oneof(
  anyText.map(text),
  fc.record({
    ...fields,
    type: fc.constant('reasoning' as const),
    text: anyText,
    signature: fc.option(anyText),
  }),
  fc.record({
    ...fields,
    type: fc.constant('tool-call' as const),
    callId: anyText,
    name: anyText,
    input: anyJson,
  }),
  fc.record({
    ...fields,
    type: fc.constant('tool-result' as const),
    callId: anyText,
    name: fc.option(anyText),
    output: anyOutput,
    isError: fc.boolean(),
  }),
  fc.record({
    ...fields,
    type: fc.constant('resource-excerpt' as const),
    resourceId: anyText,
    title: fc.option(anyText),
    text: anyText,
  }),
  fc.record({
    ...fields,
    type: fc.constant('attachment-ref' as const),
    attachmentId: anyText,
    title: fc.option(anyText),
  }),
  anyFile,
  anyOpaque,
)
const anyMessage = fc
  .record({ author: fc.option(anyText), parts: fc.array(anyPart, { maxLength: 5 }) })
  .map(({ author, parts }): ContextMessage => ({ ...message(...parts), author }))

function join(pieces: readonly string[]): string {
  return pieces.join('')
}

/** Every string of a value, at any depth. */
function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}

/** What a provider reads from the text, where it is JSON. */
function hidesHalves(json: string): boolean {
  try {
    const strings: string[] = []
    JSON.parse(json, (key, value) => {
      strings.push(key, ...(typeof value === 'string' ? [value] : []))
      return value
    })
    return !strings.every((string) => string.isWellFormed())
  } catch {
    return false
  }
}

describe('a sanitized message', () => {
  it('has only well-formed strings, and does not change when sanitized again', () => {
    fc.assert(
      fc.property(anyMessage, (given) => {
        const sanitized = sanitizeMessage(given)
        expect(stringsOf(sanitized).filter((string) => !string.isWellFormed())).toEqual([])
        expect(sanitizeMessage(sanitized)).toBe(sanitized)
      }),
    )
  })

  it('hides no half of a character in its JSON', () => {
    fc.assert(
      fc.property(anyMessage, (given) => {
        for (const part of sanitizeMessage(given).parts) {
          if (part.type === 'tool-call') expect(hidesHalves(part.input)).toBe(false)
          if (part.type === 'opaque') expect(hidesHalves(part.json)).toBe(false)
          if (part.type === 'tool-result' && part.output.kind === 'json')
            expect(hidesHalves(part.output.json)).toBe(false)
        }
      }),
    )
  })

  it('has its sealed parts as they came, or not at all', () => {
    fc.assert(
      fc.property(anyMessage, (given) => {
        for (const part of sanitizeMessage(given).parts)
          if (part.type === 'opaque' || (part.type === 'reasoning' && part.signature !== null))
            expect(given.parts.some((before) => before === part)).toBe(true)
      }),
    )
  })

  it('is the same object where nothing was wrong', () => {
    const given = message(
      text('fine 🚀'),
      { type: 'reasoning', text: 'hm', signature: 's', metadata },
      { type: 'tool-call', callId: 'c', name: 'n', input: '{"a":"\\ud83d\\ude00"}', metadata },
      { type: 'opaque', kind: 'a/b', json: '{ "a": 1.0 }', metadata },
    )
    expect(sanitizeMessage(given)).toBe(given)
  })

  it('loses sealed parts that are broken, and nothing else', () => {
    const given = message(
      { type: 'reasoning', text: `x${half}`, signature: 's', metadata },
      { type: 'reasoning', text: 'x', signature: half, metadata },
      { type: 'opaque', kind: 'a/b', json: '{"a":"\\ud83d"}', metadata },
      { type: 'opaque', kind: 'a/b', json: 'no JSON', metadata },
      { type: 'reasoning', text: `x${half}`, signature: null, metadata },
      text(`a${half}b`),
    )
    expect(sanitizeMessage(given).parts).toEqual([
      { type: 'reasoning', text: 'x\ufffd', signature: null, metadata },
      text('a\ufffdb'),
    ])
  })

  it('keeps arguments that are no JSON, with whole characters', () => {
    const call = { type: 'tool-call', callId: 'c', name: 'n', metadata } as const
    expect(sanitizeMessage(message({ ...call, input: `{"a": "${half}` })).parts).toEqual([
      { ...call, input: '{"a": "\ufffd' },
    ])
  })

  it('has a valid file address and valid metadata', () => {
    const source = { kind: 'url', url: `https://example.org/${half}` } as const
    const notes = { google: { note: half } }
    const file = { type: 'file', mediaType: 'image/png', name: null } as const
    const sanitized = sanitizeMessage({
      ...message({ ...file, source, width: null, height: null, metadata: notes }),
      meta: notes,
    })
    expect(stringsOf(sanitized).filter((string) => !string.isWellFormed())).toEqual([])
  })

  it('keeps ids different that differ only in broken characters', () => {
    expect(sanitizeName('\ud800')).not.toBe(sanitizeName('\ud801'))
  })
})

describe('a sanitized name', () => {
  it('stays as it is where somebody could have meant it', () => {
    for (const name of ['', 'read', 'x'.repeat(128)]) expect(sanitizeName(name)).toBe(name)
  })

  it('is cut if it is far too long, and stays distinct by a hash of the rest', () => {
    const names = [1, 2].map((last) => `${'x'.repeat(5_000)}${last}`)
    const sanitized = names.map(sanitizeName)
    expect(new Set(sanitized).size).toBe(2)
    expect(sanitized.every((name) => name.length <= 128 && sanitizeName(name) === name)).toBe(true)
  })
})

describe('sanitized JSON', () => {
  it('is the same text where nothing is wrong with it', () => {
    const json = '{ "big": 12345678901234567890, "a": 1.0, "a": "\\ud83d\\ude00" }'
    expect(sanitizeJson(json)).toBe(json)
  })

  it('repairs half characters in values and in field names', () => {
    expect(sanitizeJson('["\\ud83d",{"\\ude00":"x"}]')).toBe('["\ufffd",{"\ufffd":"x"}]')
    expect(sanitizeJson(`["${half}"]`)).toBe('["\ufffd"]')
  })

  it('is null where the text cannot be read, however deep', () => {
    expect(sanitizeJson('{')).toBeNull()
    expect(sanitizeJson('['.repeat(200_000))).toBeNull()
  })

  it('is looked for wherever a half may be hidden', () => {
    fc.assert(
      fc.property(anyJson, (json) => {
        if (hidesHalves(json)) expect(mayContainLoneSurrogates(json)).toBe(true)
      }),
    )
    expect(mayContainLoneSurrogates('{"a":"\\u00e9"}')).toBe(false)
  })

  it('keeps big numbers beside repaired text', () => {
    expect(sanitizeJson('{"id":12345678901234567890,"a":"\\ud83d"}')).toContain(
      '12345678901234567890',
    )
  })

  it('loses no field', () => {
    const sanitized = sanitizeJson('{"\\ud83d":1,"\\ude00":2}')
    expect(Object.keys(JSON.parse(sanitized ?? '{}'))).toHaveLength(2)
  })
})
