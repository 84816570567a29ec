/** JSON read so that it can be written again without a changed digit. */
import type { JsonValue } from './json.ts'

/**
 * Throws where the text is no JSON. Numbers that JavaScript would round stand in the
 * value as their own text, which JSON.stringify writes as it is.
 */
export function parseExactly(
  text: string,
  change: (value: JsonValue) => JsonValue = (value) => value,
): JsonValue {
  const revive = (_key: string, value: JsonValue, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? (raw?.(context.source) ?? value)
      : change(value)
  return JSON.parse(text, revive as (key: string, value: JsonValue) => JsonValue) as JsonValue
}

// Node 22 and current browsers have it; the type library does not know it yet.
const raw = (JSON as { rawJSON?: (text: string) => JsonValue }).rawJSON
