/** Redacts texts, and counts what it took out of them. */
import { redactSecrets } from '../../extract/redact-secrets.ts'

export type Redact = (text: string) => string

interface Redactor {
  readonly redact: Redact
  /** Secrets taken out so far. */
  count(): number
}

// No secret is shorter.
const leastCharacters = 8

export function redactor(): Redactor {
  let found = 0
  return {
    redact: (text) => {
      if (text.length < leastCharacters) return text
      const { text: rest, redacted } = redactSecrets(text)
      for (const { count } of redacted) found += count
      return rest
    },
    count: () => found,
  }
}

/**
 * As it is written, for the names before the values; then each text in it, because an escaped
 * line end hides what begins a line. What is no JSON is redacted as it is written.
 */
export function redactedJson(json: string, redact: Redact): string {
  const written = redact(json)
  if (!written.includes('\\')) return written
  let isChanged = false
  const redactText = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    // Some clients write the JSON of arguments as a JSON text once more.
    const rest = /^\s*\{/.test(value) ? redactedJson(value, redact) : redact(value)
    isChanged ||= rest !== value
    return rest
  }
  try {
    const value: unknown = JSON.parse(written, redactText)
    // Numbers that parsing would change stay as they are where nothing has to go.
    return isChanged ? JSON.stringify(value) : written
  } catch {
    return written
  }
}
