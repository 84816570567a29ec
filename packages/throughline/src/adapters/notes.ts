/** What a provider's form holds and we have no field for, kept under its name in `metadata`. */

import type { ToolSchema } from '../domain/context.ts'
import type { JsonObject } from '../domain/json.ts'
import { type Fields, isFields } from './unknown-json.ts'

/** The object in a field; one without fields where there is none. */
export function recordAt(fields: Fields, name: string): JsonObject {
  // A border: what was noted is JSON.
  return isFields(fields[name]) ? (fields[name] as JsonObject) : {}
}

/** What a format's reader noted under its provider's key; other keys are not its business. */
export function noteOf(metadata: JsonObject | null | undefined, provider: string): Fields {
  return recordAt(metadata ?? {}, provider)
}

/** The fields of a note that are written back beside our own. */
export function notedFields(note: Fields): JsonObject {
  return recordAt(note, 'fields')
}

/** A note to hang on a part, or nothing where there is nothing to note. */
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
 * definition whole as `tool` of its note; without a schema it is of no use to any other service.
 */
export function isServiceTool({ metadata, parameters }: ToolSchema): boolean {
  if (parameters !== undefined) return false
  return Object.values(metadata ?? {}).some((note) => isFields(note) && isFields(note['tool']))
}
