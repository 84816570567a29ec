/** Choices on top of seeded chance: the same seed makes the same history everywhere. */
import { type Random, seededRandom } from '../seeded-random.ts'

export interface Chance {
  /** A whole number from 0 to below the bound. */
  readonly below: Random
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  /** True once in so many times. */
  once(inTimes: number): boolean
  pick<Value>(values: readonly [Value, ...Value[]]): Value
  /** Made `count` times. */
  times<Value>(count: number, make: (index: number) => Value): readonly Value[]
}

export function chanceOf(name: string): Chance {
  const below = seededRandom(name)
  return {
    below,
    between: (from, to) => from + below(to - from + 1),
    once: (inTimes) => below(inTimes) === 0,
    pick: (values) => values[below(values.length)] ?? values[0],
    times: (count, make) => Array.from({ length: count }, (_, index) => make(index)),
  }
}
