/**
 * Values that the AI SDK (version 7) passes to a middleware and to `prepareStep`, typed by their shape.
 * The types are wider than the SDK's, so both fit without a dependency.
 */
import type { Fields } from '../adapters/unknown-json.ts'

/** Options of a call of a model (`LanguageModelV4CallOptions`). */
export interface CallParams {
  readonly prompt: readonly PromptMessage[]
  readonly tools?: readonly object[] | undefined
  readonly maxOutputTokens?: number | undefined
  readonly responseFormat?: object | undefined
  readonly providerOptions?: Readonly<Record<string, object>> | undefined
}

/** A message of a call: system messages have text, all others a list of parts. */
export interface PromptMessage {
  readonly role: string
  readonly content: unknown
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined
}

/** A model (`LanguageModelV4`): only its name. */
export interface NamedModel {
  readonly provider: string
  readonly modelId: string
}

/** A model that can be called. */
export interface CallableModel<
  Params = CallParams,
  Generated = GenerateResult,
  Streamed = StreamResult,
> extends NamedModel {
  doGenerate(params: Params): PromiseLike<Generated>
  doStream(params: Params): PromiseLike<Streamed>
}

export interface GenerateResult {
  readonly content: readonly ReplyPart[]
  readonly usage: object
  readonly warnings?: readonly object[] | undefined
  readonly providerMetadata?: Readonly<Record<string, object>> | undefined
}

export interface StreamResult {
  readonly stream: ReadableStream<ReplyPart>
}

/** A part of a reply or of its stream. */
export interface ReplyPart {
  readonly type: string
}

/** The fields of a part are untrusted: they may have any type. */
export function fieldsOfPart(part: ReplyPart): Fields {
  return part as unknown as Fields
}
