/** The commands of a store about what an agent remembers of its turns. */
import type { AskState } from '../domain/asking.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { StepRecord, TurnRecord } from '../domain/turn-record.ts'

/** An agent has remembered a turn: the one behind the newest that there is. */
export interface Remembered {
  readonly record: TurnRecord
  readonly steps: readonly StepRecord[]
  /** Null where no model was asked. */
  readonly asking: AskState | null
}

export interface TurnsQuery {
  readonly id: ConversationId
  /** Only turns before this one; null for all. */
  readonly before: number | null
  readonly limit: number
}

export interface StepsQuery {
  readonly id: ConversationId
  /** Only those of this turn; null for all. */
  readonly turn: number | null
  /** Only this step of it; null for all. */
  readonly step: number | null
  readonly limit: number
}
