/**
 * A receipt: what a compaction did, in figures, written in the commit of the view that it
 * made. Hindsight comes later. Plain JSON; tokens are by our count, before calibration.
 */
import type { SlotKind } from './context.ts'
import type { BreakCause, Decision, EpochCause, TriggerState } from './decision.ts'
import type { Seq } from './ids.ts'
import type { Span } from './span.ts'
import type { MadeBy, Summarization } from './summary.ts'

/** What was done; it needs neither a store nor a clock. */
export interface Compacted {
  readonly model: string
  readonly epoch: number
  readonly cause: EpochCause
  readonly decision: Decision
  /** What went below the line with it; empty where the line stayed, or went back. */
  readonly covered: Span
  readonly line: Seq
  /** The end of the log when it was made. */
  readonly head: Seq
  /** Places below the line that are shown all the same, ascending. */
  readonly keeps: readonly Seq[]
  readonly stubbed: number
  /** What the request would have had, or the one before had; null where neither is known. */
  readonly tokensBefore: number | null
  readonly tokensAfter: number
  /** What is shown now, by `ShownKind`; the sum is `tokensAfter`. */
  readonly tokensByKind: Readonly<Record<string, number>>
  /** Entries of the ledger that are shown, and how many there are. */
  readonly ledger: { readonly shown: number; readonly entries: number }
  /** Secrets that were left out of what was derived from the messages it covered. */
  readonly redacted: number
  /** Who wrote the history block: rules, or the model whose summary it begins with. */
  readonly madeBy: { readonly summarizer: 'rules'; readonly version: number } | MadeBy
  /** What came of asking models, where they were asked: calls, cost, what the gate mended. */
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
  /** The version of the conversation that its commit made: it names the receipt, and newer ones have greater ones. */
  readonly version: number
  /** Null until enough requests have come behind it. */
  readonly hindsight: Hindsight | null
}

/**
 * What a compaction left in the context, apart from the messages of the log that it shows
 * whole: without it nobody could say later whether a name stood there.
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
 * Hindsight: what of the compacted was needed again, as far as the messages behind the
 * compaction tell. It completes a receipt, once. Plain JSON, without secrets.
 */
export interface Hindsight {
  readonly at: number
  readonly looked: Span
  /** Files that were known below the line and were read again, the most often read first. */
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
  /** Of the call; null where there is none. */
  readonly seq: Seq | null
  readonly times: number
}

/**
 * Names of what was compacted (files, symbols, addresses, hashes, ids, versions, numbers,
 * amounts, dates) that the assistant used before a user or a tool had shown them again.
 */
export interface NeededNames {
  readonly needed: number
  /** How many of them stood in what the compaction left in the context. */
  readonly shown: number
  /** The others, in the order of their use, as far as the list goes. */
  readonly missing: readonly string[]
}

/** One request, as the log of the last hundred keeps it. Plain JSON. */
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
  /** What it would have had with nothing stubbed or left out, as far as that was read. */
  readonly originalTokens: number
  readonly stubbed: number
  readonly leftOut: number
  readonly decision: Pick<Decision, 'kind' | 'reason' | 'shadow'>
  readonly triggers: TriggerState
  /** What a later request is held against to see whether it begins with this one. */
  readonly prefix: RequestPrefix
}

export interface RequestPrefix {
  readonly messages: number
  /** Of the request before, where this one begins with it. */
  readonly previous: number
  readonly chain: string
  /** How often the conversation had been rewritten: of another history, it is no beginning. */
  readonly rewrites: number
  /** The hash of the policy; earlier versions kept none. */
  readonly policy?: string
  readonly system: string
  readonly tools: string
  readonly profile: string
  readonly retrieved: string
  /** What a turn memory tells before the messages; left out where none does. */
  readonly memory?: string
  /** What may still change at its end: a call without a result, or a message not yet in the log. */
  readonly open: 'call' | 'next' | null
}
