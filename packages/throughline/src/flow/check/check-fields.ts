/** Checks of fields; an error names the place: `messages[2].content[0].text must be a string`. */
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { describe } from '../../domain/text.ts'
import { ThroughlineError } from '../../errors.ts'

export type Fields = Readonly<Record<string, unknown>>

/** With deeper values, JSON.stringify may overflow the stack. */
const maxDepth = 200

export function invalid(where: string, why: string): ThroughlineError {
  return new ThroughlineError('MESSAGE_INVALID', `${where} ${why}`)
}

export function checkObject(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(where, `must be an object, got ${describe(value)}`)
  return value as Fields
}

/** Without this check, a misspelt field would be ignored silently. */
export function checkFieldNames(value: Fields, known: readonly string[], where: string): void {
  for (const field of Object.keys(value))
    if (!known.includes(field))
      throw invalid(where, `has no field "${field}"; it takes ${known.join(', ')}`)
}

export function checkString(value: unknown, where: string): string {
  if (typeof value !== 'string') throw invalid(where, `must be a string, got ${describe(value)}`)
  return value
}

export function checkStringOrNull(value: unknown, where: string): string | null {
  return value === undefined ? null : checkString(value, where)
}

/** Ids and names are looked up and compared, so they must not be empty. */
export function checkName(value: unknown, where: string): string {
  const text = checkString(value, where)
  if (text === '') throw invalid(where, 'must not be empty')
  return text
}

/** For texts that stores keep outside JSON, where half of a surrogate pair would be changed. */
export function checkWellFormed(text: string, where: string): string {
  if (!text.isWellFormed()) throw invalid(where, 'must be well-formed Unicode')
  return text
}

export function checkWholeNumberOrNull(value: unknown, where: string): number | null {
  if (value === undefined) return null
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalid(where, `must be a whole number from 0, got ${describe(value)}`)
  return withoutNegativeZero(value)
}

/** JSON has no negative zero, so a store would return 0. */
function withoutNegativeZero(value: number): number {
  return value === 0 ? 0 : value
}

export function checkBoolean(value: unknown, where: string): boolean {
  if (value === undefined) return false
  if (typeof value !== 'boolean')
    throw invalid(where, `must be true or false, got ${describe(value)}`)
  return value
}

export function checkJsonObjectOrNull(value: unknown, where: string): JsonObject | null {
  if (value === undefined) return null
  return copyJson(checkObject(value, where), where, 0) as JsonObject
}

/** Copies, because the caller may change its object later. */
function copyJson(value: unknown, where: string, depth: number): JsonValue {
  if (depth > maxDepth) throw invalid(where, `is nested more than ${maxDepth} deep`)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalid(where, `must be a finite number, got ${value}`)
    return withoutNegativeZero(value)
  }
  if (Array.isArray(value))
    return arrayItems(value).map((item, index) => copyJson(item, `${where}[${index}]`, depth + 1))
  if (typeof value === 'object' && isPlain(value))
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [key, copyJson(item, `${where}.${key}`, depth + 1)]),
    )
  throw invalid(where, `must be JSON, got ${describe(value)}`)
}

/** Text stays unchanged. Big integers become digits, because we never parse the text into numbers. */
export function toJsonText(value: unknown, where: string): string {
  return typeof value === 'string' ? value : writeJson(value, where, 0)
}

function writeJson(value: unknown, where: string, depth: number): string {
  if (depth > maxDepth) throw invalid(where, `is nested more than ${maxDepth} deep`)
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value))
    return `[${arrayItems(value)
      .map((item, index) => writeJson(item, `${where}[${index}]`, depth + 1))
      .join(',')}]`
  if (typeof value === 'object' && value !== null && isPlain(value)) {
    const fields = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(
        ([key, item]) => `${JSON.stringify(key)}:${writeJson(item, `${where}.${key}`, depth + 1)}`,
      )
    return `{${fields.join(',')}}`
  }
  return JSON.stringify(copyJson(value, where, depth))
}

/** Turns holes of a sparse array into undefined; `map` would skip them silently. */
export function arrayItems(value: readonly unknown[]): readonly unknown[] {
  return Array.from(value)
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
