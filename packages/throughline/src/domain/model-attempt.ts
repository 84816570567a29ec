/**
 * One question to a model, as the receipt tells it: what came of it, how long it took and
 * what it cost. Plain JSON without a word of the conversation, the excerpt of a refused answer aside.
 */
import type { Usage } from './usage.ts'

export interface ModelAttempt {
  /** From 1, over all models of a trigger. */
  readonly number: number
  /** Who was asked: provider/model. */
  readonly model: string
  /** Who answered, by the word of the provider; null where nobody did. */
  readonly answeredBy: string | null
  /** 2 for the one retry that a model gets. */
  readonly tryOfModel: 1 | 2
  /** The pause before it. */
  readonly waitedMs: number
  readonly startedAt: number
  readonly durationMs: number
  readonly outcome: AttemptOutcome
  readonly usage: Usage | null
  /** Null where the provider told no usage, or nobody told us the prices. */
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
