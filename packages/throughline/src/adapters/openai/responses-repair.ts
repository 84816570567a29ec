/**
 * Repairs items that the service would refuse. An item that followed reasoning is sent with that reasoning,
 * or without its id, as if new. Reasoning is omitted if the item after it is omitted. A valid list stays
 * unchanged.
 */
import { isValid } from '../rules.ts'
import { type Fields, filledText, otherFields } from '../unknown-json.ts'
import { callKey, checkItem, checkOwnId, isAnswer, outputKey, typeOf } from './responses-rules.ts'

export interface WrittenItem {
  readonly item: Fields
  /** The id of the reasoning that it followed when it was read. */
  readonly after?: unknown
  /** For reasoning: the id of the item that followed when it was read. */
  readonly next?: unknown
  /** Whether it can only be sent unchanged or omitted. */
  readonly sealed?: boolean
  /** Text of a tool message: `afterAnswers` moves it after the outputs of all open calls. */
  readonly aside?: boolean
}

export function repairItems(written: readonly WrittenItem[]): readonly Fields[] {
  let items = withValidIds(
    written.filter(({ item, sealed }) => !sealed || isValid(item, checkItem)),
  )
  // Omitting an item may leave its partner alone, so repeat until nothing changes.
  for (let before = -1; before !== items.length; ) {
    before = items.length
    items = withReasoning(answeredItems(items))
  }
  return afterAnswers(items).map(({ item }) => item)
}

function withValidIds(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const seen = new Set<unknown>()
  return items.flatMap((written) => {
    const { id } = written.item
    if (id === undefined || id === null) return [written]
    if (seen.has(id) || !isValid(written.item, checkOwnId)) return withoutId(written)
    seen.add(id)
    return [written]
  })
}

function withoutId(written: WrittenItem): readonly WrittenItem[] {
  if (written.sealed) return []
  return [{ ...written, item: otherFields(written.item, ['id']) ?? {} }]
}

/** Calls and outputs of unknown kinds need their partner too. */
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

/** A user message between a call and its output would read as an interruption by the user. */
function afterAnswers(items: readonly WrittenItem[]): readonly WrittenItem[] {
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
  // From the end, because reasoning may follow reasoning.
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

function belongs(reasoning: WrittenItem, following: WrittenItem | undefined): boolean {
  if (following === undefined || !isAnswer(following.item)) return false
  const { id, call_id } = following.item
  const { next } = reasoning
  return typeof next !== 'string' || id === next || call_id === next
}
