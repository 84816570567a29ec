/**
 * JSON text in one spelling: keys sorted, no spaces, cache hints dropped, numbers
 * as JavaScript writes them unless that would change them. Text that is not JSON,
 * or nested beyond any honest use, stays as it is.
 */
const depthMax = 200

/** Where a client may put or drop a hint without changing what the model reads. */
const hintKeys: ReadonlySet<string> = new Set(['cache_control', 'cacheControl', 'cachePoint'])

/** At least as many digits in a row as the smallest integer that JavaScript may change. */
const longNumber = /\d{16}|\d[eE]/

export function canonicalJson(text: string): string {
  let value: unknown
  try {
    // Walking every value is slow, and few texts hold a number that needs it.
    value = longNumber.test(text) ? JSON.parse(text, keepLongNumbers) : JSON.parse(text)
  } catch {
    return text
  }
  try {
    return write(value, 0)
  } catch (cause) {
    if (cause === tooDeep) return text
    throw cause
  }
}

const tooDeep = new Error('nested too deeply')

class LongNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

// The third argument (the number's own spelling) is newer than TypeScript's library.
function keepLongNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  const changed =
    !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
  return changed ? new LongNumber(context.source) : value
}

function write(value: unknown, depth: number): string {
  if (depth > depthMax) throw tooDeep
  if (value instanceof LongNumber) return value.source
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value)
    .filter(([key]) => !hintKeys.has(key))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item, depth + 1)}`)
  return `{${fields.join(',')}}`
}
