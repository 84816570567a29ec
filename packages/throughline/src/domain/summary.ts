import type { MessageId, Seq } from './ids.ts'
import type { FactTrust } from './ledger.ts'
import type { ModelAttempt } from './model-calls.ts'
import type { Span } from './span.ts'

/**
 * A summary that a model has written and the gate has accepted. It covers all messages before its
 * end; the one that it extends is its parent, and both are kept. Plain JSON.
 */
export interface SummaryRecord extends Draft {
  readonly id: string
  /** All messages that it covers, those of its parent included. */
  readonly covers: Span
  /** The messages that it adds to its parent. */
  readonly added: Span
  /** The end of the log when it was requested: later messages are counted from there. */
  readonly head: number
  /** The chain hash of the covered messages: in another history the summary is invalid. */
  readonly chain: string
  readonly parentId: string | null
  /** 0 for the root of a chain, and never more than the cap less one. */
  readonly depth: number
  readonly generation: number
  /** 1 for the first summary, and one more for each that replaces it. */
  readonly version: number
  /** Tokens of its text, as counted for its model. */
  readonly tokens: number
  /** Tokens of the models for it and for its predecessors, as reported or counted. */
  readonly tokensUsed: number
  readonly madeBy: MadeBy
  /** It covers less than requested: an answer was cut off, or a limit was reached. */
  readonly degraded: boolean
  /** The least trusted of its messages. */
  readonly trust: FactTrust
  readonly account: SummaryAccount
  readonly createdAt: number
}

/** A summary as a store has it. */
export interface KeptSummary extends SummaryRecord {
  /** The compactions that showed it were undone: no summary extends it. */
  readonly withdrawn: boolean
  /** The ids of the messages in `added`. */
  readonly originalMessageIds: readonly MessageId[]
}

/** The calls and cost of a summary, and what the gate found. */
export interface SummaryAccount {
  readonly attempts: readonly ModelAttempt[]
  readonly passedOver: readonly PassedOver[]
  readonly repairs: readonly DraftRepair[]
  readonly marks: readonly DraftMark[]
  /** Null where any of the calls has no known cost. */
  readonly costUsd: number | null
  readonly durationMs: number
}

export const noAccount: SummaryAccount = {
  attempts: [],
  passedOver: [],
  repairs: [],
  marks: [],
  costUsd: 0,
  durationMs: 0,
}

export interface MadeBy {
  /** The style: `structured`, `running`, `digest`; `person` for one written by hand. */
  readonly summarizer: string
  readonly version: number
  readonly model: string
  readonly promptHash: string
}

/** The account of one attempt at a summary, for the receipt. Plain JSON. */
export interface Summarization extends SummaryAccount {
  /** The resulting summary; null where rules wrote the history instead. */
  readonly summaryId: string | null
  /** The style that wrote it, or was tried last. */
  readonly style: string
  readonly depth: number
  readonly generation: number
  /** The messages that it was asked to cover. */
  readonly asked: Span
  /** The end of the messages that it covers. */
  readonly coveredTo: number
  readonly why: SummarizationStop | null
}

/** `all-failed`: all models were asked. `no-model`: there was no model to ask. */
export type SummarizationStop =
  | 'breaker-open'
  | 'aborted'
  | 'time'
  | 'calls'
  | 'calls-per-hour'
  | 'all-failed'
  | 'no-model'
  /** All messages were noise. */
  | 'nothing-to-summarize'
  /** Another summary was first, or the one that it extends was withdrawn or corrected. */
  | 'superseded'
  /** Messages were edited, removed or purged while it was written. */
  | 'history-changed'

/** A model that was not asked, or not asked again. */
export interface PassedOver {
  readonly model: string
  readonly why: 'does-not-fit' | 'price-unknown' | 'money' | 'money-per-hour' | 'wait-too-long'
}

/** A summary by a model, before the gate. */
export interface Draft {
  readonly text: string
  readonly keyPoints: readonly string[]
  readonly facets: Facets | null
}

/** The lists of a structured summary; empty where there is nothing. */
export interface Facets {
  readonly participants: readonly string[]
  readonly decisions: readonly string[]
  readonly actionItems: readonly ActionItem[]
  readonly unresolved: readonly string[]
  /** Names of files, classes, APIs and the like. */
  readonly domainEntities: readonly string[]
  readonly tone: string | null
  readonly userFacts: readonly string[]
  readonly references: readonly string[]
}

export interface ActionItem {
  readonly owner: string | null
  readonly task: string
  readonly due: string | null
}

/** What was repaired before the draft was accepted. */
export type DraftRepair =
  | { readonly kind: 'thinking-removed' }
  | { readonly kind: 'value-replaced'; readonly from: string; readonly to: string }
  | { readonly kind: 'passage-removed'; readonly values: readonly string[] }

/**
 * A doubt about an accepted draft. `little-in-common`: it shares so few words with the messages
 * that it may be about something else. `written-by-rules`: no model has summarized it.
 */
export interface DraftMark {
  readonly kind:
    | 'little-in-common'
    | 'other-language'
    | 'unknown-name'
    | 'unknown-quote'
    | 'proposal-as-done'
    | 'written-by-rules'
  readonly text: string
}

/**
 * The place of a summary in its chain. The cap bounds how often a summary is made from a summary,
 * not the length of a conversation: at the cap the chain is folded into a new root of the next
 * generation, which still names its predecessor.
 */
export function nextLink(
  last: Pick<SummaryRecord, 'depth' | 'generation' | 'id'> | null,
  maxDepth: number,
): Pick<SummaryRecord, 'depth' | 'generation' | 'parentId'> {
  if (last === null) return { depth: 0, generation: 0, parentId: null }
  const depth = last.depth + 1
  return depth < maxDepth
    ? { depth, generation: last.generation, parentId: last.id }
    : { depth: 0, generation: last.generation + 1, parentId: last.id }
}

/** A model's digest of a message that is too large; its stub shows it from the next epoch on. */
export interface DigestRecord {
  readonly seq: Seq
  readonly text: string
  readonly madeBy: MadeBy
  /** Parts of it are excerpts, because no model has summarized them. */
  readonly degraded: boolean
  readonly createdAt: number
}

/** A summary as a record: its text, how many messages it covers, and when it was made. */
export interface ConversationSummary {
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly content: string
  readonly tokensUsed: number
  readonly messagesIncluded: number
  /** 1 for the first, and one more with each update. */
  readonly version: number
  /** Nothing in it comes from tools, files or documents. */
  readonly withoutTools: boolean
}

/** The heading that the design of `rule-digest` gives its summary. */
export const digestHeading = '[Previous Conversation Summary]'
