/** What an agent remembers of its turns, as those who route, plan and act read it. Plain JSON. */
import type { Entity } from './entity.ts'
import type { Seq } from './ids.ts'
import type { PendingDecision, TurnDecision } from './pending-decision.ts'
import type { Span } from './span.ts'
import type { HistoryLine, Routing, StepDigest, StepRecord, Theme } from './turn-record.ts'

export interface TurnMemory {
  /** The newest turn; 0 before the first. */
  readonly turn: number
  /** Messages of the log before this place are told by it. */
  readonly to: Seq
  /** The last turns in full, oldest first. */
  readonly recentTurns: readonly RememberedTurn[]
  /** The turns before those, in lines that tile them. */
  readonly history: readonly HistoryLine[]
  readonly theme: Theme | null
  /** Those that a database has answered for, the most recent of each type first. */
  readonly activeEntities: readonly Entity[]
  /** The registry: every entity that is tracked. */
  readonly entities: readonly Entity[]
  /** The last steps with their results, oldest first. */
  readonly steps: readonly StepRecord[]
  /** Those before them, as far as the recent turns go, in a line each, oldest first. */
  readonly stepDigests: readonly StepDigest[]
  readonly pending: PendingDecision | null
}

export interface RememberedTurn {
  readonly turn: number
  readonly user: string
  readonly assistant: string
  /**
   * What is shown in place of the answer; null where that is shown itself, as it also is where it
   * proposed or asked something that is no longer pending.
   */
  readonly assistantSummary: string | null
  /** ISO 8601. */
  readonly timestamp: string
  readonly routing: Routing | null
  readonly decision: TurnDecision | null
  readonly entitiesMentioned: readonly string[]
  readonly messages: Span
}
