/** The port for models that write summaries, without streams or tools. `generate` never rejects. */
import type { Deliverable } from '../domain/context.ts'
import type { JsonObject } from '../domain/json.ts'
import type { ModelCard } from '../domain/model-card.ts'
import type { ModelPrices, UsageInput } from '../domain/usage.ts'

/** A model that writes summaries. */
export interface LanguageModel {
  /** provider/model */
  readonly id: string
  /** Null where the model is unknown: the caller guesses its window. */
  readonly card: Pick<ModelCard, 'id' | 'contextWindowTokens'> | null
  /** Without prices no cost is reported, and a limit on money keeps the model from being asked. */
  readonly prices?: ModelPrices | null | undefined
  /** Whether it can continue a context as the chat itself would; left out, it cannot. */
  canContinue?(context: Deliverable): boolean
  generate(request: ModelRequest, options: GenerateOptions): Promise<ModelOutcome>
}

export interface GenerateOptions {
  readonly signal: AbortSignal
  /** Gets each piece of the text as it arrives; a model that does not stream never calls it. */
  readonly onText?: ((text: string) => void) | undefined
}

/** A request to a model: messages, the form of the answer, and limits. */
export interface ModelRequest {
  /** The next request of the chat, tools included; the messages follow. Only if `canContinue`. */
  readonly continues?: Deliverable | undefined
  readonly system: string | null
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[]
  readonly maxOutputTokens: number
  readonly temperature: number
  /** A JSON schema where structured output is asked for; null for text. */
  readonly schema: JsonObject | null
}

/** An answer or a failure. */
export type ModelOutcome = ModelAnswer | { readonly kind: 'failed'; readonly failure: ModelFailure }

/** The answer of a model: its text, its usage, and why it ended. */
export interface ModelAnswer {
  readonly kind: 'answered'
  /** Without reasoning; empty where the model returned only reasoning. */
  readonly text: string
  /** `length`: cut off. `filter`: stopped by the provider. */
  readonly finish: 'stop' | 'length' | 'filter' | 'other'
  readonly usage: UsageInput | null
  /** The model that answered, as the provider reports it. */
  readonly model: string
}

/** Why a model gave no answer. */
export interface ModelFailure {
  /** `transport`: a retry may work. `refused`: it will not. `invalid`: the answer is unusable. */
  readonly cause: 'transport' | 'refused' | 'timeout' | 'aborted' | 'invalid'
  readonly status: number | null
  readonly retryAfterMs: number | null
  /** Sanitised: one line without secrets, at most 200 characters. */
  readonly message: string
}
