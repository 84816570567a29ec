import { describe, expect, it } from 'vitest'
import { addSizes, noSize } from '../../domain/context.ts'
import { build } from '../../testing/build.ts'
import type { SelectedMessages } from '../project/records.ts'
import { candidatesOf, options, words } from './candidates.test-support.ts'
import { select } from './select.ts'
import { assertTiled } from './select-options.ts'

const given = candidatesOf(
  build().user('Go.').calls('read').result(words(500)).calls('read').result(words(500)).says('ok'),
)
const sizeFrom = (line: number) => addSizes(given.candidates.slice(line).map(({ size }) => size))
const valid: SelectedMessages = { line: 3, keeps: [], stubs: [], size: sizeFrom(3) }
const [stub] = select(given, options(given, 1_000, 300)).stubs

describe('what is shown and what is left out (invariant 22)', () => {
  it('tile the log', () => {
    expect(() => assertTiled(given, valid, noSize)).not.toThrow()
    const kept = {
      ...valid,
      keeps: [0],
      size: addSizes([sizeFrom(3), given.candidates[0]?.size ?? noSize]),
    }
    expect(() => assertTiled(given, kept, noSize)).not.toThrow()
  })

  it.each<[string, Partial<SelectedMessages>]>([
    ['a line behind the end', { line: 7 }],
    ['the message at the line as kept', { keeps: [3] }],
    ['a message that is kept and shown', { keeps: [4] }],
    ['a message that is kept twice', { keeps: [0, 0] }],
    ['a message that nobody knows', { keeps: [-1] }],
    ['a stub of what is left out', { stubs: stub === undefined ? [] : [{ ...stub, seq: 1 }] }],
    ['a stub of what is not there', { stubs: stub === undefined ? [] : [{ ...stub, seq: 9 }] }],
    ['a message that is shown and not counted', { line: 1 }],
    ['a message that is counted and not shown', { line: 5 }],
  ])('refuses %s', (_, wrong) => {
    expect(() => assertTiled(given, { ...valid, ...wrong }, noSize)).toThrow(
      expect.objectContaining({ code: 'INVARIANT_BROKEN' }),
    )
  })

  it('may have its line at either end of the candidates, and no farther', () => {
    const later = { ...given, candidates: given.candidates.slice(1) }
    expect(() => assertTiled(given, { ...valid, line: 6, size: noSize }, noSize)).not.toThrow()
    expect(() => assertTiled(later, { ...valid, line: 1, size: sizeFrom(1) }, noSize)).not.toThrow()
    expect(() => assertTiled(later, { ...valid, line: 0, size: sizeFrom(1) }, noSize)).toThrow(
      'the line 0 is not within 1 to 6',
    )
  })

  it('names the first message that is misplaced', () => {
    const wrong = { ...valid, keeps: [3, 4] }
    expect(() => assertTiled(given, wrong, noSize)).toThrow('#3 is kept, and the line is 3')
  })

  it('refuses a gap', () => {
    const candidates = given.candidates.toSpliced(2, 1)
    expect(() => assertTiled({ ...given, candidates }, valid, noSize)).toThrow('#2 is missing')
  })
})
