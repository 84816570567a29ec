/** What happens while a summary is written, told as it happens. Every start has one end. */
import type { DecisionReason } from './decision.ts'
import type { ModelEvent } from './model-attempt.ts'
import type { Span } from './span.ts'
import type { Summarization } from './summary.ts'

export type SummarizationEvent =
  | {
      readonly kind: 'summarization-started'
      /** The model of the conversation, and why its context is compacted. */
      readonly model: string
      readonly reason: DecisionReason
      readonly tokensBefore: number | null
      /** Of what the request may have. */
      readonly ratio: number | null
      /** The messages that are to be told. */
      readonly asked: Span
      readonly at: number
    }
  | ModelEvent
  | { readonly kind: 'summarization-finished'; readonly summarization: Summarization }
  | { readonly kind: 'summarization-failed'; readonly summarization: Summarization }
