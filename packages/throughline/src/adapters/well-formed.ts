/** Lone surrogates, deep nesting and other values that every service refuses anywhere in a body. */
import type { RequestProblem } from '../ports/adapter.ts'
import { isPlain, maxDepth } from './unknown-json.ts'

/** Replaces every lone surrogate; bytes and URLs stay unchanged. */
export function wellFormed<Value>(value: Value, depth = 0): Value {
  if (typeof value === 'string') return value.toWellFormed() as Value
  if (depth > maxDepth) return value
  if (Array.isArray(value)) return value.map((item) => wellFormed(item, depth + 1)) as Value
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item, depth + 1)]),
  ) as Value
}

interface PathValue {
  readonly value: unknown
  readonly key: string
  readonly at: string
  readonly depth: number
}

/** The problems that every service refuses. */
export function commonProblems(body: unknown): readonly RequestProblem[] {
  const problems: RequestProblem[] = []
  for (const found of valuesIn(body)) {
    const problem = problemAt(found)
    if (problem !== null) problems.push({ ...problem, at: found.at.toWellFormed() })
  }
  return problems
}

function problemAt({ value, key, depth }: PathValue): Omit<RequestProblem, 'at'> | null {
  if (depth > maxDepth) return { rule: 'nesting', message: `is nested more than ${maxDepth} deep` }
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
    return { rule: 'unicode', message: 'contains a lone surrogate' }
  const isJsonValue =
    value === null ||
    ['string', 'boolean', 'object', 'undefined'].includes(typeof value) ||
    Number.isFinite(value)
  return isJsonValue ? null : { rule: 'json', message: 'is not a JSON value' }
}

/**
 * Yields every value of a body with its path, down to the first that is too deep. Uses a stack instead of
 * recursion because values may be deep, and visits an object once per depth because it may be cyclic.
 */
export function* valuesIn(body: unknown): Generator<PathValue> {
  const deepestVisit = new Map<object, number>()
  const pending: PathValue[] = [{ value: body, key: '', at: '', depth: 0 }]
  for (let found = pending.pop(); found !== undefined; found = pending.pop()) {
    yield found
    const { value, at, depth } = found
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    if (depth > maxDepth || (deepestVisit.get(value) ?? -1) >= depth) continue
    deepestVisit.set(value, depth)
    for (const [key, item] of Object.entries(value).reverse()) {
      const pathStep = Array.isArray(value) ? `[${key}]` : at === '' ? key : `.${key}`
      pending.push({ value: item, key, at: `${at}${pathStep}`, depth: depth + 1 })
    }
  }
}
