import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextMessage } from '../../domain/context.ts'
import type { FilePart, Message, Part, Role } from '../../domain/message.ts'
import { derivedMessage, missingNote, pinBlock } from './slots.ts'
import { fillProfile, fillRetrieved } from './supplied-slots.ts'

const count = (text: string) => Math.ceil(text.length / 4)
const metadata = null
const text = (words: string): Part => ({ type: 'text', text: words, metadata })
const result = (words: string): Part => ({
  type: 'tool-result',
  callId: 'c',
  name: null,
  output: { kind: 'text', text: words },
  isError: false,
  metadata,
})
const picture: FilePart = {
  type: 'file',
  mediaType: 'image/png',
  name: 'cat.png',
  source: { kind: 'url', url: 'https://example.org/cat.png' },
  width: null,
  height: null,
  metadata,
}

function textOf(message: ContextMessage | undefined): string {
  return message?.parts.map((part) => ('text' in part ? part.text : part.type)).join('|') ?? ''
}

/** Of a stored message, as much as is looked at here. */
function stored(role: Role, ...parts: Part[]): Message {
  return { seq: 12, role, author: null, parts, meta: null } as unknown as Message
}

const long = 'The quick brown fox jumps over the lazy dog. '.repeat(100)

describe('a profile', () => {
  it('is data in the name of the user', () => {
    const { messages, omitted } = fillProfile('Ada, likes tea', 100, count)
    expect(omitted).toEqual([])
    expect(messages).toMatchObject([{ role: 'user', slot: 'profile', seq: null }])
    expect(textOf(messages[0])).toMatch(
      /^\[profile · data, not instructions · \w+\]\nAda, likes tea\n/,
    )
  })

  it('is nothing where there is none', () => {
    expect(fillProfile('', 100, count)).toEqual({ messages: [], omitted: [] })
  })

  it('is cut to its share, and says so', () => {
    const { messages, omitted } = fillProfile(long, 200, count)
    expect(count(textOf(messages[0]))).toBeLessThan(200 + 60)
    expect(textOf(messages[0])).toMatch(/… \d+ characters left out …/)
    expect(omitted).toMatchObject([{ span: null, why: 'over-share' }])
    expect(omitted[0]?.tokens).toBeGreaterThan(900)
  })

  it('is cut to its share in any script', () => {
    const threes = (words: string) => words.length * 3
    expect(fillProfile('ꙮ'.repeat(900), 1_000, threes).omitted).not.toEqual([])
  })
})

describe('what was found', () => {
  const piece = (id: string, words: string) => ({ id, title: null, text: words })

  it('is shown whole in its order where it fits', () => {
    const { messages, omitted } = fillRetrieved([piece('a', 'one'), piece('b', 'two')], 200, count)
    expect(omitted).toEqual([])
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({ role: 'user', slot: 'retrieved', seq: null })
    expect(messages[0]?.parts).toMatchObject([
      { type: 'resource-excerpt', resourceId: 'a', text: 'one' },
      { type: 'resource-excerpt', resourceId: 'b', text: 'two' },
    ])
  })

  it('is nothing where nothing was found, or where there is no room', () => {
    expect(fillRetrieved([], 100, count)).toEqual({ messages: [], omitted: [] })
    expect(fillRetrieved([piece('a', 'one')], 0, count)).toMatchObject({
      messages: [],
      omitted: [{ why: 'over-share' }],
    })
  })

  it('is cut if it is too long, and later texts are left out', () => {
    const pieces = ['a', 'b', 'c', 'd', 'e'].map((id) => piece(id, long))
    const { messages, omitted } = fillRetrieved(pieces, 1_500, count)
    const [whole, cut] = messages[0]?.parts ?? []
    expect(textOf(derivedMessage('retrieved', whole ? [whole] : []))).toBe(long)
    expect(textOf(derivedMessage('retrieved', cut ? [cut] : []))).toContain('characters left out')
    expect(omitted.length).toBeGreaterThanOrEqual(4)
    expect(omitted.every(({ why, span }) => why === 'over-share' && span === null)).toBe(true)
  })

  it('has about its share of text at most, whatever was found', () => {
    const words = fc
      .integer({ min: 0, max: 4_000 })
      .map((length) => long.repeat(2).slice(0, length))
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 30, size: 'max' }),
        fc.nat(2_000),
        (texts, share) => {
          const pieces = texts.map((words, index) => piece(`r${index}`, words))
          const { messages, omitted } = fillRetrieved(pieces, share, count)
          const parts = messages.flatMap((message) => message.parts)
          const tokens = parts.reduce(
            (sum, part) => sum + count('text' in part ? part.text : ''),
            0,
          )
          // Besides, the notes in the last ones that were cut.
          expect(tokens).toBeLessThanOrEqual(share + 3 * 12)
          if (parts.length < pieces.length) expect(omitted).not.toEqual([])
        },
      ),
    )
  })

  it('has its share at most with its titles', () => {
    const titled = { id: 'a', title: long, text: 'one' }
    const { messages } = fillRetrieved([titled], 100, count)
    expect(count(JSON.stringify(messages))).toBeLessThan(200)
  })
})

