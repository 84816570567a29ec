/**
 * What a conversation remembers of asking models for summaries: whether that helped lately,
 * and what it has cost. Plain JSON, kept with the conversation, so that a new process goes on
 * with it.
 */
import { type Breaker, closedBreaker } from './breaker.ts'
import type { Seq } from './ids.ts'

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
  /** Null: no limit on money. With one, models whose prices nobody told are not asked. */
  readonly usd: number | null
  readonly callsPerHour: number
  readonly usdPerHour: number | null
}
