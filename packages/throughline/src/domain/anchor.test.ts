import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversationId, messageId } from './ids.ts'
import { type Anchor, anchorOf, spanOf } from './span.ts'

const id = conversationId('invoice-thread-7')

describe('an anchor', () => {
  it.each<[string, Anchor, number, number]>([
    ['a place in the log', '#412', 412, 413],
    ['two places, both of which are meant', '#3-#17', 3, 18],
    ['the words of a note', '#0 to #56', 0, 57],
    ['what a person types', '#3-17', 3, 18],
    ['a dash by a word processor', '#3 – #17', 3, 18],
    ['a number', 7, 7, 8],
    ['a span', { from: 3, to: 3 }, 3, 3],
    ['the first message', '#0', 0, 1],
    ['the id of a message', messageId(id, 5), 5, 6],
  ])('is read from %s', (_, anchor, from, to) => {
    expect(spanOf(anchor, id)).toEqual({ from, to })
  })

  it.each<[string, unknown]>([
    ['a number without its mark', '412'],
    ['a mark without its number', '#'],
    ['followed by other text', '#4 and so on'],
    ['digits that no place has', `#${'9'.repeat(16)}`],
    ['places the wrong way round', '#17-#3'],
    ['half a place', 1.5],
    ['a place before the first', -1],
    ['a sentence that ends in one', 'see #9'],
    ['the id of a message of another conversation', 'another#9'],
    ['nothing', null],
    ['no words at all', undefined],
    ['a span of words', { from: '1', to: '2' }],
  ])('is refused where it is %s', (_, anchor) => {
    expect(() => spanOf(anchor as Anchor, id)).toThrow(
      expect.objectContaining({ code: 'SPAN_INVALID' }),
    )
  })

  it('is the same span after writing and reading it', () => {
    fc.assert(
      fc.property(fc.nat(1e12), fc.integer({ min: 1, max: 1e6 }), (from, length) => {
        const span = { from, to: from + length }
        expect(spanOf(anchorOf(span), id)).toEqual(span)
      }),
    )
  })

  it('of one message names it once', () => {
    expect(anchorOf({ from: 4, to: 5 })).toBe('#4')
    expect(anchorOf({ from: 4, to: 6 })).toBe('#4-#5')
  })

  it('is parsed in linear time', () => {
    expect(() => spanOf(`${'#1-'.repeat(300_000)}x`, id)).toThrow()
    expect(() => spanOf(`#1${' '.repeat(1_000_000)}#2 `, id)).toThrow()
  })
})
