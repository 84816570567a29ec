/**
 * What happened to a conversation, in past tense, numbered from 1 without a gap
 * and written in the commit that made it happen: whoever reads events by number
 * misses none.
 */

import type { CompactionControl } from './compaction.ts'
import type { ForkPoint, ParentLink } from './conversation.ts'
import type { DecisionReason } from './decision.ts'
import type { EpochCause } from './epoch-cause.ts'
import type { Seq } from './ids.ts'
import type { PurgeLine } from './purge-line.ts'
import type { Span } from './span.ts'

export type EventBody =
  | {
      readonly kind: 'conversation-created'
      readonly parent: ParentLink | null
      readonly forkedFrom: ForkPoint | null
    }
  | { readonly kind: 'messages-appended'; readonly span: Span }
  | { readonly kind: 'message-edited'; readonly seq: Seq }
  | { readonly kind: 'messages-removed'; readonly span: Span }
  | { readonly kind: 'message-purged'; readonly seq: Seq }
  | { readonly kind: 'conversation-updated'; readonly fields: readonly ('title' | 'meta')[] }
  | { readonly kind: 'pins-changed'; readonly pins: readonly Seq[] }
  | { readonly kind: 'compaction-controlled'; readonly control: CompactionControl }
  | {
      readonly kind: 'epoch-began'
      readonly model: string
      readonly epoch: number
      readonly cause: EpochCause
    }
  /** The view of a model is again that of another version; null: everything is shown. */
  | {
      readonly kind: 'view-restored'
      readonly model: string
      /** Of this commit. */
      readonly version: number
      readonly of: number | null
      /** Summaries that it took back, and that it brought back. */
      readonly withdrawn: readonly string[]
      readonly returned: readonly string[]
    }
  /** A person has corrected the summary that the contexts of a model show. */
  | {
      readonly kind: 'summary-edited'
      readonly model: string
      readonly summary: string
      readonly tokens: number
    }
  /** The ledger tells of the messages before `to`. */
  | { readonly kind: 'facts-noted'; readonly to: Seq }
  /** A model has written a summary, which has the version of this commit. */
  | (SummaryFigures & {
      readonly kind: 'summary-written'
      readonly summary: string
      readonly depth: number
      readonly generation: number
      /** Messages that it tells beyond the one before. */
      readonly messages: number
      readonly tokensAfter: number | null
    })
  /** Models were asked, and none brought a summary that can be trusted: no message is lost by it. */
  | (SummaryFigures & { readonly kind: 'summary-failed'; readonly why: string })
  /** Models were asked to tell a message that is too large to be shown; null where they could not. */
  | {
      readonly kind: 'message-digested'
      readonly seq: Seq
      readonly degraded: boolean | null
      readonly calls: number
      readonly costUsd: number | null
    }
  /** An agent has remembered a turn. */
  | { readonly kind: 'turn-remembered'; readonly turn: number; readonly messages: Span }
  /** The figures of a receipt, which is found by its version. */
  | {
      readonly kind: 'compaction-finished'
      readonly receipt: number
      readonly model: string
      readonly epoch: number
      readonly reason: DecisionReason
      readonly line: Seq
      readonly tokensBefore: number | null
      readonly tokensAfter: number
    }
  /** Hindsight has come, with its figures. */
  | {
      readonly kind: 'receipt-completed'
      readonly receipt: number
      readonly reopenedFiles: number
      readonly recalls: number
      readonly namesNeeded: number
      readonly namesShown: number
    }
  /** Of a tenant: a conversation or a message was purged, and nothing of it is left. */
  | ({ readonly kind: 'purged' } & Omit<PurgeLine, 'number' | 'at'>)

interface SummaryFigures {
  /** Of the conversation. */
  readonly model: string
  readonly reason: DecisionReason
  readonly tokensBefore: number | null
  /** Of what the request may have. */
  readonly ratio: number | null
  readonly calls: number
  readonly costUsd: number | null
  readonly durationMs: number
}

/** What happened to a conversation, numbered, with the time. */
export type EngineEvent = EventBody & { readonly number: number; readonly at: number }
