/** Cases for any test runner: each throws an error with the reason if the tested code is wrong. */
import type { Result } from '../domain/result.ts'

export interface ContractCase {
  readonly name: string
  readonly run: () => Promise<void>
}

export function same(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [formatted(actual), formatted(expected)]
  if (found !== wanted) throw new Error(`${what}: expected ${wanted}, got ${found}`)
}

export function holds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what)
}

export async function refuses(code: string, what: string, action: () => Promise<unknown>) {
  let outcome: unknown
  try {
    outcome = await action()
  } catch (error) {
    same((error as { code?: unknown }).code, code, `${what}: the error's code`)
    return
  }
  throw new Error(`${what}: expected an error ${code}, got ${formatted(outcome)}`)
}

export function given<Value>(result: Result<Value, { readonly kind: string }>): Value {
  if (result.ok) return result.value
  throw new Error(`expected a value, got ${formatted(result.failure)}`)
}

export function pluck<Item, Key extends keyof Item>(items: readonly Item[], field: Key) {
  return items.map((item) => item[field])
}

type ReplaceField = (key: string, value: unknown) => unknown

/** JSON with sorted fields. */
export function formatted(value: unknown, replace: ReplaceField = (_, field) => field): string {
  const sorted = (key: string, field: unknown) => sortedFields(replace(key, field))
  return JSON.stringify(value, sorted) ?? 'undefined'
}

function sortedFields(value: unknown): unknown {
  if (value instanceof Uint8Array) return `bytes ${Array.from(value).join(' ')}`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)),
  )
}
