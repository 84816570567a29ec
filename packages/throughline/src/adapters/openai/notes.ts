/**
 * What OpenAI's requests hold that we have no field for, kept under the key `openai`
 * of a part: facts that both formats know at its top (`refusal`, `custom`, `role`),
 * and the form on the wire under the format's own name, where only that format looks.
 *
 * Notes may come from anywhere, so each is believed only after a look at its type.
 */

import type { JsonObject } from '../../domain/json.ts'
import type { PartInput } from '../../domain/message.ts'
import { type Fields, fieldsOf, jsonTextOf, otherFields, parsedJson } from '../unknown-json.ts'

export type OpenaiFormat = 'chat' | 'responses'

export function noted(facts: Fields, format: OpenaiFormat, wire: Fields): JsonObject | undefined {
  const form = otherFields(wire, [])
  const openai = otherFields({ ...facts, [format]: form }, [])
  return openai === undefined ? undefined : { openai }
}

/** What both formats know about a part, a message or a tool. */
export function factsOf(metadata: JsonObject | null | undefined): Fields {
  return fieldsOf(metadata?.['openai']) ?? {}
}

/** How it stood on the wire of this format. */
export function wireOf(metadata: JsonObject | null | undefined, format: OpenaiFormat): Fields {
  return fieldsOf(factsOf(metadata)[format]) ?? {}
}

/**
 * What a message itself holds is noted at its first part: where the parts are replaced by a
 * note about them, it goes with them.
 */
export function withWire<Noted extends PartInput>(
  parts: readonly Noted[],
  format: OpenaiFormat,
  wire: Fields,
): readonly Noted[] {
  const [first, ...others] = parts
  if (first === undefined) return parts
  const whole = { ...wireOf(first.metadata, format), ...wire }
  return [{ ...first, metadata: noted(factsOf(first.metadata), format, whole) }, ...others]
}

/** Fields that were noted to be written back; never one that we write ourselves. */
export function keptFields(value: unknown, ours: readonly string[]): JsonObject {
  return otherFields(fieldsOf(value) ?? {}, ours) ?? {}
}

/** A block as the text of it, for parts that we do not know. */
export function opaqueBlock(kind: string, block: unknown) {
  return { type: 'opaque', kind: `openai/${kind}`, json: jsonTextOf(block) } as const
}

/**
 * The input of a tool that takes plain text. Ours is JSON text, so the text stands
 * in quotes there.
 */
export function plainInput(input: string): string {
  const value = parsedJson(input)
  return typeof value === 'string' ? value : input
}
