/**
 * A summary in one line: `[✓ read_file: File: /app.ts | Lines: 100]`.
 *
 * What stands in it was written by tools and people: it gets no line of its own, and it cannot
 * pass for the next fact, because what parts facts does not occur in one.
 */
import type { ToolSummary } from '../../domain/tool-summary.ts'
import { oneLine } from '../text/one-line.ts'

/**
 * What came of a tool in one line, in which nothing can pass for another fact.
 *
 * @example
 * formatSummary({ toolName: 'read_file', status: 'success', keyFacts: ['File: /app.ts'], metadata: {} })
 * // [✓ read_file: File: /app.ts]
 */
export function formatSummary({ toolName, status, keyFacts }: ToolSummary): string {
  return formatFacts(`${marks[status]} ${safeToolName(toolName)}`, keyFacts)
}

const marks: Readonly<Record<ToolSummary['status'], string>> = {
  success: '✓',
  error: '❌',
  partial: '~',
}

export function formatFacts(title: string, keyFacts: readonly string[]): string {
  const facts = keyFacts.map(safeFact).filter((fact) => fact !== '')
  return facts.length === 0 ? `[${title}]` : `[${title}: ${facts.join(' | ')}]`
}

/** A pipe without spaces means the same to a shell. */
function safeFact(fact: string): string {
  return oneLine(fact)
    .replaceAll(/ +\| +/g, '|')
    .trim()
    .toWellFormed()
}

const nameCharacters = 100

/** A name of one word, which closes no bracket. */
export function safeToolName(name: string): string {
  const word = name.slice(0, nameCharacters).replaceAll(/[\s\p{Cc}[\]|]+/gu, '_')
  return word === '' ? 'unknown' : word.toWellFormed()
}
