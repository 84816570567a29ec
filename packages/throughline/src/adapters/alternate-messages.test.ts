import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from './alternate-messages.ts'

const equal = ([first]: readonly number[], next: number) => first === next

describe('runs', () => {
  it('group neighbours of one kind', () => {
    expect(runsOf([1, 1, 2, 1, 1, 1], equal)).toEqual([[1, 1], [2], [1, 1, 1]])
    expect(runsOf([], equal)).toEqual([])
  })

  it('compare each item with its whole run', () => {
    expect(runsOf([1, 2, 3, 7, 8], (run, next) => next === (run.at(-1) ?? 0) + 1)).toEqual([
      [1, 2, 3],
      [7, 8],
    ])
  })

  it('keep every item in order, and alternate', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2)), (items) => {
        const runs = runsOf(items, equal)
        expect(runs.flat()).toEqual(items)
        for (const run of runs) expect(new Set(run).size).toBe(1)
        for (const [at, run] of runs.entries()) expect(runs[at - 1]?.[0]).not.toBe(run[0])
      }),
    )
  })
})
