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

/** The fields of a value from outside: any field may have any type. */
export type Fields = Readonly<Record<string, unknown>>

/** An object that is not an array. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object; none for other values. */
export function fieldsIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** The fallback for text that is not JSON. */
export function parsedJson(text: string, fallback: unknown = null): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return fallback
  }
}

const maxDepth = 200

/** More digits than every number keeps in JavaScript, or an exponent. */
const longNumber = /[\d.]{16}|\d[eE]/

/**
 * JSON text in one spelling: keys sorted, no spaces, numbers as JavaScript writes them unless that
 * might change them. Text that is not JSON, or is nested too deeply, stays as it is.
 */
export function canonicalJson(text: string, omittedKeys: ReadonlySet<string> = noKeys): string {
  const hasLongNumber = longNumber.test(text)
  // Where a runtime does not show how numbers are spelled, all spellings stay as they are.
  if (hasLongNumber && rawJson === undefined) return text
  try {
    // Walking every value is slow, and few texts hold a number that needs it.
    const value: unknown = hasLongNumber
      ? parseSpelled(text, (each, source) =>
          longNumber.test(source) ? (rawJson?.(source) ?? each) : each,
        )
      : JSON.parse(text)
    return write(value, omittedKeys, 0)
  } catch {
    return text
  }
}

const noKeys: ReadonlySet<string> = new Set()

function write(value: unknown, omittedKeys: ReadonlySet<string>, depth: number): string {
  if (depth > maxDepth) throw new Error('nested too deeply')
  if (Array.isArray(value))
    return `[${value.map((item) => write(item, omittedKeys, depth + 1)).join(',')}]`
  if (typeof value !== 'object' || value === null || isRawJson?.(value) === true)
    return JSON.stringify(value)
  const fields = Object.entries(value)
    .filter(([key]) => !omittedKeys.has(key))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item, omittedKeys, depth + 1)}`)
  return `{${fields.join(',')}}`
}

/** Throws for invalid JSON. Numbers that JavaScript would round stay as they were written. */
export function parseExactly(
  text: string,
  change: (value: JsonValue) => JsonValue = (value) => value,
): JsonValue {
  return parseSpelled(text, (value, source) =>
    source === '' || String(value) === source ? change(value) : (rawJson?.(source) ?? value),
  )
}

/** `revive` gets each value, and how it is spelled if it is a number; else an empty text. */
function parseSpelled(text: string, revive: (value: JsonValue, source: string) => JsonValue) {
  const reviver = (_key: string, value: JsonValue, context?: { readonly source?: string }) =>
    revive(value, typeof value === 'number' ? (context?.source ?? '') : '')
  return JSON.parse(text, reviver as (key: string, value: JsonValue) => JsonValue) as JsonValue
}

// Node 22 and current browsers have them; the type library does not know them yet.
const { rawJSON: rawJson, isRawJSON: isRawJson } = JSON as {
  rawJSON?: (text: string) => JsonValue
  isRawJSON?: (value: unknown) => boolean
}
