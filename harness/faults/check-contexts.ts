/** Each context fits, and each message of the log is shown in it or listed as left out. */
import { checkListed } from '../prop/check-listed.ts'
import { type Finding, finding } from './finding.ts'
import type { Observed } from './observed.ts'

export function checkContexts({ steps, appended }: Observed): readonly Finding[] {
  return steps.flatMap(({ number, context, head }) => [
    ...(context.tokens <= context.available
      ? []
      : [
          finding('context', `context ${number}: ${context.tokens} of ${context.available} tokens`),
        ]),
    ...checkListed(context, appended.slice(0, head), []).map(({ detail }) =>
      finding('context', `context ${number}: ${detail}`),
    ),
    ...(isTold(context)
      ? []
      : [finding('context', `context ${number}: nothing tells of the past`)]),
  ])
}

/** Where messages are left out, something says what they were. */
function isTold({ omitted, sections }: Observed['steps'][number]['context']): boolean {
  if (!omitted.some(({ why }) => why === 'left-out')) return true
  return sections.some(
    ({ kind, tokens }) => (kind === 'summary' || kind === 'ledger') && tokens > 0,
  )
}
