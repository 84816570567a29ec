/** What selecting goes by: the limits of the request, and the rules of the policy. */
import { resolveAmount } from '../../domain/amount.ts'
import type { KeepRecent, Policy } from '../../domain/policy.ts'
import type { Size } from '../../domain/size.ts'
import type { Judged } from '../classify/classify.ts'
import type { Meter } from '../measure/measure.ts'

export interface SelectOptions {
  /** What the request holds besides the messages. */
  readonly fixed: Size
  /** How much of that stands for what is not shown: it does not drive out what was said last. */
  readonly pastTokens?: number
  readonly limits: Limits
  readonly keepRecent: KeepRecent
  readonly judged: Judged
  readonly stubTokens: number
  readonly stubLeastTokens: number
  /** The most for what is kept of before the line, together. */
  readonly keptTokens?: number
  readonly meter: Meter
}

interface Limits {
  readonly targetTokens: number
  readonly availableTokens: number
  /** From so many on, the next request would be compacted again. */
  readonly triggerTokens?: number
  /** The measure that the hard limit is in. */
  hard(size: Size): number
  /** The most of it. */
  readonly hardTokens: number
  /** What is filled up with what has room again, where that is less than the most. */
  readonly filledTokens?: number
}

/** The options with how far down to go, while the tail stays as it is. */
export interface SelectionGoal extends SelectOptions {
  /** The unit with which the tail begins. */
  readonly tail: number
  readonly goalTokens: number
  /** In the measure of the hard limit, where that is nearer. */
  readonly goalHard: number
}

/** Excerpts end a little short of what they may have. */
export const aboveTarget = 1.08
/** How much of a stubbed message stays. */
export function stubTokensOf({ tokens, least, most }: Policy['stub'], ofTokens: number): number {
  return Math.min(most, Math.max(least, resolveAmount(tokens, ofTokens)))
}

/** About what a note costs. */
export const noteTokens = 24
