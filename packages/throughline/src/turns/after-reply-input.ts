/** What an agent hands over behind a reply. */
import type { TurnEntity } from '../domain/agent-turn.ts'
import type { EntitySource, EntityState } from '../domain/entity.ts'
import type { TurnDecision } from '../domain/pending-decision.ts'
import type { Routing, StepStatus } from '../domain/turn-record.ts'

/** What the reply, the router, the thinker and the actor of an agent's loop leave behind. */
export interface AfterReplyInput {
  /** The text that the user was shown. Null or empty: nothing was answered, and nothing changes. */
  readonly finalResponse: string | null | undefined
  readonly userMessage: string
  readonly router?: RoutingInput | null | undefined
  readonly think?: ThoughtInput | null | undefined
  readonly steps?: readonly StepInput[] | null | undefined
  /** What the turn has created, read, changed or deleted. */
  readonly entities?: readonly EntityInput[] | null | undefined
  /** What the user has confirmed (`active`) or rejected (`inactive`). */
  readonly entityUpdates?: readonly EntityUpdateInput[] | null | undefined
}

export interface RoutingInput {
  readonly goal: string
  readonly complexity?: Routing['complexity'] | undefined
  readonly agent?: string | null | undefined
}

export interface ThoughtInput {
  readonly decision: TurnDecision
  readonly goal?: string | undefined
  /** What is to be done: a line for each step, or an object with a `description`. */
  readonly steps?: readonly (string | { readonly description: string })[] | null | undefined
  readonly proposalMessage?: string | null | undefined
  readonly assumptions?: readonly string[] | null | undefined
  readonly clarificationQuestions?: readonly string[] | null | undefined
}

export interface StepInput {
  readonly description: string
  /** Anything that JSON can hold; kept whole. */
  readonly result?: unknown
  readonly status?: StepStatus | undefined
  readonly subdomain?: string | null | undefined
  /** One line on what came of it; made by rules where it is left out. */
  readonly outcome?: string | null | undefined
  readonly entityIds?: readonly (string | number)[] | null | undefined
  readonly recordCount?: number | null | undefined
  readonly error?: { readonly code?: string; readonly message: string } | null | undefined
}

export interface EntityInput {
  /** That of the database, or a temporary one. */
  readonly id: string | number
  readonly type: string
  readonly label: string
  readonly source: EntitySource
  readonly state?: 'pending' | 'active' | undefined
  /** The temporary id that a write has made real. */
  readonly formerId?: string | number | null | undefined
  /** The entity whose place it takes. */
  readonly replaces?: string | number | null | undefined
  readonly action?: TurnEntity['action'] | undefined
  /** False where a write failed; such an entity is not promoted. */
  readonly succeeded?: boolean | undefined
  readonly subdomain?: string | null | undefined
  readonly data?: unknown
}

export interface EntityUpdateInput {
  readonly id: string | number
  /** Needed where entities of several types have the id. */
  readonly type?: string | null | undefined
  readonly state: EntityState
}
