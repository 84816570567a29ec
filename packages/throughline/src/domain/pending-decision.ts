/** What an agent waits for: the user's yes to a proposal, or an answer to its questions. Plain JSON. */

/** What the thinking step of an agent has decided to do in a turn. */
export type TurnDecision = 'plan_direct' | 'propose' | 'clarify'

export interface PendingDecision {
  readonly kind: Exclude<TurnDecision, 'plan_direct'>
  /** The turn that asked. */
  readonly turn: number
  readonly goal: string
  /** Word for word, within a limit; null where questions were asked. */
  readonly proposal: string | null
  readonly assumptions: readonly string[]
  readonly questions: readonly string[]
  /** What was planned so far, a line for each step. */
  readonly partialPlan: readonly string[]
  /** Ids of entities of the turn that wait with it. */
  readonly entityIds: readonly string[]
}
