/**
 * Fields of OpenAI's requests that we have no place for, under the key `openai`: facts of both formats
 * (`refusal`, `custom`, `role`) at the top, the wire form under the format's name. Notes may come from
 * anywhere, so the type of each is checked.
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

export function factsOf(metadata: JsonObject | null | undefined): Fields {
  return fieldsOf(metadata?.['openai']) ?? {}
}

export function wireOf(metadata: JsonObject | null | undefined, format: OpenaiFormat): Fields {
  return fieldsOf(factsOf(metadata)[format]) ?? {}
}

/** The fields of a message are noted at its first part: replaced parts take the note with them. */
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

/** Never a field that we write ourselves. */
export function keptFields(value: unknown, ours: readonly string[]): JsonObject {
  return otherFields(fieldsOf(value) ?? {}, ours) ?? {}
}

export function opaqueBlock(kind: string, block: unknown) {
  return { type: 'opaque', kind: `openai/${kind}`, json: jsonTextOf(block) } as const
}

/** For a tool that takes plain text. Our input is JSON text, so the text is in quotes. */
export function plainInput(input: string): string {
  const value = parsedJson(input)
  return typeof value === 'string' ? value : input
}
