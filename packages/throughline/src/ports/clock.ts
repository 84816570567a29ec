/** Time, handed in: tests set it, and nothing in the engine is ordered by it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}
