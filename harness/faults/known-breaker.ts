/**
 * What the breaker must be by what was told live, kept apart from the engine's own: two tries
 * in a row without a summary open it for five minutes, and each further one for twice as long,
 * up to an hour.
 */
import type { LiveEvent } from 'throughline'

export interface KnownBreaker {
  readonly without: number
  readonly openings: number
  readonly openTo: number | null
}

export const newBreaker: KnownBreaker = { without: 0, openings: 0, openTo: null }

const minuteMs = 60_000

export function breakerState(
  { openTo }: KnownBreaker,
  now: number,
): 'closed' | 'open' | 'half-open' {
  if (openTo === null) return 'closed'
  return now < openTo ? 'open' : 'half-open'
}

export function breakerAfter(
  breaker: KnownBreaker,
  live: readonly LiveEvent[],
  at: number,
): KnownBreaker {
  return live.reduce((known, event) => afterEvent(known, event, at), breaker)
}

function afterEvent(breaker: KnownBreaker, event: LiveEvent, at: number): KnownBreaker {
  if (event.kind !== 'summarization-finished' && event.kind !== 'summarization-failed')
    return breaker
  const { attempts, why } = event.summarization
  if (attempts.length === 0 || why === 'aborted') return breaker
  if (why === null) return newBreaker
  // Some of it was told before a try failed.
  const before = event.kind === 'summarization-finished' ? newBreaker : breaker
  const without = before.without + 1
  if (without < 2 && before.openTo === null) return { ...before, without }
  const openings = before.openings + 1
  const openMs = Math.min(60, 5 * 2 ** (openings - 1)) * minuteMs
  return { without, openings, openTo: at + openMs }
}
