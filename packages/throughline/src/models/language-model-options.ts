import type { Deliverable } from '../domain/context.ts'
import { isObject, type JsonObject } from '../domain/json.ts'
import type { ModelCard } from '../domain/model-card.ts'
import { describe } from '../domain/text.ts'
import type { ModelPrices } from '../domain/usage.ts'
import { ThroughlineError } from '../errors.ts'

/** The options of `languageModel`. */
export interface LanguageModelOptions {
  /** The name in receipts; else `provider/model`, made from the model. */
  readonly id?: string | undefined
  /** The window of a model that the catalogue does not know. */
  readonly card?: Pick<ModelCard, 'id' | 'contextWindowTokens'> | undefined
  /** Without them no cost is reported. */
  readonly prices?: ModelPrices | undefined
  /** For the whole answer. 60 s by default. */
  readonly timeoutMs?: number | undefined
  /** A longer answer, reasoning included, fails while it is read. 1,000,000 by default. */
  readonly maxAnswerCharacters?: number | undefined
  /**
   * `stream` (the default): answers are read as they arrive, so that the limits apply meanwhile.
   * `whole`: for models that cannot stream.
   */
  readonly transfer?: 'stream' | 'whole' | undefined
  /** Resolves a name to a model. By default the provider that the AI SDK uses. */
  readonly provider?: AiSdkProvider | undefined
  /**
   * For the model of your conversation: how its calls are made, so that a summary can be requested after
   * the cached prefix. Use `conversationCall()` of `throughline/ai-sdk`.
   */
  readonly continues?: WriteConversationCall | undefined
}

/** Writes a conversation's call; null where no summary can follow it. `provider` is the model's. */
export type WriteConversationCall = (
  context: Deliverable,
  provider: string,
) => ConversationCall | null

/** The options with their defaults; null where there is none. */
export type LanguageModelSettings = {
  readonly [Name in keyof Required<LanguageModelOptions>]:
    | Exclude<LanguageModelOptions[Name], undefined>
    | (Name extends 'timeoutMs' | 'maxAnswerCharacters' | 'transfer' ? never : null)
}

const defaults: LanguageModelSettings = {
  id: null,
  card: null,
  prices: null,
  timeoutMs: 60_000,
  maxAnswerCharacters: 1_000_000,
  transfer: 'stream',
  provider: null,
  continues: null,
}

export function checkLanguageModelOptions(options: LanguageModelOptions): LanguageModelSettings {
  if (typeof options !== 'object' || options === null)
    throw invalid(`takes an object of options, got ${describe(options)}`)
  const settings: Record<string, unknown> = { ...defaults }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(optionChecks, name)) throw invalid(`has no option "${name}"`)
    if (value === undefined) continue
    if (!optionChecks[name as keyof typeof optionChecks](value))
      throw invalid(`${name} cannot be ${describe(value)}`)
    settings[name] = value
  }
  return Object.freeze(settings) as unknown as LanguageModelSettings
}

const isAmount = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0

const optionChecks: Readonly<Record<keyof LanguageModelSettings, (value: unknown) => boolean>> = {
  id: (value) => typeof value === 'string' && value !== '',
  card: (value) =>
    isObject(value) && typeof value['id'] === 'string' && isCount(value['contextWindowTokens']),
  prices: (value) =>
    isObject(value) &&
    [value['inputUsd'], value['outputUsd']].every(isAmount) &&
    [value['cachedInputUsd'] ?? 0, value['cacheWriteUsd'] ?? 0].every(isAmount),
  // A longer time overflows the timers of Node, which then do not wait at all.
  timeoutMs: (value) => isCount(value) && Number(value) < 2 ** 31,
  maxAnswerCharacters: isCount,
  transfer: (value) => value === 'stream' || value === 'whole',
  provider: (value) =>
    ['object', 'function'].includes(typeof value) &&
    typeof Reflect.get(Object(value), 'languageModel') === 'function',
  continues: (value) => typeof value === 'function',
}

export function invalid(message: string, what = 'languageModel'): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `${what}: ${message}`)
}

/**
 * A language model of the AI SDK, of versions 2, 3 or 4 of the specification, typed by what we use: a
 * model of any release fits without a dependency. What it returns is checked as data from outside.
 */
export interface AiSdkModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  // Methods, not properties: the calls of the SDK take more than we pass.
  doGenerate(call: AiSdkCall): PromiseLike<object>
  doStream(call: AiSdkCall): PromiseLike<{ readonly stream: ReadableStream<object> }>
}

/** The options of a call that are the same in all three versions. */
export interface AiSdkCall {
  prompt: AiSdkPromptMessage[]
  maxOutputTokens: number
  temperature: number
  responseFormat: { type: 'text' } | { type: 'json'; schema: JsonObject; name: string }
  abortSignal: AbortSignal
}

/** A call of the conversation’s own model, in version 4 of the specification. */
export interface ConversationCall {
  readonly prompt: readonly object[]
  readonly tools?: readonly object[] | undefined
  readonly toolChoice?: object | undefined
  readonly providerOptions?: Readonly<Record<string, object>> | undefined
}

export type AiSdkPromptMessage =
  | { role: 'system'; content: string }
  | { role: 'user' | 'assistant'; content: { type: 'text'; text: string }[] }

/** Resolves names to models: a provider or a registry of the SDK. */
export interface AiSdkProvider {
  languageModel(id: string): AiSdkModel
}
