/**
 * Meta as the engine takes it: finite JSON of limited depth. A field that holds anything
 * else is left out whole, because a part of it would pass for all of it.
 */
import type { JsonObject, JsonValue } from '../../index.ts'

/** Levels that the engine takes, the meta itself being level 0. */
const depthMax = 200

export function plainMeta(meta: JsonObject): JsonObject | null {
  const plain = Object.entries(meta).filter(([, value]) => isPlain(value, 1))
  return plain.length === 0 ? null : Object.fromEntries(plain)
}

function isPlain(value: JsonValue, depth: number): boolean {
  // `1e999` is sound JSON, and parses to Infinity.
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return depth <= depthMax && Object.values(value).every((inner) => isPlain(inner, depth + 1))
}
