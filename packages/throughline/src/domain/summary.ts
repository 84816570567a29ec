/**
 * A summary that a model has written and the gate has let pass. It tells all messages before
 * its end; the one that it goes on from is its parent, and both stay: whoever looks back finds
 * the chain. It holds no message, only what was said of them. Plain JSON.
 */
import type { Draft } from './draft.ts'
import type { DraftMark, DraftRepair } from './draft-findings.ts'
import type { FactTrust } from './fact.ts'
import type { ModelAttempt } from './model-attempt.ts'
import type { Span } from './span.ts'

export interface SummaryRecord extends Draft {
  readonly id: string
  /** All that it tells, the messages that its parent told included. */
  readonly covers: Span
  /** What it adds to its parent. */
  readonly told: Span
  /** The end of the log when it was asked for: what came since is counted from there. */
  readonly head: number
  /** Names the messages that it covers: in another history it is nothing. */
  readonly chain: string
  /** The summary that it goes on from. */
  readonly parentId: string | null
  /** 0 for the root of a chain, and never more than the cap less one. */
  readonly depth: number
  /** How often the chain was folded into a new root. */
  readonly generation: number
  /** 1 for the first summary, and one more with each that takes its place. */
  readonly version: number
  /** Of its text, as the model that wrote it counts. */
  readonly tokens: number
  /** Tokens that models had for it and for those before it, as they reported or we counted. */
  readonly tokensUsed: number
  readonly madeBy: MadeBy
  /** It tells less than it was asked to: an answer was cut off, or a limit stopped it within a message. */
  readonly degraded: boolean
  /** That of the least trusted message that it tells. */
  readonly trust: FactTrust
  readonly account: SummaryAccount
  readonly createdAt: number
}

/** A summary as a store has it. */
export interface KeptSummary extends SummaryRecord {
  /** The compactions that showed it were undone: nothing goes on from it. */
  readonly withdrawn: boolean
}

/** What it took to have it written, and what the gate found. */
export interface SummaryAccount {
  readonly attempts: readonly ModelAttempt[]
  readonly passedOver: readonly PassedOver[]
  readonly repairs: readonly DraftRepair[]
  readonly marks: readonly DraftMark[]
  /** Null where any of the calls has no known cost. */
  readonly costUsd: number | null
  readonly durationMs: number
}

/** Where nobody was asked. */
export const noAccount: SummaryAccount = {
  attempts: [],
  passedOver: [],
  repairs: [],
  marks: [],
  costUsd: 0,
  durationMs: 0,
}

export interface MadeBy {
  /** The style: `structured`, `running`, `digest`; `person` where somebody wrote it by hand. */
  readonly summarizer: string
  readonly version: number
  readonly model: string
  readonly promptHash: string
}

/** The account of one try to have a summary written, for the receipt. Plain JSON. */
export interface Summarization extends SummaryAccount {
  /** The summary that came of it; null where rules had to do. */
  readonly summaryId: string | null
  /** The style that wrote it, or was tried last. */
  readonly style: string
  readonly depth: number
  readonly generation: number
  /** What it was to tell, and how far it got. */
  readonly asked: Span
  readonly toldTo: number
  /** Why it did not get to the end; null where it did. */
  readonly why: SummarizationStop | null
}

/** `all-failed`: everybody was asked. `nobody`: there was nobody to ask. */
export type SummarizationStop =
  | 'breaker-open'
  | 'aborted'
  | 'time'
  | 'calls'
  | 'calls-per-hour'
  | 'all-failed'
  | 'nobody'
  /** All that there was is noise. */
  | 'nothing-to-tell'
  /** Somebody else's summary was there first, or what it goes on from was taken back or corrected. */
  | 'overtaken'
  /** Messages were edited, removed or purged while it was written. */
  | 'history-changed'

/** A model that was not asked, or not once more. */
export interface PassedOver {
  readonly model: string
  readonly why: 'does-not-fit' | 'price-unknown' | 'money' | 'money-per-hour' | 'wait-too-long'
}
