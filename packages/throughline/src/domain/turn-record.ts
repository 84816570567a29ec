/**
 * What an agent remembers of one turn, and what it knows behind it. A record never changes but
 * where messages that it rests on are rewritten; the newest few are the memory. Plain JSON.
 */
import type { Entity } from './entity.ts'
import type { JsonValue } from './json.ts'
import type { PendingDecision, TurnDecision } from './pending-decision.ts'
import type { Span } from './span.ts'

export interface TurnRecord {
  /** 1, 2, … without a gap. */
  readonly turn: number
  /** The caller's name for it, which makes a retry harmless. */
  readonly key: string | null
  /** The messages of the log that came with it; empty where none did. */
  readonly messages: Span
  readonly at: number
  /** What the user said and what was answered, whole. */
  readonly user: string
  readonly assistant: string
  /** What stands for a long answer; null where the answer is short enough itself. */
  readonly digest: ToldText | null
  readonly routing: Routing | null
  readonly decision: TurnDecision | null
  /** Ids of entities that it brought or named. */
  readonly entitiesMentioned: readonly string[]
  readonly steps: readonly StepDigest[]
  /** The turn that is shown no longer in full since this one, in a sentence; null where none was. */
  readonly compressed: (ToldText & { readonly turn: number }) | null
  readonly audit: TurnAudit
  /** What is known behind it. */
  readonly knows: TurnKnowledge
  /** Messages that it rested on were removed: its words are gone, its place stays. */
  readonly forgotten: boolean
}

/** A text, and who has written it: the id of a model, or rules. */
export interface ToldText {
  readonly text: string
  readonly by: string
}

/** Who writes where no model does. */
export const byRules = 'rules'

export interface Routing {
  readonly agent: string | null
  readonly goal: string
  readonly complexity: 'low' | 'medium' | 'high'
}

export interface TurnKnowledge {
  readonly theme: Theme | null
  /** Lines that tile the turns that are not shown in full: from the first on, no gap, no overlap. */
  readonly history: readonly HistoryLine[]
  readonly pending: PendingDecision | null
  /** Every entity that is tracked, in the order in which they came. */
  readonly entities: readonly Entity[]
}

/** What the conversation is about, in a sentence. */
export interface Theme extends ToldText {
  /** The turn that it was made for; it rests on all before it too. */
  readonly turn: number
}

/** Some turns in a line; `from` in it, `to` not. */
export interface HistoryLine extends ToldText {
  readonly from: number
  readonly to: number
}

/** A step in a line. Its result is kept beside, whole, under turn and step. */
export interface StepDigest {
  readonly turn: number
  /** 0, 1, … in its turn. */
  readonly step: number
  readonly description: string
  readonly subdomain: string | null
  readonly status: StepStatus
  /** One line. */
  readonly outcome: string
  readonly entityIds: readonly string[]
  /** Null where it brought no list. */
  readonly recordCount: number | null
}

export type StepStatus = 'done' | 'failed' | 'skipped'

export interface StepRecord extends StepDigest {
  readonly result: JsonValue
}

/** What a turn did, in figures and names; no model has a part in it. */
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
