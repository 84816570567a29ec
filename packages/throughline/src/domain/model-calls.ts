import type { Seq } from './ids.ts'
import type { Usage } from './usage.ts'

/** One call of a model, for the receipt. Of its words only the excerpt of a refused answer. */
export interface ModelAttempt {
  /** From 1, over all models of a trigger. */
  readonly number: number
  readonly model: string
  /** The model that answered, as the provider reports; null without an answer. */
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
  /** The gate rejected the answer; the model is not asked again. */
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

/** Every attempt that starts also ends. */
export type ModelEvent =
  | {
      readonly kind: 'model-attempt-started'
      readonly number: number
      readonly model: string
      readonly at: number
    }
  | { readonly kind: 'model-attempt-ended'; readonly attempt: ModelAttempt }

/**
 * A breaker stops asking models in vain. Two attempts in a row without a summary open it, and rules
 * do the work for a while. Then one attempt closes it, or opens it for twice as long. Plain JSON,
 * kept with the conversation across processes.
 */
interface Breaker {
  /** Attempts without effect since the last one with effect. */
  readonly ineffective: number
  readonly openings: number
  readonly openedAt: number | null
}

export const closedBreaker: Breaker = { ineffective: 0, openings: 0, openedAt: null }
const maxIneffective = 2
const firstOpenMs = 5 * 60_000
const maxOpenMs = 60 * 60_000

export function breakerState(breaker: Breaker, now: number): 'closed' | 'open' | 'half-open' {
  const { openedAt } = breaker
  if (openedAt === null) return 'closed'
  // A clock that was set back must not keep it open for good.
  return now >= openedAt && now < openedAt + openMs(breaker) ? 'open' : 'half-open'
}

/** After all models were asked and none returned a usable summary. */
export function afterIneffective(breaker: Breaker, now: number): Breaker {
  const ineffective = breaker.ineffective + 1
  const opens = breaker.openedAt !== null || ineffective >= maxIneffective
  if (!opens) return { ...breaker, ineffective }
  return { ineffective, openings: breaker.openings + 1, openedAt: now }
}

function openMs({ openings }: Breaker): number {
  return Math.min(maxOpenMs, firstOpenMs * 2 ** Math.max(0, openings - 1))
}

/** Whether models brought summaries lately, and what they cost. */
export interface AskState {
  readonly breaker: Breaker
  readonly spent: readonly Spent[]
  /** The line of the last requested summary, if that failed; else null. */
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
