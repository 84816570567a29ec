/**
 * A receipt: what a compaction did, in figures, written in the commit of the view that it
 * made. Hindsight comes later. Plain JSON; tokens are by our count, before calibration.
 */
import type { SlotKind } from './context.ts'
import type { Decision } from './decision.ts'
import type { EpochCause } from './epoch-cause.ts'
import type { Hindsight } from './hindsight.ts'
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
  /** Messages that are shown as far as there is room for them. */
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
  /** Who told the past: rules, or the model whose summary it begins with. */
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
