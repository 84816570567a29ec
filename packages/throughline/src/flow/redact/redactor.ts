/** Redacts texts, and counts what it took out of them. */
import { redactSecrets } from '../../extract/redact-secrets.ts'

export type Redact = (text: string) => string

export interface Redactor {
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
