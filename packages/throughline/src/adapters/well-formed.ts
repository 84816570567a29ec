/** Lone surrogates, deep nesting and other values that every service refuses anywhere in a body. */
import type { RequestProblem } from '../ports/adapter.ts'
import { depthMax, isPlain } from './unknown-json.ts'

/** Replaces every lone surrogate; bytes and URLs stay unchanged. */
export function wellFormed<Value>(value: Value, depth = 0): Value {
  if (typeof value === 'string') return value.toWellFormed() as Value
  if (depth > depthMax) return value
  if (Array.isArray(value)) return value.map((item) => wellFormed(item, depth + 1)) as Value
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item, depth + 1)]),
  ) as Value
}

interface Place {
  readonly value: unknown
  readonly key: string
  readonly at: string
  readonly depth: number
}

export function flawsIn(body: unknown): readonly RequestProblem[] {
  const flaws: RequestProblem[] = []
  for (const place of placesIn(body)) {
    const flaw = flawAt(place)
    if (flaw !== null) flaws.push({ ...flaw, at: place.at.toWellFormed() })
  }
  return flaws
}

function flawAt({ value, key, depth }: Place): Omit<RequestProblem, 'at'> | null {
  if (depth > depthMax) return { rule: 'nesting', message: `is nested more than ${depthMax} deep` }
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
    return { rule: 'unicode', message: 'contains a lone surrogate' }
  const json =
    value === null ||
    ['string', 'boolean', 'object', 'undefined'].includes(typeof value) ||
    Number.isFinite(value)
  return json ? null : { rule: 'json', message: 'is not a JSON value' }
}

/**
 * Yields every value of a body with its path, down to the first that is too deep. Uses a stack instead of
 * recursion because values may be deep, and visits an object once per depth because it may be cyclic.
 */
export function* placesIn(body: unknown): Generator<Place> {
  const seen = new Map<object, number>()
  const open: Place[] = [{ value: body, key: '', at: '', depth: 0 }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    yield place
    const { value, at, depth } = place
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    if (depth > depthMax || (seen.get(value) ?? -1) >= depth) continue
    seen.set(value, depth)
    for (const [key, item] of Object.entries(value).reverse()) {
      const step = Array.isArray(value) ? `[${key}]` : at === '' ? key : `.${key}`
      open.push({ value: item, key, at: `${at}${step}`, depth: depth + 1 })
    }
  }
}
