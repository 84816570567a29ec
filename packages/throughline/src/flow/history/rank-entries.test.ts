import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nthLargest } from './rank-entries.ts'

describe('nthLargest', () => {
  it('finds what sorting finds, also among equal values', () => {
    const values = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(values, fc.nat(), (numbers, from) => {
        const all = Float64Array.from(numbers, (number) => number / 7)
        const place = 1 + (from % all.length)
        expect(nthLargest(all, place)).toBe(all.toSorted().at(-place))
      }),
    )
  })

  it('leaves the values as they are, and finds nothing beyond them', () => {
    const values = Float64Array.of(3, 1, 2)
    expect(nthLargest(values, 4)).toBeUndefined()
    expect([...values]).toEqual([3, 1, 2])
  })
})
