/**
 * Calls and results, made to belong together: the SDK refuses a call that nobody
 * answered, and providers refuse an answer to no call. What has lost its other half is
 * left out; so are messages that are empty then.
 */
import { runsOf } from '../paired-turns.ts'
import type { Fields } from '../unknown-json.ts'
import { type Draft, saysNothing } from './draft.ts'
import { looseParts, placeOf } from './pairing.ts'

export function mended(drafts: readonly Draft[]): readonly Draft[] {
  let filled = drafts.filter((draft) => !saysNothing(draft))
  // What is left out may be what another part was tied to. Each round leaves out something.
  for (let loose = looseParts(filled); loose.size > 0; loose = looseParts(filled)) {
    const parts = loose
    filled = filled
      .map((draft, message) => ({
        ...draft,
        content: draft.content.filter((_, part) => !parts.has(placeOf(message, part))),
      }))
      .filter((draft) => !saysNothing(draft))
  }
  return filled
}

/**
 * Calls that others made one message after the other, as one message: a provider that
 * wants results right behind their call would find the next call there.
 */
export function joined(drafts: readonly Draft[]): readonly Draft[] {
  return runsOf(drafts, (previous, next) => {
    const together = previous.role === 'assistant' && next.role === 'assistant'
    return together && !next.apart && previous.content.some(isCall)
  }).map(([first, ...more]) => (more.length === 0 ? first : more.reduce(join, first)))
}

function isCall({ type, providerExecuted }: Fields): boolean {
  return type === 'tool-call' && providerExecuted !== true
}

function join(one: Draft, other: Draft): Draft {
  return {
    ...other,
    fields: { ...one.fields, ...other.fields },
    content: [...one.content, ...other.content],
  }
}
