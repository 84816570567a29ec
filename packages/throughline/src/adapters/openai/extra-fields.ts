/**
 * Fields of OpenAI's requests that our messages lack, kept under `metadata.openai`. Details that both
 * formats share (`refusal`, `custom`, `role`) are at the top level; wire details are under the format's
 * name. `metadata` is untrusted, so the type of each value is checked.
 */
import type { JsonObject } from '../../domain/json.ts'
import type { PartInput } from '../../domain/message.ts'
import { type Fields, fieldsOf, jsonTextOf, otherFields, parsedJson } from '../unknown-json.ts'

export type OpenaiFormat = 'chat' | 'responses'

export function openaiMetadata(shared: Fields, format: OpenaiFormat, wire: Fields) {
  const form = otherFields(wire, [])
  const openai = otherFields({ ...shared, [format]: form }, [])
  return openai === undefined ? undefined : { openai }
}

export function sharedDetails(metadata: JsonObject | null | undefined): Fields {
  return fieldsOf(metadata?.['openai']) ?? {}
}

export function wireDetails(metadata: JsonObject | null | undefined, format: OpenaiFormat): Fields {
  return fieldsOf(sharedDetails(metadata)[format]) ?? {}
}

/** Keeps fields of a message with its first part, so that they disappear when the part is replaced. */
export function withWireDetails<Input extends PartInput>(
  parts: readonly Input[],
  format: OpenaiFormat,
  wire: Fields,
): readonly Input[] {
  const [first, ...others] = parts
  if (first === undefined) return parts
  const whole = { ...wireDetails(first.metadata, format), ...wire }
  return [
    { ...first, metadata: openaiMetadata(sharedDetails(first.metadata), format, whole) },
    ...others,
  ]
}

/** Without the fields that we write ourselves (`ours`). */
export function keptFields(value: unknown, ours: readonly string[]): JsonObject {
  return otherFields(fieldsOf(value) ?? {}, ours) ?? {}
}

export function opaqueBlock(kind: string, block: unknown) {
  return { type: 'opaque', kind: `openai/${kind}`, json: jsonTextOf(block) } as const
}

/** For a tool with plain text as its input. Our input is JSON, so it has the text in quotes. */
export function plainInput(input: string): string {
  const value = parsedJson(input)
  return typeof value === 'string' ? value : input
}
