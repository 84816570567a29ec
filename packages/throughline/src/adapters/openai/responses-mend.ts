/**
 * Items that the service would refuse, left out or mended.
 *
 * What the model made after it reasoned goes back with that reasoning, or as if it
 * had never been known to the service: without its id. Reasoning whose next item is
 * gone goes with it. A list that is sound already stays as it is.
 */

import { isSound } from '../rules.ts'
import { type Fields, filledText, otherFields } from '../unknown-json.ts'
import { callKey, checkItem, checkOwnId, isAnswer, outputKey, typeOf } from './responses-rules.ts'

export interface WrittenItem {
  readonly item: Fields
  /** The id of the reasoning that it was made after, where it was read with one. */
  readonly after?: unknown
  /** For reasoning: the name of the item that it was read before. */
  readonly next?: unknown
  /** Nothing in it can be changed: it goes as it came, or not at all. */
  readonly sealed?: boolean
  /** Words of a tool: they wait until all calls before them are answered. */
  readonly aside?: boolean
}

export function mendedItems(written: readonly WrittenItem[]): readonly Fields[] {
  let items = soundIds(written.filter(({ item, sealed }) => !sealed || isSound(item, checkItem)))
  // What one step leaves out may leave something else alone; each round leaves out more.
  for (let before = -1; before !== items.length; ) {
    before = items.length
    items = withReasoning(answeredItems(items))
  }
  return behindAnswers(items).map(({ item }) => item)
}

/** Ids that the service takes, each once. */
function soundIds(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const seen = new Set<unknown>()
  return items.flatMap((written) => {
    const { id } = written.item
    if (id === undefined || id === null) return [written]
    const sound = !seen.has(id) && isSound(written.item, checkOwnId)
    if (!sound) return withoutId(written)
    seen.add(id)
    return [written]
  })
}

function withoutId(written: WrittenItem): readonly WrittenItem[] {
  if (written.sealed) return []
  return [{ ...written, item: otherFields(written.item, ['id']) ?? {} }]
}

/** Calls and outputs that we do not know ourselves have partners too. */
function answeredItems(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const waiting = new Map<string, number>()
  const paired = new Set<number>()
  for (const [index, { item }] of items.entries()) {
    const call = callKey(item)
    if (call !== null && !waiting.has(call)) waiting.set(call, index)
    const answered = waiting.get(outputKey(item) ?? '')
    if (answered === undefined || paired.has(answered)) continue
    paired.add(answered).add(index)
  }
  const needsPartner = ({ item }: WrittenItem) => (callKey(item) ?? outputKey(item)) !== null
  return items.filter((written, index) => !needsPartner(written) || paired.has(index))
}

/**
 * Calls and their outputs are found by their ids, wherever they stand; but a user that
 * speaks between them has interrupted the tools, and nobody did.
 */
function behindAnswers(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const ordered: WrittenItem[] = []
  const open = new Set<string>()
  let waiting: WrittenItem[] = []
  for (const written of items) {
    if (written.aside && open.size > 0) {
      waiting.push(written)
      continue
    }
    ordered.push(written)
    const call = callKey(written.item)
    if (call !== null) open.add(call)
    open.delete(outputKey(written.item) ?? '')
    if (open.size > 0) continue
    for (const each of waiting) ordered.push(each)
    waiting = []
  }
  return [...ordered, ...waiting]
}

function withReasoning(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const kept: WrittenItem[] = []
  // From the end: reasoning may stand behind reasoning.
  for (const written of items.toReversed())
    if (typeOf(written.item) !== 'reasoning' || belongs(written, kept.at(-1))) kept.push(written)
  const reasoning = kept.filter(({ item }) => typeOf(item) === 'reasoning')
  const known = new Set(reasoning.map(({ item }) => item['id']))
  return kept.reverse().flatMap((written) => {
    const { item, after } = written
    const alone = typeof after === 'string' && !known.has(after) && filledText(item['id']) !== null
    return alone ? withoutId(written) : [written]
  })
}

function belongs(reasoning: WrittenItem, behind: WrittenItem | undefined): boolean {
  if (behind === undefined || !isAnswer(behind.item)) return false
  const { id, call_id } = behind.item
  const { next } = reasoning
  return typeof next !== 'string' || id === next || call_id === next
}
