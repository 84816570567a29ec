/** Deterministic random numbers: the same on every machine and in every run. */

/** A whole number from 0 to below the bound. */
export type Random = (below: number) => number

/** Seeded by a name: the same numbers wherever it runs. */
export function seededRandom(name: string): Random {
  let state = 0
  for (const letter of name) state = (Math.imul(state, 31) + letter.charCodeAt(0)) | 0
  const next = mulberry32(state)
  return (below) => next() % below
}

/** Numbers from 0 to below 1 that depend on the seed alone. */
export function seededFractions(seed: number): () => number {
  const next = mulberry32(seed | 0)
  return () => next() / 2 ** 32
}

/** Whole numbers from 0 to below 2 ** 32. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

/** Choices on top of seeded random numbers: the same seed makes the same history everywhere. */
export interface Chance {
  /** A whole number from 0 to below the bound. */
  readonly below: Random
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  /** True once in this many times, on average. */
  once(inTimes: number): boolean
  pick<Value>(values: readonly [Value, ...Value[]]): Value
  /** Calls `make` `count` times. */
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
