/**
 * Receipts of compactions. A receipt is written in the commit of its view; its follow-up is added
 * later. Plain JSON; tokens are our count, before calibration.
 */
import type { SlotKind } from './context.ts'
import type { BreakCause, Decision, EpochCause, TriggerState } from './decision.ts'
import type { Seq } from './ids.ts'
import type { Span } from './span.ts'
import type { MadeBy, Summarization } from './summary.ts'

/** What a compaction did, without times and version: computed without a store or a clock. */
export interface Compacted {
  readonly model: string
  readonly epoch: number
  readonly cause: EpochCause
  readonly decision: Decision
  /** Messages that this compaction moved before the line; empty if the line did not advance. */
  readonly covered: Span
  readonly line: Seq
  readonly head: Seq
  /** Places of messages before the line that are still shown, ascending. */
  readonly keeps: readonly Seq[]
  readonly stubbed: number
  /** Tokens of the request without the compaction, or of the previous one; null if unknown. */
  readonly tokensBefore: number | null
  readonly tokensAfter: number
  /** Tokens of the shown content by `ShownKind`; the sum is `tokensAfter`. */
  readonly tokensByKind: Readonly<Record<string, number>>
  /**
   * Entries of the ledger: shown, and all. `from`: it lacks facts of messages before this place,
   * which the background adds for the next compaction.
   */
  readonly ledger: { readonly shown: number; readonly entries: number; readonly from?: Seq }
  /** Secrets that were removed from rows derived from the covered messages. */
  readonly redacted: number
  /** Who wrote the history block: rules, or the model whose summary it begins with. */
  readonly madeBy: { readonly summarizer: 'rules'; readonly version: number } | MadeBy
  /** The account of the models' calls, if any: calls, cost, repairs of the gate. */
  readonly summarization: Summarization | null
}

/** `kept`: messages before the line. `frames`: the overhead of a request around its messages. */
export type ShownKind = SlotKind | 'tools' | 'kept' | 'stubs' | 'frames'

export interface NewReceipt extends Compacted {
  readonly at: number
  readonly durationMs: number
}

/** What a compaction did, in figures. Its follow-up is added some requests later. */
export interface Receipt extends NewReceipt {
  /** The version of its commit: it identifies the receipt, and later receipts have higher ones. */
  readonly version: number
  /** Null until enough requests have followed. */
  readonly followUp: FollowUp | null
}

/** What a compaction left in the context besides whole messages; the follow-up looks for names. */
export interface LeftInContext {
  readonly text: string
  /** Places of messages that are not shown whole, ascending. */
  readonly stubs: readonly Seq[]
}

/** What a program opened by an anchor, and how often. */
export interface Expansion {
  readonly span: Span
  readonly times: number
}

/** Which compacted content was needed again, by later messages. Plain JSON, without secrets. */
export interface FollowUp {
  readonly at: number
  readonly looked: Span
  /** Files of compacted messages that were read again, the most often read first. */
  readonly reopened: readonly ReopenedFile[]
  readonly reopenedFiles: number
  readonly recalled: readonly RecalledSpan[]
  readonly recalls: number
  readonly names: NeededNames
}

interface ReopenedFile {
  readonly path: string
  readonly times: number
  /** Places of the results, oldest first. */
  readonly places: readonly Seq[]
}

export interface RecalledSpan {
  readonly tool: 'recall' | 'expand'
  /** The model by a call in the log, or the program by `chat.expand`. */
  readonly by: 'model' | 'program'
  readonly about: string
  readonly seq: Seq | null
  readonly times: number
}

/**
 * Names of compacted messages (files, symbols, addresses, hashes, ids, versions, numbers, amounts,
 * dates) that the assistant used before a user or a tool had shown them again.
 */
export interface NeededNames {
  readonly needed: number
  /** How many of them were in what the compaction left in the context. */
  readonly shown: number
  /** The others, in the order of their use, as far as the list goes. */
  readonly missing: readonly string[]
}

/** One of the last 100 requests, as it is recorded. Plain JSON. */
export interface RequestRecord {
  readonly fingerprint: string
  readonly model: string
  readonly at: number
  /** The end of the log, the window, and where its budget set trigger and target; left out by older releases. */
  readonly head?: Seq
  readonly windowTokens?: number
  readonly triggerTokens?: number
  readonly targetTokens?: number
  readonly epoch: number
  readonly brokenBy: BreakCause | null
  /** Counted for the whole request, before calibration. */
  readonly tokens: number
  /** After calibration. */
  readonly expectedTokens: number
  readonly availableTokens: number
  /** Tokens without stubs and omissions, as far as the messages were read. */
  readonly originalTokens: number
  readonly stubbed: number
  readonly leftOut: number
  readonly decision: Pick<Decision, 'kind' | 'reason' | 'shadow'>
  readonly triggers: TriggerState
  /** Compared with a later request to see whether that begins with this one. */
  readonly prefix: RequestPrefix
}

export interface RequestPrefix {
  readonly messages: number
  /** How many of its messages are those of the previous request, where it begins with them. */
  readonly previous: number
  readonly chain: string
  /** How often the conversation was rewritten: another history has another prefix. */
  readonly rewrites: number
  /** The hash of the policy. */
  readonly policy?: string
  readonly system: string
  readonly tools: string
  readonly profile: string
  readonly retrieved: string
  /** The text of a turn memory before the messages; left out without one. */
  readonly memory?: string
  /** What may still change at its end: an unanswered call, or a message that is not in the log. */
  readonly open: 'call' | 'next' | null
}
