/**
 * JSON text whose strings are well-formed once they are read: an escape can hide half
 * a surrogate pair from a look at the text.
 */
import { parseExactly } from '../../domain/exact-json.ts'
import type { JsonValue } from '../../domain/json.ts'

/** The same text where nothing is wrong with it; null where it cannot be read. */
export function soundJson(text: string): string | null {
  let broken = false
  try {
    const value = parseExactly(text, (inner) => {
      if (typeof inner !== 'string' || inner.isWellFormed()) return soundKeys(inner)
      broken = true
      return inner.toWellFormed()
    })
    return broken || !text.isWellFormed() ? JSON.stringify(value) : text
  } catch {
    return null
  }

  function soundKeys(value: JsonValue): JsonValue {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    if (Object.keys(value).every((key) => key.isWellFormed())) return value
    broken = true
    const fields = new Map<string, JsonValue>()
    for (const [key, of] of Object.entries(value)) {
      let free = key.toWellFormed()
      while (fields.has(free)) free = `${free}~`
      fields.set(free, of)
    }
    return Object.fromEntries(fields)
  }
}

/** Whether a look at the values is needed at all. */
export function mayHideHalves(text: string): boolean {
  return !text.isWellFormed() || halfEscape.test(text)
}

const halfEscape = /\\u[dD][89a-fA-F]/
