/** What a value of JSON is, and objects of those that are there. */
import type { JsonObject, JsonValue } from '../../index.ts'

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** A text, or a number as text. Nothing else has a text: an object may hold its own `toString`. */
export function plainText(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : null
  return typeof value === 'string' ? value : null
}

/** An object of the fields that are there, or undefined if none is. */
export function metaOf(
  fields: Readonly<Record<string, JsonValue | undefined>>,
): JsonObject | undefined {
  const present = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[key, value] as const],
  )
  return present.length === 0 ? undefined : Object.fromEntries(present)
}
