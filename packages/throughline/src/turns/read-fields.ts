/** Fields of what an agent hands over: each is of its kind, or an error says where it is not. */
import { describe } from '../domain/describe.ts'
import type { JsonValue } from '../domain/json.ts'
import { ThroughlineError } from '../errors.ts'
import { mayHideHalves, sanitizeJson } from '../flow/text/sanitize-message.ts'

export type Fields = Readonly<Record<string, unknown>>

/** A field that is misspelt is refused rather than ignored. */
export function fields(value: unknown, at: string, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(at, 'an object', value)
  const other = Object.keys(value).find((field) => !known.includes(field))
  if (other !== undefined)
    throw new ThroughlineError(
      'TURN_INVALID',
      `${at} has no field "${other}"; it takes ${known.join(', ')}`,
    )
  return value as Fields
}

export function optional<Value>(
  value: unknown,
  at: string,
  read: (value: unknown, at: string) => Value,
): Value | null {
  return value === undefined || value === null ? null : read(value, at)
}

const longestList = 10_000

export function list<Value>(
  value: unknown,
  at: string,
  read: (value: unknown, at: string) => Value,
): readonly Value[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > longestList)
    throw invalid(at, `an array of at most ${longestList}`, value)
  return value.map((each: unknown, index) => read(each, `${at}[${index}]`))
}

export function text(value: unknown, at: string): string {
  if (typeof value !== 'string') throw invalid(at, 'text', value)
  return value.toWellFormed()
}

export function optionalText(value: unknown, at: string): string | null {
  return optional(value, at, text)
}

export function name(value: unknown, at: string): string {
  const given = text(value, at)
  if (given.trim() === '' || given.length > longestName)
    throw invalid(at, `text of 1 to ${longestName} characters`, value)
  return given
}

const longestName = 512

/** Databases count, and programs write that as a number. */
export function idText(value: unknown, at: string): string {
  return Number.isSafeInteger(value) ? String(value) : name(value, at)
}

export function count(value: unknown, at: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalid(at, 'a whole number from 0', value)
  return value
}

export function truth(value: unknown, at: string): boolean {
  if (typeof value !== 'boolean') throw invalid(at, 'true or false', value)
  return value
}

export function oneOf<Value extends string>(
  value: unknown,
  known: readonly Value[],
  at: string,
): Value {
  const found = known.find((each) => each === value)
  if (found === undefined) throw invalid(at, `one of ${known.join(', ')}`, value)
  return found
}

/** A copy that nobody else holds, without halves of characters. */
export function json(value: unknown, at: string): JsonValue {
  if (value === undefined || value === null) return null
  try {
    const written = JSON.stringify(value, refuseOthers)
    return JSON.parse(mayHideHalves(written) ? (sanitizeJson(written) ?? written) : written)
  } catch {
    throw invalid(at, 'plain JSON (an error is handed over as `error`)', value)
  }
}

/** What would be written as an empty object, and lost. */
function refuseOthers(_key: string, value: unknown): unknown {
  if (value instanceof Error || value instanceof Map || value instanceof Set)
    throw new TypeError('no JSON')
  return value
}

export function invalid(at: string, what: string, got: unknown): ThroughlineError {
  return new ThroughlineError('TURN_INVALID', `${at} must be ${what}, got ${describe(got)}`)
}
