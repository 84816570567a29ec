/** What the steps of an agent's loop hand over behind a reply: router, think, act, reply. */
import type { EntitySource, EntityState } from './entity.ts'
import type { JsonValue } from './json.ts'
import type { TurnDecision } from './pending-decision.ts'
import type { Routing, StepStatus } from './turn-record.ts'

export interface AgentTurn {
  readonly finalResponse: string
  readonly userMessage: string
  readonly router: Routing | null
  readonly think: Thought | null
  readonly steps: readonly StepResult[]
  readonly entities: readonly TurnEntity[]
  readonly entityUpdates: readonly EntityUpdate[]
}

export interface Thought {
  readonly goal: string
  readonly decision: TurnDecision
  /** What is to be done, a line for each step. */
  readonly steps: readonly string[]
  readonly proposalMessage: string | null
  readonly assumptions: readonly string[]
  readonly clarificationQuestions: readonly string[]
}

export interface StepResult {
  readonly description: string
  readonly subdomain: string | null
  readonly status: StepStatus
  readonly result: JsonValue
  /** One line of the caller's own; null: made by rules. */
  readonly outcome: string | null
  readonly entityIds: readonly string[]
  readonly recordCount: number | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/** An entity that a turn has created, read, changed or deleted. */
export interface TurnEntity {
  readonly id: string
  readonly type: string
  readonly label: string
  readonly source: EntitySource
  /** Null: by its source. */
  readonly state: Exclude<EntityState, 'inactive'> | null
  /** Its temporary id before a write made it real. */
  readonly formerId: string | null
  /** The entity whose place it takes. */
  readonly replaces: string | null
  /** What a write did; a deletion removes. */
  readonly action: 'create' | 'update' | 'delete' | null
  /** Whether the write or read went well. */
  readonly succeeded: boolean
  readonly subdomain: string | null
  readonly data: JsonValue | null
}

/** What the user has confirmed or rejected. */
export interface EntityUpdate {
  readonly id: string
  /** Needed where entities of several types have the id. */
  readonly type?: string | null | undefined
  readonly state: EntityState
}
