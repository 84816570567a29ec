/** What a provider's form holds and we have no field for, kept under its name in `metadata`. */
import type { ToolSchema } from '../domain/context.ts'
import type { JsonObject } from '../domain/json.ts'
import { type Fields, isFields } from './unknown-json.ts'

/** Empty where the field holds no object. */
export function recordAt(fields: Fields, name: string): JsonObject {
  // A border: notes are JSON.
  return isFields(fields[name]) ? (fields[name] as JsonObject) : {}
}

export function noteOf(metadata: JsonObject | null | undefined, provider: string): Fields {
  return recordAt(metadata ?? {}, provider)
}

export function notedFields(note: Fields): JsonObject {
  return recordAt(note, 'fields')
}

/** Nothing where there is nothing to note. */
export function notedAs(
  provider: string,
  note: Fields,
  fields: Fields,
): { readonly metadata?: JsonObject } {
  const kept = Object.keys(fields).length === 0 ? note : { ...note, fields }
  if (Object.keys(kept).length === 0) return {}
  return { metadata: { [provider]: kept as JsonObject } }
}

/**
 * Whether another service runs the tool itself (`web_search` and the like). Its adapter keeps the
 * definition whole in its note; without a schema no other service can use it.
 */
export function isServiceTool({ metadata, parameters }: ToolSchema): boolean {
  if (parameters !== undefined) return false
  return Object.values(metadata ?? {}).some((note) => isFields(note) && isFields(note['tool']))
}
