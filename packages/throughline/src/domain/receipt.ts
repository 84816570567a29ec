/**
 * A receipt is written in the commit of its view; follow-up comes later. Plain JSON; tokens are by our
 * count, before calibration.
 */
import type { SlotKind } from './context.ts'
import type { BreakCause, Decision, EpochCause, TriggerState } from './decision.ts'
import type { Seq } from './ids.ts'
import type { Span } from './span.ts'
import type { MadeBy, Summarization } from './summary.ts'

/** What a compaction did; needs neither a store nor a clock. */
export interface Compacted {
  readonly model: string
  readonly epoch: number
  readonly cause: EpochCause
  readonly decision: Decision
  /** What newly went below the line; empty where the line stayed, or went back. */
  readonly covered: Span
  readonly line: Seq
  readonly head: Seq
  /** Places below the line that are still shown, ascending. */
  readonly keeps: readonly Seq[]
  readonly stubbed: number
  /** The tokens of the request without it, or of the one before; null where neither is known. */
  readonly tokensBefore: number | null
  readonly tokensAfter: number
  /** What is shown now, by `ShownKind`; the sum is `tokensAfter`. */
  readonly tokensByKind: Readonly<Record<string, number>>
  /** Shown entries of the ledger, and all. */
  readonly ledger: { readonly shown: number; readonly entries: number }
  /** Secrets that were left out of what was derived from the covered messages. */
  readonly redacted: number
  /** Who wrote the history block: rules, or the model whose summary it begins with. */
  readonly madeBy: { readonly summarizer: 'rules'; readonly version: number } | MadeBy
  /** The account of the models' calls, if any: calls, cost, repairs of the gate. */
  readonly summarization: Summarization | null
}

/** `kept`: messages below the line. `frames`: what a request has around its messages. */
export type ShownKind = SlotKind | 'tools' | 'kept' | 'stubs' | 'frames'

export interface NewReceipt extends Compacted {
  readonly at: number
  readonly durationMs: number
}

/** What a compaction did, in figures; its follow-up comes some requests later. */
export interface Receipt extends NewReceipt {
  /** The version of its commit: it names the receipt, and grows. */
  readonly version: number
  /** Null until enough requests have followed. */
  readonly followUp: FollowUp | null
}

/**
 * What a compaction left in the context, besides the messages that it shows whole: needed to tell later
 * whether a name was there.
 */
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

/**
 * What of the compacted messages was needed again, as far as later messages show. It completes a receipt,
 * once. Plain JSON, without secrets.
 */
export interface FollowUp {
  readonly at: number
  readonly looked: Span
  /** Files that were known below the line and read again, the most often read first. */
  readonly reopened: readonly ReopenedFile[]
  readonly reopenedFiles: number
  readonly recalled: readonly RecalledSpan[]
  readonly recalls: number
  readonly names: NeededNames
}

interface ReopenedFile {
  readonly path: string
  readonly times: number
  /** Of the results, oldest first. */
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
 * Names of compacted messages (files, symbols, addresses, hashes, ids, versions, numbers, amounts, dates)
 * that the assistant used before a user or a tool had shown them again.
 */
export interface NeededNames {
  readonly needed: number
  /** How many of them were in what the compaction left in the context. */
  readonly shown: number
  /** The others, in the order of their use, as far as the list goes. */
  readonly missing: readonly string[]
}

/** A request, as the log of the last hundred keeps it. Plain JSON. */
export interface RequestRecord {
  readonly fingerprint: string
  readonly model: string
  readonly at: number
  readonly epoch: number
  readonly brokenBy: BreakCause | null
  /** Counted for the whole request, before calibration. */
  readonly tokens: number
  /** After calibration. */
  readonly expectedTokens: number
  readonly availableTokens: number
  /** The tokens without stubs and omissions, as far as that was read. */
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
  /** Of the previous request, where this one begins with it. */
  readonly previous: number
  readonly chain: string
  /** How often the conversation was rewritten: of another history, it is no prefix. */
  readonly rewrites: number
  /** The hash of the policy; earlier versions kept none. */
  readonly policy?: string
  readonly system: string
  readonly tools: string
  readonly profile: string
  readonly retrieved: string
  /** The text of a turn memory before the messages; left out without one. */
  readonly memory?: string
  /** What may still change at its end: a call without a result, or a message not yet in the log. */
  readonly open: 'call' | 'next' | null
}
