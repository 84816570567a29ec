/**
 * A row without secrets. Its message is redacted already, and so is every piece of it; what
 * rules put together from several places of it may still come to look like a secret.
 */
import type { Fact, FactKind, MessageFacts } from '../../domain/fact.ts'
import { redactSecrets } from '../../extract/redact-secrets.ts'
import type { Redact } from './redactor.ts'

/** What is told of the use of a tool: the rest is as it stands in the message. */
const joinedKinds: ReadonlySet<FactKind> = new Set(['command', 'use', 'failure', 'file'])

function isJoined({ kind, value }: Fact): boolean {
  return value !== '' && joinedKinds.has(kind)
}

export function redactedRow(row: MessageFacts, redact: Redact): MessageFacts {
  const { digest } = row
  const joined = row.facts.filter(isJoined)
  const texts = joined.flatMap(({ key, label, value }) =>
    key === label ? [label, value] : [key, label, value],
  )
  // One look at all of them; few rows need one at each, which counts.
  const isClean = texts.length === 0 || redactSecrets(texts.join('\n')).redacted.length === 0
  return {
    ...row,
    facts: isClean
      ? row.facts
      : row.facts.map((fact) =>
          isJoined(fact)
            ? {
                ...fact,
                key: redact(fact.key),
                label: redact(fact.label),
                value: redact(fact.value),
              }
            : fact,
        ),
    digest: digest?.by === 'tool' ? { ...digest, text: redact(digest.text) } : digest,
  }
}
