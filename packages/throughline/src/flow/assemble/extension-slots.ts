/**
 * Extension text may come from tools: each block is delimited data without the system role
 * (invariants 14, 15).
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

/** Within so many tokens, whatever the extension allows itself, and as far as the provider's count fits. */
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
    // How much JSON adds is known only when it is written.
    room = Math.min(room, size.tokens) * shrinkRatio
  }
  return omittedExtension(noExtension)
}

const attempts = 8
const shrinkRatio = 0.7

/** Nothing of it is shown, and the omissions say so. */
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
      // Less valuable pieces are not shown without it, unless its own share was too small.
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
    // Shown in every request: the same object, whose size is cached by its parts.
    return cached.get(JSON.stringify([slot, texts]), () => derived(slot, texts.map(textPart)))
  })
}

const cached = createBoundedCache<ContextMessage>(64)

type Count = (text: string) => number

interface FilledBlock {
  /** A block of data; null where there is no room for any of it. */
  readonly text: string | null
  /** What of it is not shown: 0 where it is whole, null where that was not counted. */
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
  // One text does not displace all that is less valuable.
  const keepTokens = Math.floor(room * cutShare) - count(dataBlock(label, ''))
  if (keepTokens < minTextTokens) return { text: null, omittedTokens: null }
  const note = (characters: number) => `\n[… ${characters} characters left out …]\n`
  const cut = excerpt(text, { keepTokens, count, note })
  const made = dataBlock(label, cut)
  if (count(made) > room) return { text: null, omittedTokens: null }
  return { text: made, omittedTokens: mayFit ? Math.max(1, count(text) - count(cut)) : null }
}

// Few tokens are longer, in any tokenizer: a longer text is not counted.
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
    // A reader must not take some of them for all.
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
  // Joined texts may have more tokens than their parts have, and so has what is said of the rest.
  while (taken > 0 && count(blockOf(kept(lines))) > room) taken -= 1
  const sum = (some: readonly number[]) => some.reduce((total, cost) => total + cost, 0)
  const omittedTokens = sum(costs) - sum(kept(costs))
  return { text: taken === 0 ? null : blockOf(kept(lines)), omittedTokens }
}
