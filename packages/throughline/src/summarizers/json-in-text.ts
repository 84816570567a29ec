/**
 * The one JSON object in an answer: alone, in a fence, or with prose around it. Two objects
 * are ambiguous, and one that never ends was cut off. Linear in the answer.
 */
export type JsonInText =
  | { readonly kind: 'found'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'missing' | 'ambiguous' | 'cut-off' }

// Bounds what a text that was made for it can cost: each candidate is read once.
const mostCandidates = 8

export function jsonInText(text: string): JsonInText {
  const whole = objectIn(text)
  if (whole !== null) return { kind: 'found', value: whole }
  const found: Readonly<Record<string, unknown>>[] = []
  let at = text.indexOf('{')
  for (let tried = 0; at !== -1; tried += 1) {
    if (tried === mostCandidates) return { kind: 'ambiguous' }
    const end = endOfObject(text, at)
    if (end === null) return { kind: found.length > 0 ? 'ambiguous' : cutOff(text, at) }
    const value = objectIn(text.slice(at, end))
    if (value !== null) found.push(value)
    at = text.indexOf('{', end)
  }
  const [first, ...others] = found
  if (first === undefined) return { kind: 'missing' }
  return others.length === 0 ? { kind: 'found', value: first } : { kind: 'ambiguous' }
}

/** A brace that never closes is the beginning of an object only where a name follows it. */
function cutOff(text: string, at: number): 'cut-off' | 'missing' {
  return /^\{\s*(?:"|$)/.test(text.slice(at, at + 200)) ? 'cut-off' : 'missing'
}

function endOfObject(text: string, from: number): number | null {
  let depth = 0
  let quoted = false
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (quoted) {
      if (character === '\\') at += 1
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{') depth += 1
    else if (character === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  if (!/^\s*\{/.test(text)) return null
  try {
    return objectFrom(JSON.parse(text))
  } catch {
    // It begins as JSON does and is something else.
    return null
  }
}

function objectFrom(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null
}
