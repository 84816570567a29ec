/** How much models may be asked, for one trigger and in an hour, and what was spent. */
import type { Breaker } from '../domain/breaker.ts'
import { closedBreaker } from '../domain/breaker.ts'

export interface AskLimits {
  readonly calls: number
  readonly timeMs: number
  /** Null: no limit on money. With one, models whose prices nobody told are not asked. */
  readonly usd: number | null
  /** A provider that wants to be left alone for longer is not asked again this time. */
  readonly retryAfterMs: number
  readonly callsPerHour: number
  readonly usdPerHour: number | null
}

export const defaultAskLimits: AskLimits = {
  // One that works, and a failure with its retry before it.
  calls: 3,
  // Two models that hang for their whole 60 s.
  timeMs: 120_000,
  usd: null,
  // Longer, and rules have done the work long ago.
  retryAfterMs: 10_000,
  // A call a minute is more than a conversation that works ever needs.
  callsPerHour: 60,
  usdPerHour: null,
}

/** Plain JSON that is kept with the conversation. */
export interface AskState {
  readonly breaker: Breaker
  /** Calls of the last hour, oldest first. */
  readonly spent: readonly Spent[]
}

export interface Spent {
  readonly at: number
  readonly usd: number
}

export const newAskState: AskState = { breaker: closedBreaker, spent: [] }

const hourMs = 3_600_000

/** What is older than an hour counts no more, nor what a clock that was set back left behind. */
export function spentLately(spent: readonly Spent[], now: number): readonly Spent[] {
  return spent.filter(({ at }) => Math.abs(now - at) < hourMs)
}

export function sumUsd(spent: readonly Spent[]): number {
  return spent.reduce((sum, { usd }) => sum + usd, 0)
}
