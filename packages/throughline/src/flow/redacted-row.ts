/**
 * A row without secrets. Its message is redacted already; what rules put together from
 * several places of it may still come to look like one.
 */
import type { MessageFacts } from '../domain/fact.ts'
import { redactSecrets } from '../extract/redact-secrets.ts'
import type { Redact } from './redactor.ts'

export function redactedRow(row: MessageFacts, redact: Redact): MessageFacts {
  const { digest } = row
  const texts = row.facts.flatMap(({ key, label, value }) =>
    key === label ? [label, value] : [key, label, value],
  )
  // One look at all of them; few rows need one at each, which counts.
  const isClean = redactSecrets(texts.join('\n')).redacted.length === 0
  return {
    ...row,
    facts: isClean
      ? row.facts
      : row.facts.map((fact) => ({
          ...fact,
          key: redact(fact.key),
          label: redact(fact.label),
          value: redact(fact.value),
        })),
    digest: digest && { ...digest, text: redact(digest.text) },
  }
}
