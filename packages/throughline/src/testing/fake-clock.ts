import type { Clock } from '../ports/clock.ts'

/** A clock that a test sets. */
export interface FakeClock extends Clock {
  set(milliseconds: number): void
}

/**
 * Creates a clock that tests can set, also backwards.
 *
 * @example
 * const clock = fakeClock()
 * const engine = createThroughline({ clock })
 * clock.set(clock.now() + 60_000)
 */
export function fakeClock(start = 1_700_000_000_000): FakeClock {
  let time = start
  return {
    now: () => time,
    set: (milliseconds) => {
      time = milliseconds
    },
  }
}
