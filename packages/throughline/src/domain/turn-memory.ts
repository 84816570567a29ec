import type { Entity, EntityState } from './entity.ts'
import type { Seq } from './ids.ts'
import type { JsonValue } from './json.ts'
import type { Span } from './span.ts'

/** The memory of an agent's turns, as routers, planners and actors read it. */
export interface TurnMemory extends TurnKnowledge {
  /** The newest turn; 0 before the first. */
  readonly turn: number
  /** It covers the messages before this place. */
  readonly to: Seq
  /** The last turns in full, oldest first. */
  readonly recentTurns: readonly RememberedTurn[]
  /** Those confirmed by a database, the most recent of each type first. */
  readonly activeEntities: readonly Entity[]
  /** The last steps with their results, oldest first. */
  readonly steps: readonly StepRecord[]
  /** Earlier steps of the recent turns, in a line each, oldest first. */
  readonly stepDigests: readonly StepDigest[]
}

type RememberedFields =
  | ('turn' | 'user' | 'assistant' | 'messages')
  | ('routing' | 'decision' | 'entitiesMentioned')

/** A turn as it was remembered. */
export interface RememberedTurn extends Pick<TurnRecord, RememberedFields> {
  /**
   * Shown in place of the answer. Null where the answer itself is shown: also where it proposed or
   * asked something that is no longer pending.
   */
  readonly assistantSummary: string | null
  /** ISO 8601. */
  readonly timestamp: string
}

/**
 * The memory of one turn, and the agent's knowledge after it. A record changes only if messages
 * that it depends on are rewritten. The newest records form the memory. Plain JSON.
 */
export interface TurnRecord {
  /** 1, 2, … without a gap. */
  readonly turn: number
  /** The caller's key, which makes a retry harmless. */
  readonly key: string | null
  /** Its messages of the log; may be empty. */
  readonly messages: Span
  readonly at: number
  readonly user: string
  readonly assistant: string
  /** The digest of a long answer; null for a short one. */
  readonly digest: AuthoredText | null
  readonly routing: Routing | null
  readonly decision: TurnDecision | null
  /** Ids of entities that it brought or named. */
  readonly entitiesMentioned: readonly string[]
  readonly steps: readonly StepDigest[]
  /** A sentence about the turn that this one moved out of the full turns; null for none. */
  readonly compressed: (AuthoredText & { readonly turn: number }) | null
  readonly audit: TurnAudit
  readonly knows: TurnKnowledge
  /** Messages that it depended on were removed: its words are gone, its place stays. */
  readonly forgotten: boolean
}

/** A text, and who wrote it: the id of a model, or rules. */
export interface AuthoredText {
  readonly text: string
  readonly by: string
}

export const byRules = 'rules'

export interface Routing {
  readonly agent: string | null
  readonly goal: string
  readonly complexity: 'low' | 'medium' | 'high'
}

/** What an agent knows after a turn. */
export interface TurnKnowledge {
  readonly theme: Theme | null
  /** Lines for the turns that are not shown in full: from the first on, no gap, no overlap. */
  readonly history: readonly HistoryLine[]
  readonly pending: PendingDecision | null
  readonly entities: readonly Entity[]
}

/** What the conversation is about, in a sentence. */
export interface Theme extends AuthoredText {
  /** The turn that it was written after; it depends on that turn and all earlier ones. */
  readonly turn: number
}

/** One line about several turns: `from` is included, `to` is not. */
export interface HistoryLine extends AuthoredText {
  readonly from: number
  readonly to: number
}

/** A step in a line. Its whole result is kept separately, under turn and step. */
export interface StepDigest {
  readonly turn: number
  readonly step: number
  readonly description: string
  readonly subdomain: string | null
  readonly status: StepStatus
  readonly outcome: string
  readonly entityIds: readonly string[]
  /** Null where it brought no list. */
  readonly recordCount: number | null
}

export type StepStatus = 'done' | 'failed' | 'skipped'

/** A step with its whole result. */
export interface StepRecord extends StepDigest {
  readonly result: JsonValue
}

/** What a turn did, in figures and names, without a model. */
export interface TurnAudit {
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly deleted: readonly string[]
  readonly artifactsGenerated: number
  readonly artifactsSaved: number
  readonly errors: readonly AuditError[]
  readonly stepsDone: number
  readonly stepsTotal: number
}

export interface AuditError {
  readonly code: string
  readonly message: string
  readonly step: number | null
}

/** The decision of an agent's thinking step in a turn. */
export type TurnDecision = 'plan_direct' | 'propose' | 'clarify'

/** What an agent waits for: a yes to its proposal, or an answer to its questions. */
export interface PendingDecision {
  readonly kind: Exclude<TurnDecision, 'plan_direct'>
  readonly turn: number
  readonly goal: string
  /** Word for word, within a limit; null where questions were asked. */
  readonly proposal: string | null
  readonly assumptions: readonly string[]
  readonly questions: readonly string[]
  /** The plan so far, a line for each step. */
  readonly partialPlan: readonly string[]
  /** Ids of entities of the turn that wait with it. */
  readonly entityIds: readonly string[]
}

/** What an agent's loop passes after a reply: router, think, act, reply. */
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
  readonly steps: readonly string[]
  readonly proposalMessage: string | null
  readonly assumptions: readonly string[]
  readonly clarificationQuestions: readonly string[]
}

export interface StepResult extends Omit<StepRecord, 'turn' | 'step' | 'outcome'> {
  /** The caller's own line; null: rules write it. */
  readonly outcome: string | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/** An entity that a turn has created, read, changed or deleted. */
export interface TurnEntity
  extends Pick<Entity, 'id' | 'type' | 'label' | 'source' | 'subdomain' | 'data'> {
  /** Null: derived from its source. */
  readonly state: Exclude<EntityState, 'inactive'> | null
  /** Its temporary id before a write made it real. */
  readonly formerId: string | null
  readonly replaces: string | null
  /** What a write did; a deletion removes. */
  readonly action: 'create' | 'update' | 'delete' | null
  readonly succeeded: boolean
}

/** What the user has confirmed or rejected. */
export interface EntityUpdate {
  readonly id: string
  /** Needed where entities of several types have the id. */
  readonly type?: string | null | undefined
  readonly state: EntityState
}

/** The slots of a policy that show a turn memory. */
export const turnSlots = ['theme', 'history', 'entities', 'pending', 'turns', 'steps'] as const

/** A slot that shows a part of a turn memory. */
export type TurnSlot = (typeof turnSlots)[number]

/** The limits and thresholds of a turn memory. */
export interface TurnRules {
  /** A longer answer is digested into a sentence. */
  readonly responseCharacters: number
  /** So many turns are shown in full; older ones are part of the history. */
  readonly fullTurns: number
  readonly fullSteps: number
  /** A generated entity that is neither confirmed nor named for so many turns becomes inactive … */
  readonly pendingTurns: number
  /** … an active one when nothing names it for so many … */
  readonly activeTurns: number
  /** … and an inactive one is removed so many turns later. */
  readonly inactiveTurns: number
  /** From so many steps on a turn is significant: the theme is updated. */
  readonly significantSteps: number
  readonly entitiesPerType: number
  /** The most of all lines of the history together; then they are folded. */
  readonly historyCharacters: number
  readonly proposalCharacters: number
  /** The most tokens of the memory, for routers and planners … */
  readonly condensedTokens: number
  /** … and for actors. */
  readonly fullTokens: number
}
