/**
 * Marks for the cache that came with what was read. Those on blocks that we know are noted
 * beside them and can be left out. A block that we do not know goes as it came or not at
 * all: where its marks would be refused, it is left out, the oldest first.
 */
import type { ContextMessage } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Part, ToolOutput } from '../../domain/message.ts'
import { isFields, ownBlock } from '../unknown-json.ts'
import { lifetimeOf, type Mark, markProblems, marksIn, withoutMarks } from './cache.ts'

type Messages = readonly ContextMessage[]
type OutputPart = Extract<ToolOutput, { readonly kind: 'parts' }>['parts'][number]

/**
 * Without the blocks that we do not know and whose marks would be refused. With lifetimes
 * of one length their order is sound wherever turns put them.
 */
export function withSoundMarks(messages: Messages, lifetimes: 'any' | 'one'): Messages {
  let kept: readonly Mark[] = []
  const isSound = (part: Part | OutputPart): boolean => {
    const marks = marksOn(part)
    if (marks.length === 0) return true
    const all = [...marks, ...kept]
    const mixed = new Set(all.map(({ value }) => lifetimeOf(value))).size > 1
    if ((mixed && lifetimes === 'one') || markProblems(all).length > 0) return false
    kept = all
    return true
  }
  return fromTheEnd(messages, (message) => [
    { ...message, parts: fromTheEnd(message.parts, (part) => soundPart(part, isSound)) },
  ])
}

function soundPart(part: Part, isSound: (part: Part | OutputPart) => boolean): readonly Part[] {
  if (part.type !== 'tool-result' || part.output.kind !== 'parts')
    return isSound(part) ? [part] : []
  const parts = fromTheEnd(part.output.parts, (inner) => (isSound(inner) ? [inner] : []))
  return [{ ...part, output: { ...part.output, parts } }]
}

function fromTheEnd<Item>(
  items: readonly Item[],
  change: (item: Item) => readonly Item[],
): readonly Item[] {
  return items.toReversed().flatMap(change).toReversed()
}

function marksOn(part: Part | OutputPart): readonly Mark[] {
  if (part.type !== 'opaque' || !/cache_control|\\u/.test(part.json)) return []
  return marksIn([ownBlock(part, 'anthropic')], part.kind)
}

/** Without the marks that were noted beside blocks that we know. */
export function withoutNotedMarks(messages: Messages): Messages {
  return messages.map((message) => ({ ...message, parts: message.parts.map(unmarkedPart) }))
}

function unmarkedPart(part: Part): Part {
  if (part.type !== 'tool-result' || part.output.kind !== 'parts') return unmarked(part)
  return unmarked({ ...part, output: { ...part.output, parts: part.output.parts.map(unmarked) } })
}

function unmarked<Noted extends Part | OutputPart>(part: Noted): Noted {
  const note = part.metadata?.['anthropic']
  if (!isFields(note)) return part
  const { fields, source } = note as JsonObject
  const anthropic = {
    ...(note as JsonObject),
    ...(isFields(fields) ? { fields: withoutMarks(fields as JsonObject) } : {}),
    // Of a document: what its source holds besides.
    ...(isFields(source) ? withoutMarks({ source }) : {}),
  }
  return { ...part, metadata: { ...part.metadata, anthropic } }
}
