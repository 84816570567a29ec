/**
 * Fills the slots of a context extension. Its text may come from tools, so each block is
 * delimited data without the system role (invariants 14, 15).
 */
import { addSizes, type ContextMessage, type Omission, type Size } from '../../domain/context.ts'
import { dataBlock } from '../../domain/data-block.ts'
import type {
  ExtensionBlock,
  ExtensionContent,
  ExtensionPiece,
} from '../../ports/context-extension.ts'
import type { Meter } from '../measure/measure.ts'
import { createBoundedCache } from '../text/bounded-cache.ts'
import { type Count, cutText, excerpt } from '../text/excerpt.ts'
import { textPart } from '../text/sanitize-message.ts'
import { derivedMessage, type FilledExtension, noExtension, omittedExtension } from './slots.ts'

/** Uses at most `tokens`, at most the extension's own limit, and only what fits the request. */
export function fillExtension(
  { pieces, maxTokens }: Pick<ExtensionContent, 'pieces' | 'maxTokens'>,
  { tokens, fits }: { readonly tokens: number; fits(size: Size): boolean },
  meter: Pick<Meter, 'text' | 'size'>,
): FilledExtension {
  if (pieces.length === 0) return noExtension
  for (let attempt = 0, room = Math.min(maxTokens, tokens); attempt < maxAttempts; attempt += 1) {
    const { filled, omitted } = fillPieces(pieces, room, meter)
    const messages = messagesOf(filled)
    const size = addSizes(messages.map((message) => meter.size(message)))
    if (messages.length > 0 && fits(size)) return { messages, omitted, size }
    // The size as JSON is known only after rendering, so try again with less room.
    room = Math.min(room, size.tokens) * shrinkRatio
  }
  return omittedExtension(noExtension)
}

const maxAttempts = 8
const shrinkRatio = 0.7

interface FilledPiece extends Pick<ExtensionPiece, 'slot' | 'order'> {
  readonly texts: readonly string[]
}

function fillPieces(
  pieces: readonly ExtensionPiece[],
  maxTokens: number,
  meter: Pick<Meter, 'text' | 'size'>,
) {
  const filled: FilledPiece[] = []
  const omitted: Omission[] = []
  const startedSlots = new Set<string>()
  let remaining = maxTokens
  for (const { slot, order, share, blocks } of pieces) {
    const frameTokens = startedSlots.has(slot) ? 0 : meter.size(derivedMessage(slot, [])).tokens
    const pieceTokens = Math.min(remaining, maxTokens * share)
    const texts: string[] = []
    let free = pieceTokens - frameTokens
    for (const block of blocks) {
      const { text, omittedTokens } =
        block.kind === 'text' ? fitText(block, free, meter.text) : fitLines(block, free, meter.text)
      if (omittedTokens !== 0)
        omitted.push({ span: null, why: 'over-share', tokens: omittedTokens })
      if (text === null) continue
      free -= meter.text(text)
      texts.push(text)
    }
    if (texts.length > 0) {
      filled.push({ slot, order, texts })
      remaining -= pieceTokens - free
      // Less valuable pieces follow only if this piece failed because of its own small share.
    } else if (pieceTokens === remaining) remaining = 0
    startedSlots.add(slot)
  }
  return { filled, omitted }
}

function messagesOf(filled: readonly FilledPiece[]): readonly ContextMessage[] {
  return [...Map.groupBy(filled, ({ slot }) => slot)].map(([slot, pieces]) => {
    const texts = pieces
      .toSorted((left, right) => left.order - right.order)
      .flatMap((piece) => piece.texts)
    // The message is in every request; the same object lets the meter cache its size.
    return messageCache.get(JSON.stringify([slot, texts]), () =>
      derivedMessage(slot, texts.map(textPart)),
    )
  })
}

const messageCache = createBoundedCache<ContextMessage>(64)

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
  const block = dataBlock(label, cut)
  if (count(block) > room) return { text: null, omittedTokens: null }
  return { text: block, omittedTokens: mayFit ? Math.max(1, count(text) - count(cut)) : null }
}

// Few tokens are longer in any tokenizer, so a longer text cannot fit and is not counted.
const maxCharactersPerToken = 16
const cutShare = 0.5
const minTextTokens = 16

type LineBlock = Extract<ExtensionBlock, { readonly kind: 'lines' }>

/** The starts of all lines are worth more than some whole lines. */
function fitLines(block: LineBlock, room: number, count: Count): FilledBlock {
  const { lines, shortenTo } = block
  const whole = dropLines(block, room, count)
  if (whole.omittedTokens === 0 || shortenTo === undefined) return whole
  let fitted = whole
  for (const factor of shorteningFactors) {
    const shortened = lines.map((line) => cutText(line, shortenTo * factor))
    fitted = dropLines({ ...block, lines: shortened }, room, count)
    if (fitted.omittedTokens === 0) break
  }
  const omittedTokens = count(lines.join('\n')) - count(fitted.text ?? '')
  return { text: fitted.text, omittedTokens: Math.max(1, omittedTokens) }
}

const shorteningFactors = [3, 2, 1.5, 1]

function dropLines(
  { label, lines, dropFrom, totalLines }: LineBlock,
  room: number,
  count: Count,
): FilledBlock {
  const costs = lines.map((line) => count(line) + 1)
  const keptFirst = dropFrom === 'end' ? costs : costs.toReversed()
  let remaining = room - count(dataBlock(label, ''))
  let shown = 0
  for (const cost of keptFirst) {
    remaining -= cost
    if (remaining < 0) break
    shown += 1
  }
  const shownOf = <Item>(items: readonly Item[]) =>
    dropFrom === 'end' ? items.slice(0, shown) : items.slice(items.length - shown)
  const renderBlock = () => {
    // The model must know that the list is not complete.
    const hidden = (totalLines ?? 0) - shown
    if (hidden <= 0) return dataBlock(label, shownOf(lines).join('\n'))
    const isEnd = dropFrom === 'end'
    const rest = `… ${hidden} ${isEnd ? 'more' : 'earlier'}: ${shown} of ${totalLines} are shown`
    const shownLines = isEnd ? [...shownOf(lines), rest] : [rest, ...shownOf(lines)]
    return dataBlock(label, shownLines.join('\n'))
  }
  // Joined lines may have more tokens than their sum, and the note about the rest adds some.
  while (shown > 0 && count(renderBlock()) > room) shown -= 1
  const sum = (numbers: readonly number[]) => numbers.reduce((total, cost) => total + cost, 0)
  const omittedTokens = sum(costs) - sum(shownOf(costs))
  return { text: shown === 0 ? null : renderBlock(), omittedTokens }
}