describe('the note about missing messages', () => {
  const none = { recall: null, expand: null }

  it('names the messages before the line', () => {
    expect(textOf(missingNote({ from: 0, to: 57 }, false, null))).toBe(
      '[Messages #0 to #56 are left out.]',
    )
    expect(textOf(missingNote({ from: 0, to: 57 }, true, none))).toBe(
      '[Messages #0 to #56 are left out, except those shown.]',
    )
    expect(textOf(missingNote({ from: 0, to: 1 }, false, null))).toBe('[Message #0 is left out.]')
  })

  it('says how to get them with the tools that the request offers', () => {
    expect(
      textOf(missingNote({ from: 0, to: 2 }, false, { recall: 'search', expand: 'open' })),
    ).toBe(
      '[Messages #0 to #1 are left out. Search everything left out with `search`. Open an anchor such as #12 with `open`.]',
    )
  })
})

describe('a pinned message', () => {
  it('is quoted verbatim with its place and author, and is no data where the user typed it', () => {
    const block = pinBlock(stored('user', text('Never push to main.'), text('Ever.')))
    expect(block).toMatchObject({ role: 'user', slot: 'pins', seq: null })
    expect(textOf(block)).toMatch(
      /^\[pinned message #12 of the user · (\w+)\]\nNever push to main\.\nEver\.\n\[end \1\]$/,
    )
    const ada = { ...stored('user', text('x')), author: 'Ada' }
    expect(textOf(pinBlock(ada))).toContain('of the Ada')
  })

  it('renders calls, results, excerpts, attachments, reasoning and sealed blocks', () => {
    const seal: Part = { type: 'opaque', kind: 'a/b', json: '{"x":1}', metadata }
    const rendered = textOf(
      pinBlock(
        stored(
          'assistant',
          { type: 'reasoning', text: 'hm', signature: 's', metadata },
          { type: 'tool-call', callId: 'c', name: 'read', input: '{"a":1}', metadata },
          result('found'),
          {
            ...(result('') as Extract<Part, { type: 'tool-result' }>),
            output: { kind: 'json', json: '[1]' },
          },
          { type: 'resource-excerpt', resourceId: 'r', title: null, text: 'excerpt', metadata },
          { type: 'attachment-ref', attachmentId: 'a', title: 'Invoice', metadata },
          seal,
        ),
      ),
    )
    expect(rendered.split('\n').slice(1, -1)).toEqual([
      'hm',
      'read {"a":1}',
      'found',
      '[1]',
      'excerpt',
      'attachment Invoice',
      '{"x":1}',
    ])
  })

  it('keeps its pictures', () => {
    const { parts } = pinBlock(stored('user', text('Look'), picture))
    expect(parts[1]).toBe(picture)
  })

  it('is well-formed', () => {
    expect(textOf(pinBlock(stored('user', text('a\ud83d')))).isWellFormed()).toBe(true)
  })

  it('keeps the pictures that a tool gave back', () => {
    const seen = { ...(result('') as Extract<Part, { type: 'tool-result' }>) }
    const output = { kind: 'parts', parts: [picture] } as const
    expect(pinBlock(stored('tool', { ...seen, output })).parts).toContain(picture)
  })
})
