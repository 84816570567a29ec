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
import type { Span } from './span.ts'

export type EventBody =
  | {
      readonly kind: 'conversation-created'
      readonly parent: ParentLink | null
      readonly forkedFrom: ForkPoint | null
    }
  | { readonly kind: 'messages-appended'; readonly span: Span }
  | { readonly kind: 'conversation-updated'; readonly fields: readonly ('title' | 'meta')[] }
  | { readonly kind: 'pins-changed'; readonly pins: readonly Seq[] }
  | { readonly kind: 'compaction-controlled'; readonly control: CompactionControl }
  | {
      readonly kind: 'epoch-began'
      readonly model: string
      readonly epoch: number
      readonly cause: EpochCause
    }
  /** The ledger tells of the messages before `to`. */
  | { readonly kind: 'facts-noted'; readonly to: Seq }
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

export type EngineEvent = EventBody & { readonly number: number; readonly at: number }
