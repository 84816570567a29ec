/** What JSON can hold, read-only. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** A JSON object, read-only. */
export type JsonObject = { readonly [key: string]: JsonValue }

const maxDepth = 200

/** More digits than every number keeps in JavaScript, or an exponent. */
const longNumber = /[\d.]{16}|\d[eE]/

/**
 * JSON text in one spelling: keys sorted, no spaces, numbers as JavaScript writes them unless that
 * might change them. Text that is not JSON, or is nested too deeply, stays as it is.
 */
export function canonicalJson(text: string, omittedKeys: ReadonlySet<string> = noKeys): string {
  let value: unknown
  try {
    const hasLongNumber = longNumber.test(text)
    // Where a runtime does not show how numbers are spelled, all spellings stay as they are.
    if (hasLongNumber && !showsSpelling) return text
    // Walking every value is slow, and few texts hold a number that needs it.
    value = hasLongNumber ? JSON.parse(text, keepLongNumbers) : JSON.parse(text)
  } catch {
    return text
  }
  try {
    return write(value, omittedKeys, 0)
  } catch (cause) {
    if (cause === tooDeep) return text
    throw cause
  }
}

const noKeys: ReadonlySet<string> = new Set()
const tooDeep = new Error('nested too deeply')

class LongNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

// The third argument (the number's own spelling) is newer than TypeScript's library.
function keepLongNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined) return value
  return longNumber.test(source) ? new LongNumber(source) : value
}

function write(value: unknown, omittedKeys: ReadonlySet<string>, depth: number): string {
  if (depth > maxDepth) throw tooDeep
  if (value instanceof LongNumber) return value.source
  if (Array.isArray(value))
    return `[${value.map((item) => write(item, omittedKeys, depth + 1)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value)
    .filter(([key]) => !omittedKeys.has(key))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item, omittedKeys, depth + 1)}`)
  return `{${fields.join(',')}}`
}

const showsSpelling = hasSourceAccess()

function hasSourceAccess(): boolean {
  let hasSource = false
  JSON.parse('1', (...reviverArguments: unknown[]) => {
    hasSource = (reviverArguments[2] as { source?: string } | undefined)?.source === '1'
  })
  return hasSource
}

/** Throws for invalid JSON. Numbers that JavaScript would round stay as they were written. */
export function parseExactly(
  text: string,
  change: (value: JsonValue) => JsonValue = (value) => value,
): JsonValue {
  const revive = (_key: string, value: JsonValue, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? (rawJson?.(context.source) ?? value)
      : change(value)
  return JSON.parse(text, revive as (key: string, value: JsonValue) => JsonValue) as JsonValue
}

// Node 22 and current browsers have it; the type library does not know it yet.
const rawJson = (JSON as { rawJSON?: (text: string) => JsonValue }).rawJSON
