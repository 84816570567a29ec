/** Type checks for untrusted values: any field may have any type, at any depth. */
import { type Fields, isObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import type { OpaquePart } from '../domain/message.ts'
import { ThroughlineError } from '../errors.ts'

export { type Fields, isObject }

/** Services refuse values that are nested deeper, and such values would exhaust our stack. */
export const maxDepth = 100

/** A plain object: no bytes, URL or date. */
export function isPlain(value: unknown): value is Fields {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

export function fieldsOf(value: unknown): Fields | null {
  return isObject(value) ? value : null
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A string that is not empty. */
export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

export function filledText(value: unknown): string | null {
  return isFilled(value) ? value : null
}

/** The fields that are not among `known`, without undefined ones; undefined if there are none. */
export function otherFields(fields: Fields, known: readonly string[]): JsonObject | undefined {
  const isOther = ([name, value]: [string, unknown]) => value !== undefined && !known.includes(name)
  const others = Object.entries(fields).filter(isOther)
  // The cast is safe: requests are JSON, and `append` refuses anything else.
  return others.length === 0 ? undefined : (Object.fromEntries(others) as JsonObject)
}

export function isJson(value: unknown, depth = 0): value is JsonValue {
  if (depth > maxDepth) return false
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1))
  if (!isPlain(value)) return false
  return Object.values(value).every((item) => item === undefined || isJson(item, depth + 1))
}

export function jsonTextOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (cause) {
    throw new ThroughlineError('MESSAGE_INVALID', 'a part of the request is not JSON', { cause })
  }
}

/** Undefined for text that is not JSON, or is nested too deeply. */
export function parsedJson(text: string): JsonValue | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The block of an opaque part; null for a block of another provider, and for invalid JSON. */
export function providerBlock({ kind, json }: OpaquePart, provider: string): JsonObject | null {
  const block = kind.startsWith(`${provider}/`) ? parsedJson(json) : undefined
  // The casts here and below are safe: `parsedJson` returns only JSON.
  return isObject(block) ? (block as JsonObject) : null
}

/** The arguments of a call as the object that services require; any other value is wrapped in one. */
export function inputObject(input: string): JsonObject {
  const value = parsedJson(input)
  if (isObject(value)) return value as JsonObject
  if (input.trim() === '') return {}
  return { input: value === undefined ? input : value }
}
