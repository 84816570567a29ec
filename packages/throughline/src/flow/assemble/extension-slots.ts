/**
 * Fills the slots of a context extension. Its text may come from tools, so each block is
 * delimited data without the system role (invariants 14, 15).
 */
import {
  addSizes,
  type ContextMessage,
  noSize,
  type Omission,
  type Size,
} from '../../domain/context.ts'
import { dataBlock } from '../../domain/data-block.ts'
import type {
  ExtensionBlock,
  ExtensionContent,
  ExtensionPiece,
} from '../../ports/context-extension.ts'
import type { Meter } from '../measure/measure.ts'
import { createBoundedCache } from '../text/bounded-cache.ts'
import { excerpt } from '../text/excerpt.ts'
import { textPart } from '../text/sanitize-message.ts'
import { derived, type Filled } from './slots.ts'

export interface FilledExtension extends Filled {
  readonly size: Size
}

export const noExtension: FilledExtension = { messages: [], omitted: [], size: noSize }

/** Uses at most `tokens`, at most the extension's own limit, and only what fits the request. */
export function fillExtension(
  { pieces, maxTokens }: Pick<ExtensionContent, 'pieces' | 'maxTokens'>,
  { tokens, fits }: { readonly tokens: number; fits(size: Size): boolean },
  meter: Pick<Meter, 'text' | 'size'>,
): FilledExtension {
  if (pieces.length === 0) return noExtension
  for (let attempt = 0, room = Math.min(maxTokens, tokens); attempt < attempts; attempt += 1) {
    const { filled, omitted } = fillPieces(pieces, room, meter)
    const messages = messagesOf(filled)
    const size = addSizes(messages.map((message) => meter.size(message)))
    if (messages.length > 0 && fits(size)) return { messages, omitted, size }
    // The size as JSON is known only after rendering, so try again with less room.
    room = Math.min(room, size.tokens) * shrinkRatio
  }
  return omittedExtension(noExtension)
}

const attempts = 8
const shrinkRatio = 0.7

/** Shows nothing of the extension and reports that as an omission. */
export function omittedExtension({ size }: Pick<FilledExtension, 'size'>): FilledExtension {
  const tokens = size.tokens === 0 ? null : size.tokens
  return { ...noExtension, omitted: [{ span: null, why: 'over-share', tokens }] }
}

interface FilledPiece extends Pick<ExtensionPiece, 'slot' | 'place'> {
  readonly texts: readonly string[]
}

function fillPieces(
  pieces: readonly ExtensionPiece[],
  maxTokens: number,
  meter: Pick<Meter, 'text' | 'size'>,
) {
  const filled: FilledPiece[] = []
  const omitted: Omission[] = []
  const started = new Set<string>()
  let room = maxTokens
  for (const { slot, place, share, blocks } of pieces) {
    const frame = started.has(slot) ? 0 : meter.size(derived(slot, [])).tokens
    const given = Math.min(room, maxTokens * share)
    const texts: string[] = []
    let free = given - frame
    for (const block of blocks) {
      const made =
        block.kind === 'text' ? fitText(block, free, meter.text) : fitLines(block, free, meter.text)
      if (made.omittedTokens !== 0)
        omitted.push({ span: null, why: 'over-share', tokens: made.omittedTokens })
      if (made.text === null) continue
      free -= meter.text(made.text)
      texts.push(made.text)
    }
    if (texts.length > 0) {
      filled.push({ slot, place, texts })
      room -= given - free
      // Less valuable pieces follow only if this piece failed because of its own small share.
    } else if (given === room) room = 0
    started.add(slot)
  }
  return { filled, omitted }
}

function messagesOf(filled: readonly FilledPiece[]): readonly ContextMessage[] {
  return [...Map.groupBy(filled, ({ slot }) => slot)].map(([slot, pieces]) => {
    const texts = pieces
      .toSorted((left, right) => left.place - right.place)
      .flatMap((piece) => piece.texts)
    // Every request shows them: the same object lets the meter cache its size.
    return cached.get(JSON.stringify([slot, texts]), () => derived(slot, texts.map(textPart)))
  })
}

const cached = createBoundedCache<ContextMessage>(64)

type Count = (text: string) => number

interface FilledBlock {
  /** The delimited block; null if none of it has room. */
  readonly text: string | null
  /** Tokens that are not shown: 0 if the block is whole, null if they were not counted. */
  readonly omittedTokens: number | null
}

function fitText(
  { label, text }: Extract<ExtensionBlock, { readonly kind: 'text' }>,
  room: number,
  count: Count,
): FilledBlock {
  const mayFit = text.length <= room * maxCharactersPerToken
  const whole = mayFit ? dataBlock(label, text) : null
  if (whole !== null && count(whole) <= room) return { text: whole, omittedTokens: 0 }
  // Cut more than necessary, so that one long text leaves room for less valuable pieces.
  const keepTokens = Math.floor(room * cutShare) - count(dataBlock(label, ''))
  if (keepTokens < minTextTokens) return { text: null, omittedTokens: null }
  const note = (characters: number) => `\n[… ${characters} characters left out …]\n`
  const cut = excerpt(text, { keepTokens, count, note })
  const made = dataBlock(label, cut)
  if (count(made) > room) return { text: null, omittedTokens: null }
  return { text: made, omittedTokens: mayFit ? Math.max(1, count(text) - count(cut)) : null }
}

// Few tokens are longer in any tokenizer, so a longer text cannot fit and is not counted.
const maxCharactersPerToken = 16
const cutShare = 0.5
const minTextTokens = 16

function fitLines(
  { label, lines, leaves, of }: Extract<ExtensionBlock, { readonly kind: 'lines' }>,
  room: number,
  count: Count,
): FilledBlock {
  const blockOf = (some: readonly string[]) => {
    const shown = some.length
    // The model must know that the list is not complete.
    const more =
      of === null || shown >= of ? [] : [`… ${of - shown} more: ${shown} of ${of} are shown`]
    return dataBlock(label, [...some, ...more].join('\n'))
  }
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
  // Joined lines may have more tokens than their sum, and the note about the rest adds some.
  while (taken > 0 && count(blockOf(kept(lines))) > room) taken -= 1
  const sum = (some: readonly number[]) => some.reduce((total, cost) => total + cost, 0)
  const omittedTokens = sum(costs) - sum(kept(costs))
  return { text: taken === 0 ? null : blockOf(kept(lines)), omittedTokens }
}
