/**
 * The port for summary styles. A style builds the requests for a summary, parses the answers, and
 * renders the summary for a context. Messages that do not fit into one request are split over
 * several; each updates the summary of the previous one.
 */
import type { Seq } from '../domain/ids.ts'
import type { KnownCalls, Message } from '../domain/message.ts'
import type { Span } from '../domain/span.ts'
import type { Draft } from '../domain/summary.ts'
import type { LanguageModel, ModelOutcome, ModelRequest } from './language-model.ts'

export interface SummaryStyle {
  /** `structured`, `running`, `digest`. */
  readonly name: string
  /** Increased with every change of its prompt. */
  readonly version: number
  /** The hash of the prompt without the conversation. */
  readonly promptHash: string
  plan(input: SummaryInput): SummaryPlan
  /** The text of a draft in a context, within a token limit. */
  render(draft: Draft, options: RenderOptions): string
  /** How input that is too long for one request is first summarized in chunks; null for never. */
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
  /** The messages that the summary adds to the previous one. */
  readonly messages: readonly SourceMessage[]
  readonly calls: KnownCalls
  /** Summaries of chunks in place of the messages, in order; null where the messages are used. */
  readonly pieces: readonly SummaryPiece[] | null
  readonly previous: Draft | null
  /** The depth of the new summary in its chain; 0 for the first. */
  readonly depth: number
  /** The request continues the conversation, so that the messages are already in the context. */
  readonly isAbove: boolean
  /** What to focus on, in the caller's words; null for nothing. */
  readonly instructions: string | null
  /** The most tokens of a request, without the answer. */
  readonly inputTokens: number
  /** The number of requests to aim for. */
  readonly requests: number
  /** The most tokens of the summary in a context. */
  readonly summaryTokens: number
  readonly meter: SummaryMeter
}

/** Counts texts and shortens them to a limit. */
export interface SummaryMeter {
  count(text: string): number
  fit(text: string, mostTokens: number): string
  /** How much `count` gives for one token of a model: 1 if it is exact, more for an estimate. */
  readonly countedPerToken: number
}

export interface RenderOptions {
  readonly depth: number
  readonly mostTokens: number
  readonly meter: SummaryMeter
}

export type SummaryPlan =
  | { readonly kind: 'planned'; readonly steps: readonly SummaryStep[] }
  | { readonly kind: 'nothing-to-summarize' }
  /** The prompt alone leaves no room for a conversation. */
  | { readonly kind: 'no-room'; readonly inputTokens: number; readonly neededTokens: number }

export interface SummaryStep {
  /** The messages that it summarizes; a message too long for one request is in several steps. */
  readonly covers: Span
  /** The prompt without the conversation: an answer that repeats it is no summary. */
  readonly prompt: string
  readonly mostTokens: number
  request(previous: Draft | null): ModelRequest
  read(answer: Answer, previous: Draft | null): ReadAnswer
}

/** A text in place of messages, or of a part of one. */
export interface SummaryPiece {
  /** The last message that it covers. */
  readonly seq: Seq
  readonly text: string
  /** Excerpts, not written by a model. */
  readonly isExcerpt: boolean
}

/** Summarizes input of any size: chunks first, then chunks of their summaries, until all fits. */
export interface SummaryTree {
  readonly version: number
  /** No request has more of a conversation. */
  readonly chunkTokens: number
  readonly promptHash: string
  /** Null where the input is short enough, or where not even a chunk would fit. */
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
      /** The problem, without text of the answer. */
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
