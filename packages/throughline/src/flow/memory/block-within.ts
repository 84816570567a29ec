/** A block of a turn memory as far as there is room for it. Pure. */
import { dataBlock } from '../../domain/data-block.ts'
import { excerpt } from '../text/excerpt.ts'
import type { MemoryBlock } from './memory-block.ts'

type Count = (text: string) => number

export interface BlockWithin {
  /** A block of data; null where there is no room for any of it. */
  readonly text: string | null
  /** What of it is not shown: 0 where it is whole, null where that was not counted. */
  readonly omittedTokens: number | null
}

export function blockWithin(block: MemoryBlock, room: number, count: Count): BlockWithin {
  return block.kind === 'text' ? textWithin(block, room, count) : linesWithin(block, room, count)
}

function textWithin(
  { label, text }: Extract<MemoryBlock, { readonly kind: 'text' }>,
  room: number,
  count: Count,
): BlockWithin {
  const mayFit = text.length <= room * charactersMost
  const whole = mayFit ? dataBlock(label, text) : null
  if (whole !== null && count(whole) <= room) return { text: whole, omittedTokens: 0 }
  // One text alone does not drive out all that is worth less.
  const keepTokens = Math.floor(room * cutShare) - count(dataBlock(label, ''))
  if (keepTokens < leastTokens) return { text: null, omittedTokens: null }
  const note = (characters: number) => `\n[… ${characters} characters left out …]\n`
  const cut = excerpt(text, { keepTokens, count, note })
  const made = dataBlock(label, cut)
  if (count(made) > room) return { text: null, omittedTokens: null }
  return { text: made, omittedTokens: mayFit ? Math.max(1, count(text) - count(cut)) : null }
}

// No tokenizer has many tokens that are longer: a text of more is not counted for nothing.
const charactersMost = 16
const cutShare = 0.5
/** Less than this says nothing. */
const leastTokens = 16

function linesWithin(
  { label, lines, leaves, of }: Extract<MemoryBlock, { readonly kind: 'lines' }>,
  room: number,
  count: Count,
): BlockWithin {
  const blockOf = (some: readonly string[]) =>
    dataBlock(label, [...some, ...notShown(some.length, of)].join('\n'))
  const costs = lines.map((line) => count(line) + 1)
  const order = leaves === 'last' ? costs : costs.toReversed()
  let left = room - count(dataBlock(label, ''))
  const over = order.findIndex((cost) => {
    left -= cost
    return left < 0
  })
  let taken = over === -1 ? lines.length : over
  const kept = <Item>(items: readonly Item[]) =>
    leaves === 'last' ? items.slice(0, taken) : items.slice(items.length - taken)
  // Joined texts may have more tokens than their parts have, and so has what is said of the rest.
  while (taken > 0 && count(blockOf(kept(lines))) > room) taken -= 1
  const omittedTokens = sumOf(costs) - sumOf(kept(costs))
  return { text: taken === 0 ? null : blockOf(kept(lines)), omittedTokens }
}

/** Who sees some of them must not take them for all. */
function notShown(shown: number, of: number | null): readonly string[] {
  return of === null || shown >= of ? [] : [`… ${of - shown} more: ${shown} of ${of} are shown`]
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}
