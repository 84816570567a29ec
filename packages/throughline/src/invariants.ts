/**
 * The numbered invariants of `docs/invariants.md` that code asserts where it is
 * cheap, also in production: a violation throws before anything is written.
 */
import { ThroughlineError } from './errors.ts'

export const INVARIANT = {
  budget: 6,
  dense: 16,
  tiled: 22,
  remembered: 24,
} as const

export function assertInvariant(
  holds: boolean,
  invariant: (typeof INVARIANT)[keyof typeof INVARIANT],
  what: string,
): asserts holds {
  if (!holds) throw new ThroughlineError('INVARIANT_BROKEN', `invariant ${invariant}: ${what}`)
}
