/**
 * A style: how a model is asked for a summary, how its answer is read, and how a context shows it. Messages
 * that do not fit into one request go into several; each updates the summary of the one before.
 */
import type { Seq } from '../domain/ids.ts'
import type { KnownCalls, Message } from '../domain/message.ts'
import type { Span } from '../domain/span.ts'
import type { Draft } from '../domain/summary.ts'
import type { LanguageModel, ModelOutcome, ModelRequest } from './language-model.ts'

export interface SummaryStyle {
  /** `structured`, `running`, `digest`. */
  readonly name: string
  /** One more with each change of its words. */
  readonly version: number
  /** Of everything that is asked, but for the conversation itself. */
  readonly promptHash: string
  plan(input: SummaryInput): SummaryPlan
  /** What a draft is in a context, within so many tokens. */
  render(draft: Draft, options: RenderOptions): string
  /** How input that is too long for one request is summarized in chunks first; null for not at all. */
  readonly tree: SummaryTree | null
}

/** A style with the models that it may ask. */
export interface StyledModels {
  readonly style: SummaryStyle
  readonly depthMax: number
  /** The best first. */
  readonly models: readonly LanguageModel[]
}

export type SourceMessage = Pick<Message, 'seq' | 'role' | 'author' | 'parts' | 'status'>

export interface SummaryInput {
  /** What the summary adds to the one before. */
  readonly messages: readonly SourceMessage[]
  readonly calls: KnownCalls
  /** What a tree made of the messages, in their order; null where they are shown themselves. */
  readonly pieces: readonly SummaryPiece[] | null
  readonly previous: Draft | null
  /** The depth of the new summary in its chain; 0 for the first. */
  readonly depth: number
  /** Whether the conversation is in the context above the request already. */
  readonly isAbove: boolean
  /** What to focus on, in the words of whoever asked for it; null for nothing. */
  readonly instructions: string | null
  /** The most that a request may have, without what the model answers. */
  readonly inputTokens: number
  /** So many requests should suffice. */
  readonly requests: number
  /** The most that the summary may have in a context. */
  readonly summaryTokens: number
  readonly meter: SummaryMeter
}

/** The one way to count a text, and to make it no longer than it may be. */
export interface SummaryMeter {
  count(text: string): number
  fit(text: string, mostTokens: number): string
}

export interface RenderOptions {
  readonly depth: number
  readonly mostTokens: number
  readonly meter: SummaryMeter
}

export type SummaryPlan =
  | { readonly kind: 'planned'; readonly steps: readonly SummaryStep[] }
  | { readonly kind: 'nothing-to-summarize' }
  /** The words of the request alone leave no room for a conversation. */
  | { readonly kind: 'no-room'; readonly inputTokens: number; readonly neededTokens: number }

export interface SummaryStep {
  /** The messages that it is of; one that is too long for a request is in several steps. */
  readonly covers: Span
  /** What it asks, without the conversation: to repeat that is no summary. */
  readonly prompt: string
  readonly mostTokens: number
  request(previous: Draft | null): ModelRequest
  read(answer: Answer, previous: Draft | null): ReadAnswer
}

/** A text in place of messages, or of a part of one. */
export interface SummaryPiece {
  /** The last message that it is of. */
  readonly seq: Seq
  readonly text: string
  /** Excerpts, not written by a model. */
  readonly isExcerpt: boolean
}

/**
 * Input of any size: each chunk is summarized by its own request, and level by level, until one
 * request fits all.
 */
export interface SummaryTree {
  readonly version: number
  readonly promptHash: string
  /** Null where it is short enough, or where not even a chunk would fit. */
  level(input: LevelInput): TreeLevel | null
}

export type LevelInput = Pick<
  SummaryInput,
  'messages' | 'calls' | 'pieces' | 'inputTokens' | 'meter'
>

export interface TreeLevel {
  readonly chunks: readonly TreeChunk[]
  readonly tokens: number
  /** The most that fits into one request. */
  readonly mostTokens: number
}

export interface TreeChunk extends SummaryStep {
  readonly sources: readonly ChunkSource[]
  readonly tokens: number
}

export interface ChunkSource {
  readonly role: SourceMessage['role'] | 'segment'
  readonly text: string
}

export type Answer = Pick<Extract<ModelOutcome, { kind: 'answered' }>, 'text' | 'finish'>

export type ReadAnswer =
  | {
      readonly kind: 'drafted'
      readonly draft: Draft
      /** The answer was cut off, and the draft ends with its last whole sentence. */
      readonly cutOff: boolean
    }
  | {
      readonly kind: 'refused'
      readonly reason: RefusedReason
      /** What is wrong, without words of the answer. */
      readonly message: string
      /** The beginning of the answer, safe to log. */
      readonly sample: string
    }

export type RefusedReason =
  | 'empty'
  | 'filtered'
  | 'thinking-only'
  | 'cut-off'
  | 'not-json'
  | 'ambiguous'
  | 'wrong-schema'
  | 'not-text'
