import type { Seq } from './ids.ts'
import type { Usage } from './usage.ts'

/**
 * One call of a model, as the receipt shows it. Plain JSON without a word of the conversation, the
 * excerpt of a refused answer aside.
 */
export interface ModelAttempt {
  /** From 1, over all models of a trigger. */
  readonly number: number
  /** Who was asked: provider/model. */
  readonly model: string
  /** Who answered, by the word of the provider; null where nobody did. */
  readonly answeredBy: string | null
  /** 2 for the one retry that a model gets. */
  readonly tryOfModel: 1 | 2
  readonly waitedMs: number
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: AttemptOutcome
  readonly usage: Usage | null
  /** Null where the provider reported no usage, or the prices are unknown. */
  readonly costUsd: number | null
  /** What counts against the limits: the cost, or the most that it can have been. */
  readonly chargedUsd: number
}

export type AttemptOutcome =
  | { readonly kind: 'accepted' }
  /** The answer was not good enough, which is not asked twice. */
  | {
      readonly kind: 'refused'
      readonly reasons: readonly string[]
      /** Sanitised, at most 200 characters. */
      readonly excerpt: string
    }
  | {
      readonly kind: 'failed'
      readonly cause: 'transport' | 'refused' | 'timeout' | 'aborted' | 'invalid'
      readonly status: number | null
      readonly retryAfterMs: number | null
      readonly message: string
    }

/** Every attempt that has started ends. */
export type ModelEvent =
  | {
      readonly kind: 'model-attempt-started'
      readonly number: number
      readonly model: string
      readonly at: number
    }
  | { readonly kind: 'model-attempt-ended'; readonly attempt: ModelAttempt }

/**
 * A breaker keeps us from asking models over and over for nothing. Two tries in a row without
 * a summary open it; for a while rules do the work at once. Then one try is let through: it
 * closes the breaker, or opens it for twice as long.
 *
 * Plain JSON, kept with the conversation, so that a new process does not begin anew.
 */
interface Breaker {
  /** Tries without effect since the last one with effect. */
  readonly ineffective: number
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

/** Whether models brought summaries lately, and what they cost. */
export interface AskState {
  readonly breaker: Breaker
  /** Calls of the last hour, oldest first. */
  readonly spent: readonly Spent[]
  /** The line that the last summary was to tell up to, where none came of it; else null. */
  readonly failedTo: Seq | null
}

/** What one call cost, and when. */
export interface Spent {
  readonly at: number
  readonly usd: number
}

export const newAskState: AskState = { breaker: closedBreaker, spent: [], failedTo: null }

/** How much models may be asked, for one compaction and in an hour. */
export interface AskLimits {
  readonly calls: number
  readonly timeMs: number
  /** Null: no limit on money. With one, models of unknown prices are not asked. */
  readonly usd: number | null
  readonly callsPerHour: number
  readonly usdPerHour: number | null
}
