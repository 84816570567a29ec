/**
 * Hints for the prompt cache (`cache_control`) in messages that we write. Clients move theirs from request to
 * request, and a request may have four: those with which a message was stored are of an earlier request.
 */
import { type Fields, fieldsOf, listOf, objectsIn } from './answer.ts'

/** The last hint of a message of the client; null without one. */
export function hintIn(message: string): Fields | null {
  if (!hasHint(message)) return null
  const blocks = objectsIn(fieldsOf(JSON.parse(message))?.['content'])
  const hints = blocks.map(({ cache_control: hint }) => fieldsOf(hint))
  return hints.findLast((hint) => hint !== null) ?? null
}

/** A message that we write: its last block has `hint`, and no other block has one. */
export function withOnlyHint(message: Fields, hint: Fields | null): Fields {
  if (hint === null && !hasHint(JSON.stringify(message))) return message
  const bare = fieldsOf(withoutHints(message)) ?? {}
  const blocks = listOf(bare['content'])
  const last = fieldsOf(blocks.at(-1))
  const takesHint = last !== null && !/thinking$/.test(String(last['type']))
  if (hint === null || !takesHint) return bare
  return { ...bare, content: blocks.with(-1, { ...last, cache_control: hint }) }
}

function hasHint(text: string): boolean {
  return text.includes('"cache_control"')
}

/** The input of a call is the model's own and may have a field of this name. */
const fieldsWithBlocks: ReadonlySet<string> = new Set(['content', 'source'])

function withoutHints(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutHints)
  const fields = fieldsOf(value)
  if (fields === null) return value
  const { cache_control: _, ...rest } = fields
  const entries = Object.entries(rest).map(([name, inner]) => [
    name,
    fieldsWithBlocks.has(name) ? withoutHints(inner) : inner,
  ])
  return Object.fromEntries(entries)
}
