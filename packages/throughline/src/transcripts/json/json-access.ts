/** Type checks of JSON values, and objects without empty fields. */
import type { JsonObject, JsonValue } from '../../index.ts'

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** Undefined for invalid JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text, or a number as text; never an object, which may have its own `toString`. */
export function plainText(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : null
  return typeof value === 'string' ? value : null
}

/** Undefined where no field is set. */
export function metaOf(fields: Readonly<Record<string, JsonValue | undefined>>) {
  const present = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[key, value] as const],
  )
  return present.length === 0 ? undefined : Object.fromEntries(present)
}
