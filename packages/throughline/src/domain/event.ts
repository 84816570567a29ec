import type { ContextWarning } from './context.ts'
import type { CompactionControl, ForkPoint, ParentLink } from './conversation.ts'
import type { DecisionReason, EpochCause } from './decision.ts'
import type { Sha256 } from './hash.ts'
import type { ConversationId, Seq, TenantId } from './ids.ts'
import type { ModelEvent } from './model-calls.ts'
import type { Compacted } from './receipt.ts'
import type { Span } from './span.ts'
import type { Summarization } from './summary.ts'

/**
 * What happened to a conversation, numbered from 1 without a gap and written in the commit that
 * made it happen: whoever reads events by number misses none.
 */
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
  /** The view of a model is that of another version again; null: everything is shown. */
  | {
      readonly kind: 'view-restored'
      readonly model: string
      readonly version: number
      readonly of: number | null
      /** Summaries that it withdrew and reinstated. */
      readonly withdrawn: readonly string[]
      readonly returned: readonly string[]
    }
  /** A person corrected the summary in the contexts of a model. */
  | {
      readonly kind: 'summary-edited'
      readonly model: string
      readonly summary: string
      readonly tokens: number
    }
  /** The ledger covers the messages before `to`. */
  | { readonly kind: 'facts-extracted'; readonly to: Seq }
  /** A model wrote a summary, which has the version of this commit. */
  | (SummaryFigures & {
      readonly kind: 'summary-written'
      readonly summary: string
      readonly depth: number
      readonly generation: number
      /** Messages that it covers beyond the previous one. */
      readonly messages: number
      readonly tokensAfter: number | null
    })
  /** Models were asked, and no summary passed the gate. No message is lost. */
  | (SummaryFigures & { readonly kind: 'summary-failed'; readonly why: string })
  /** Models were asked for a digest of a large message; `degraded` is null without a digest. */
  | {
      readonly kind: 'message-digested'
      readonly seq: Seq
      readonly degraded: boolean | null
      readonly calls: number
      readonly costUsd: number | null
    }
  | { readonly kind: 'turn-remembered'; readonly turn: number; readonly messages: Span }
  /** The figures of a receipt, which is found by its version. */
  | (Pick<Compacted, 'model' | 'epoch' | 'line' | 'tokensBefore' | 'tokensAfter'> & {
      readonly kind: 'compaction-finished'
      readonly receipt: number
      readonly reason: DecisionReason
    })
  /** The follow-up of a receipt, with its figures. */
  | {
      readonly kind: 'receipt-completed'
      readonly receipt: number
      readonly reopenedFiles: number
      readonly recalls: number
      readonly namesNeeded: number
      readonly namesShown: number
    }
  /** Of a tenant: a conversation or a message was purged, and nothing of it is left. */
  | ({ readonly kind: 'purged' } & Omit<PurgeRecord, 'number' | 'at'>)

interface SummaryFigures {
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

/** The record of a purge, without any purged content. */
export interface PurgeRecord {
  /** From 1, per tenant. */
  readonly number: number
  /** A hash, because an id may be a person's name. A caller with the id can find it. */
  readonly subject: string
  readonly what: 'conversation' | 'message'
  /** The place of the message; null for a whole conversation. */
  readonly seq: Seq | null
  readonly messages: number
  readonly at: number
}

/**
 * The subject of a purge as a hash: an id may be a person's name, and only a caller with the id
 * finds it.
 *
 * @example
 * const subject = purgeSubject(tenant, conversation, sha256)
 */
export function purgeSubject(tenant: TenantId, id: ConversationId, sha256: Sha256): string {
  return sha256(JSON.stringify([tenant, id]))
}

/** What happens while a summary is written, reported at once. Every start has one end. */
export type SummarizationEvent =
  | (Pick<SummaryFigures, 'model' | 'reason' | 'tokensBefore' | 'ratio'> & {
      readonly kind: 'summarization-started'
      readonly asked: Span
      readonly at: number
    })
  | ModelEvent
  | { readonly kind: 'summarization-finished'; readonly summarization: Summarization }
  | { readonly kind: 'summarization-failed'; readonly summarization: Summarization }

/** A context was built with a warning: see `context.warnings`. */
interface WarningEvent {
  readonly kind: 'context-warning'
  /** As the request names it. */
  readonly model: string
  readonly warning: ContextWarning
  readonly at: number
}

/** A search had a warning, such as an embedder that failed. */
interface RecallWarningEvent extends Omit<WarningEvent, 'kind' | 'model'> {
  readonly kind: 'recall-warning'
}

export type LiveEventBody = SummarizationEvent | WarningEvent | RecallWarningEvent

/** What is reported at once, with its conversation: steps of a summary, and warnings of contexts. */
export type LiveEvent = LiveEventBody & {
  readonly tenant: string
  readonly conversation: string
}
