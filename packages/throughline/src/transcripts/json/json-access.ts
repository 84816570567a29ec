/**
 * Reads fields of values that somebody else wrote: own fields only, so that a file
 * with a key such as `__proto__` or `constructor` finds nothing of ours behind it.
 */
import type { JsonObject, JsonValue } from '../../index.ts'

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

export function textOf(value: JsonValue | undefined, key: string): string | null {
  const field = fieldOf(value, key)
  return typeof field === 'string' ? field : null
}

/** Text that says something: an empty id is none. */
export function filledTextOf(value: JsonValue | undefined, key: string): string | null {
  return textOf(value, key) || null
}

export function numberOf(value: JsonValue | undefined, key: string): number | null {
  const field = fieldOf(value, key)
  return typeof field === 'number' && Number.isFinite(field) ? field : null
}

/** A count of something: never negative, never a fraction, never beyond what is exact. */
export function countOf(value: JsonValue | undefined, key: string): number | null {
  const count = Math.round(numberOf(value, key) ?? -1)
  return count >= 0 && Number.isSafeInteger(count) ? count : null
}

/** A text, or a number as text. Nothing else has a text: an object may hold its own `toString`. */
export function plainText(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : null
  return typeof value === 'string' ? value : null
}

export function listOf(value: JsonValue | undefined, key: string): readonly JsonValue[] {
  const field = fieldOf(value, key)
  return isJsonList(field) ? field : []
}

export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
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
