/** A few words for any value, for error messages. Never throws. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40).toWellFormed())
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object') return typeof value
  try {
    return Array.isArray(value) ? 'an array' : 'an object'
  } catch {
    return 'a revoked proxy'
  }
}

/** 1,234,567: the same on every machine. */
export function grouped(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** The name that was most likely meant; null where none is near. */
export function nearest(word: string, names: readonly string[]): string | null {
  return nearestNames(word, names)[0] ?? null
}

/** All names that are equally near; empty where none is near. */
export function nearestNames(word: string, names: readonly string[]): readonly string[] {
  const ranked = names
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .sort((left, right) => left.distance - right.distance)
  const [best] = ranked
  if (best === undefined || best.distance > Math.max(1, Math.floor(word.length / 3))) return []
  return ranked.filter(({ distance }) => distance === best.distance).map(({ name }) => name)
}

/** How many letters to add, remove, replace, or swap with their neighbour (Damerau-Levenshtein). */
function editDistance(from: string, to: string): number {
  if (Math.max(from.length, to.length) > maxWordLength) return Number.POSITIVE_INFINITY
  let previousRow: readonly number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const nextRow = [i]
    for (let j = 1; j <= to.length; j += 1)
      nextRow[j] = Math.min(
        (nextRow[j - 1] ?? 0) + 1,
        (row[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1),
        from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? (previousRow[j - 2] ?? Number.POSITIVE_INFINITY) + 1
          : Number.POSITIVE_INFINITY,
      )
    previousRow = row
    row = nextRow
  }
  return row[to.length] ?? 0
}

const maxWordLength = 40

/** The bytes of a text in UTF-8, without encoding it. A lone surrogate counts as half a pair. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 0x80) continue
    // Each half of a pair is two of its four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return bytes
}

/** Whether a request can be sent there. A name and a password in an address would only be shown. */
export function isHttpAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return ['http:', 'https:'].includes(protocol) && `${username}${password}` === ''
}

/** Options of other libraries for the size of a model's window. Here the model's card has it. */
const windowOptions = new Set([
  ...['window', 'windowTokens', 'windowSize', 'contextWindow', 'contextWindowTokens'],
  ...['contextLength', 'contextSize', 'maxTokens', 'max_tokens', 'maxInputTokens'],
  ...['maxContextTokens', 'tokenLimit', 'tokenBudget', 'budget', 'limit'],
])

/** Where the window is set instead; empty for any other option. */
export function windowAdvice(option: string): string {
  if (!windowOptions.has(option)) return ''
  return (
    '. The window of a model is set by models: [{ id, contextWindowTokens }] of createThroughline ' +
    'or fit, and the longest reply by replyTokens of context or fit'
  )
}
