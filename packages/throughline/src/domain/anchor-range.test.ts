import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversationId, messageId } from './ids.ts'
import { type Anchor, type AnchorRange, anchorRangesAt, anchorRangesOf, anchorsOf } from './span.ts'

const id = conversationId('invoice-thread-7')
const read = (anchor: Anchor) => anchorsOf(anchorRangesOf(anchor, id))

describe('anchor ranges', () => {
  it.each<[string, Anchor, string]>([
    ['one message', '#412', '#412'],
    ['a run of them', '#3-17', '#3-#17'],
    ['the anchors of an entry', '#3, #17-#19', '#3, #17-#19'],
    ['the anchors of a file, side by side', '#3 #17 #19', '#3, #17, #19'],
    ['anchors without anything between', '#3#17', '#3, #17'],
    ['the words of a note', '#0 to #56; #60', '#0-#56, #60'],
    ['a place within a message', '#412+8000', '#412+8000'],
    ['a run from within a message on', '#412+8000-#415', '#412+8000-#415'],
    ['anchors in any order', '#9, #2', '#2, #9'],
    ['the same message twice', '#9, #8-#10, #9', '#8-#10'],
    ['runs that meet', '#3, #4, #5-#7', '#3-#7'],
    ['a message from two places on', '#9+20, #9+10', '#9+10'],
    ['a message, and its end once more', '#8-#9, #9+10', '#8-#9'],
    ['a message, and the end of the next', '#8, #9+10', '#8, #9+10'],
    ['ids of messages', `${messageId(id, 5)}, ${messageId(id, 7)}`, '#5, #7'],
    ['a place', 7, '#7'],
    ['a span', { from: 3, to: 6 }, '#3-#5'],
    ['a span of nothing', { from: 3, to: 3 }, ''],
  ])('are read from %s', (_, anchor, expected) => {
    expect(read(anchor)).toBe(expected)
  })

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['a number without its mark', '#3, 17'],
    ['a separator at the end', '#3,'],
    ['words', '#4 and so on'],
    ['digits that no place has', `#${'9'.repeat(16)}`],
    ['places the wrong way round', '#17-#3'],
    ['a message of another conversation', 'another#9'],
    ['more than anybody reads', '#1 '.repeat(101).trim()],
    ['no words at all', undefined],
  ])('are refused where there is %s', (_, anchor) => {
    expect(() => read(anchor as Anchor)).toThrow(expect.objectContaining({ code: 'SPAN_INVALID' }))
  })

  it('of the sources of an entry are in order', () => {
    expect(anchorsOf(anchorRangesAt([17, 3, 4, 17]))).toBe('#3-#4, #17')
  })

  it('are the same after writing and reading them', () => {
    const range = fc.record({
      from: fc.nat(40),
      length: fc.integer({ min: 1, max: 5 }),
      character: fc.oneof(fc.constant(0), fc.nat(1e6)),
    })
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 12 }), (drawn) => {
        const asked = drawn.map(
          ({ from, length, character }): AnchorRange => ({ from, to: from + length, character }),
        )
        const ranges = anchorRangesOf(anchorsOf(asked), id)
        expect(anchorRangesOf(anchorsOf(ranges), id)).toEqual(ranges)
        const places = (of: readonly AnchorRange[]) =>
          of.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at))
        expect(places(ranges)).toEqual(
          [...new Set(places(asked))].sort((left, right) => left - right),
        )
      }),
    )
  })

  it('are parsed in linear time', () => {
    expect(() => read(`${'#1-'.repeat(300_000)}x`)).toThrow()
    expect(() => read(`#1${' '.repeat(1_000_000)}#2 `)).toThrow()
    expect(() => read('9'.repeat(1_000_000))).toThrow()
  })
})
