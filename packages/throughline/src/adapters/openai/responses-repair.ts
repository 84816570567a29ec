/**
 * Repairs items that the service would refuse. An item that followed reasoning is sent with that reasoning,
 * or without its id, as if new. Reasoning is omitted if the item after it is omitted. A valid list stays
 * unchanged.
 */
import { isValid } from '../rules.ts'
import { type Fields, filledText, otherFields } from '../unknown-json.ts'
import { callKey, checkItem, checkItemId, isOfModel, outputKey, typeOf } from './responses-rules.ts'

export interface WrittenItem {
  readonly item: Fields
  /** The id of the reasoning that it followed when it was read. */
  readonly after?: unknown
  /** For reasoning: the id of the item that followed when it was read. */
  readonly next?: unknown
  /** Whether it can only be sent unchanged or omitted. */
  readonly isUnchangeable?: boolean
  /** Text of a tool message: `textAfterOutputs` moves it after the outputs of all calls before it. */
  readonly isBesideResults?: boolean
}

export function repairItems(written: readonly WrittenItem[]): readonly Fields[] {
  const isSent = ({ item, isUnchangeable }: WrittenItem) =>
    !isUnchangeable || isValid(item, checkItem)
  let items = withValidIds(written.filter(isSent))
  let lengthBefore: number
  // Omitting an item may leave its partner alone, so repeat until nothing changes.
  do {
    lengthBefore = items.length
    items = withReasoning(answeredItems(items))
  } while (items.length < lengthBefore)
  return textAfterOutputs(items).map(({ item }) => item)
}

function withValidIds(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const seen = new Set<unknown>()
  return items.flatMap((written) => {
    const { id } = written.item
    if (id === undefined || id === null) return [written]
    if (seen.has(id) || !isValid(written.item, checkItemId)) return withoutId(written)
    seen.add(id)
    return [written]
  })
}

function withoutId(written: WrittenItem): readonly WrittenItem[] {
  if (written.isUnchangeable) return []
  return [{ ...written, item: otherFields(written.item, ['id']) ?? {} }]
}

/** Calls and outputs of unknown kinds need their partner too. */
function answeredItems(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const callIndexes = new Map<string, number>()
  const paired = new Set<number>()
  for (const [index, { item }] of items.entries()) {
    const key = callKey(item)
    if (key !== null && !callIndexes.has(key)) callIndexes.set(key, index)
    const callIndex = callIndexes.get(outputKey(item) ?? '')
    if (callIndex === undefined || paired.has(callIndex)) continue
    paired.add(callIndex).add(index)
  }
  const needsPartner = ({ item }: WrittenItem) => (callKey(item) ?? outputKey(item)) !== null
  return items.filter((written, index) => !needsPartner(written) || paired.has(index))
}

/** A user message between a call and its output would read as an interruption by the user. */
function textAfterOutputs(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const ordered: WrittenItem[] = []
  const unanswered = new Set<string>()
  let delayed: WrittenItem[] = []
  for (const written of items) {
    if (written.isBesideResults && unanswered.size > 0) {
      delayed.push(written)
      continue
    }
    ordered.push(written)
    const key = callKey(written.item)
    if (key !== null) unanswered.add(key)
    unanswered.delete(outputKey(written.item) ?? '')
    if (unanswered.size > 0) continue
    for (const each of delayed) ordered.push(each)
    delayed = []
  }
  return [...ordered, ...delayed]
}

function withReasoning(items: readonly WrittenItem[]): readonly WrittenItem[] {
  const kept: WrittenItem[] = []
  // From the end, because reasoning may follow reasoning.
  for (const written of items.toReversed())
    if (typeOf(written.item) !== 'reasoning' || isFollowedByItsItem(written, kept.at(-1)))
      kept.push(written)
  const reasoning = kept.filter(({ item }) => typeOf(item) === 'reasoning')
  const reasoningIds = new Set(reasoning.map(({ item }) => item['id']))
  return kept.reverse().flatMap((written) => {
    const { item, after } = written
    const lacksReasoning = typeof after === 'string' && !reasoningIds.has(after)
    return lacksReasoning && filledText(item['id']) !== null ? withoutId(written) : [written]
  })
}

/** Whether the item that followed the reasoning when it was read still follows it. */
function isFollowedByItsItem({ next }: WrittenItem, following: WrittenItem | undefined): boolean {
  if (following === undefined || !isOfModel(following.item)) return false
  const { id, call_id } = following.item
  return typeof next !== 'string' || id === next || call_id === next
}
