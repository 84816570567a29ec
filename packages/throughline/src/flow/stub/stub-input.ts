/**
 * The arguments of a call, shortened, and still JSON: a model that sees broken
 * arguments learns to make such ones, and providers refuse them.
 */
import { parseExactly } from '../../domain/exact-json.ts'
import type { JsonValue } from '../../domain/json.ts'
import { type Stubbing, shorten } from './shorten.ts'

export function stubInput(input: string, stubbing: Stubbing): string {
  // Arguments are short nearly always.
  if (input.length <= shortInputCharacters) return input
  const shortened = shortenedFields(input, stubbing)
  const shortest = shortened !== null && shortened.length < input.length ? shortened : input
  if (shortened !== null && fits(shortest, stubbing)) return shortest
  const leftOut = `arguments of ${input.length} characters; whole in #${stubbing.seq}`
  return JSON.stringify({ left_out: leftOut })
}

/** Null for what is no object, or too large or too deep to be looked into. */
function shortenedFields(input: string, stubbing: Stubbing): string | null {
  // Reading megabytes of arguments to keep a line of them is not worth it.
  if (input.length > readableCharacters) return null
  try {
    const value = parseExactly(input)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const fields = Object.entries(value)
    if (fields.length > fieldsMax) return null
    const each = { ...stubbing, keepTokens: Math.floor(stubbing.keepTokens / fields.length) }
    const stubbed = fields.map(([name, field]) => [name, stubValue(field, each)] as const)
    return JSON.stringify(Object.fromEntries(stubbed))
  } catch {
    return null
  }
}

const shortInputCharacters = 80
const fieldsMax = 32

const readableCharacters = 1_000_000

function stubValue(value: JsonValue, stubbing: Stubbing): JsonValue {
  if (typeof value === 'string') return shorten(value, stubbing)
  const text = JSON.stringify(value)
  return text.length <= shortInputCharacters ? value : shorten(text, stubbing)
}

/** Notes are longer than what little they replace: many fields may not get smaller. */
function fits(shortened: string, { keepTokens, count }: Stubbing): boolean {
  return count(shortened) <= Math.max(keepTokens, 24) * 2
}
