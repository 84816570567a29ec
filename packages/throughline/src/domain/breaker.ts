/**
 * A breaker keeps us from asking models over and over for nothing. Two tries in a row without
 * a summary open it; for a while rules do the work at once. Then one try is let through: it
 * closes the breaker, or opens it for twice as long.
 *
 * Plain JSON, kept with the conversation, so that a new process does not begin anew.
 */
export interface Breaker {
  /** Tries without effect since the last one with effect. */
  readonly ineffective: number
  /** Times that it opened since then. */
  readonly openings: number
  readonly openedAt: number | null
}

export const closedBreaker: Breaker = { ineffective: 0, openings: 0, openedAt: null }

const ineffectiveAtMost = 2
const firstOpenMs = 5 * 60_000
const longestOpenMs = 60 * 60_000

export function breakerState(breaker: Breaker, now: number): 'closed' | 'open' | 'half-open' {
  const { openedAt } = breaker
  if (openedAt === null) return 'closed'
  // A clock that was set back must not keep it open for good.
  const isOpen = now >= openedAt && now < openedAt + openMs(breaker)
  return isOpen ? 'open' : 'half-open'
}

/** After a try of all models that brought nothing, or nothing that helped. */
export function afterIneffective(breaker: Breaker, now: number): Breaker {
  const ineffective = breaker.ineffective + 1
  const opens = breaker.openedAt !== null || ineffective >= ineffectiveAtMost
  if (!opens) return { ...breaker, ineffective }
  return { ineffective, openings: breaker.openings + 1, openedAt: now }
}

function openMs({ openings }: Breaker): number {
  return Math.min(longestOpenMs, firstOpenMs * 2 ** Math.max(0, openings - 1))
}
