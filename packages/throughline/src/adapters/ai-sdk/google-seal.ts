/**
 * Thought signatures of Gemini, which the SDK carries as an option of the part. Those
 * that were read from Gemini itself are noted under `google`.
 */
import type { JsonObject } from '../../domain/json.ts'
import { noteOf } from '../notes.ts'
import { isFilled } from '../unknown-json.ts'

/** The options that carry the seal of a part; nothing where it has none. */
export function sealOptions(metadata: JsonObject | null): {
  readonly providerOptions?: JsonObject
} {
  const { thoughtSignature } = noteOf(metadata, 'google')
  return isFilled(thoughtSignature) ? { providerOptions: googleOptions(thoughtSignature) } : {}
}

export function googleOptions(thoughtSignature: string): JsonObject {
  return { google: { thoughtSignature } }
}
