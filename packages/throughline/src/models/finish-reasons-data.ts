/** Why an answer ended, by the words of providers and of the AI SDK. */
import type { ModelAnswer } from '../ports/language-model.ts'

/** `length`: cut off. `content-filter`: stopped by the provider, or refused by the model. */
export type ReplyFinish = 'stop' | 'length' | 'content-filter' | 'other'

export const anthropicFinishes: ReadonlyMap<unknown, ReplyFinish> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
])

export const openaiFinishes: ReadonlyMap<unknown, ReplyFinish> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
])

export const sdkFinishes: ReadonlyMap<unknown, ModelAnswer['finish'] | 'broken'> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content-filter', 'filter'],
  ['error', 'broken'],
  ['interrupted', 'broken'],
  // What version 2 of the AI SDK reports until a provider gives a reason.
  ['unknown', 'broken'],
])
