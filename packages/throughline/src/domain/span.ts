import { ThroughlineError } from '../errors.ts'
import type { ConversationId, Seq } from './ids.ts'
import { describe } from './text.ts'

/** A run of places in a conversation: `from` is in it, `to` is not. */
export interface Span {
  readonly from: Seq
  readonly to: Seq
}

export function span(from: Seq, to: Seq): Span {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || to < from)
    throw new ThroughlineError(
      'SPAN_INVALID',
      `a span is two whole numbers with 0 <= from <= to, got ${describe(from)} and ${describe(to)}`,
    )
  return { from, to }
}

/** The fewest spans of exactly these places, which are ascending. */
export function spansOf(places: Iterable<Seq>): readonly Span[] {
  const spans: { from: Seq; to: Seq }[] = []
  for (const place of places) {
    const last = spans.at(-1)
    if (last?.to === place) last.to += 1
    else spans.push({ from: place, to: place + 1 })
  }
  return spans
}

export function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new ThroughlineError(
      'SPAN_INVALID',
      `must be a whole number from 0, got ${describe(value)}`,
    )
  return value
}

/** `#412`, `#3-#17` (inclusive), the id of a message of the conversation, a place, or a span. */
export type Anchor = string | Seq | Span

export function spanOf(anchor: Anchor, conversation: ConversationId): Span {
  if (typeof anchor === 'number') return span(anchor, anchor + 1)
  if (typeof anchor === 'object' && anchor !== null) return span(anchor.from, anchor.to)
  const text = typeof anchor === 'string' ? anchor.replace(`${conversation}#`, '#') : ''
  const found = anchorPattern.exec(text)
  if (found === null)
    throw new ThroughlineError(
      'SPAN_INVALID',
      `an anchor is such as "#412" or "#3-#17", a place or a span, got ${describe(anchor)}`,
    )
  const from = Number(found[1])
  return span(from, Number(found[2] ?? from) + 1)
}

const anchorPattern = /^#(\d{1,15})(?:\s?(?:-|–|to)\s?#?(\d{1,15}))?$/

export function anchorOf({ from, to }: Span): string {
  return to === from + 1 ? `#${from}` : `#${from}-#${to - 1}`
}

/**
 * A range of one or several anchors; lists are in the order of the log, without overlap. It may
 * begin within its first message, `#412+8000`, because a message may be larger than a page.
 */
export interface AnchorRange extends Span {
  /** The character of its first message that it begins with. */
  readonly character: number
}

/** `#3, #17-#19` as an entry of the ledger shows them, `#412+8000-#415`, or any other anchor. */
export function anchorRangesOf(anchor: Anchor, conversation: ConversationId) {
  if (typeof anchor === 'string') return mergeRanges(readAnchors(anchor, conversation))
  return mergeRanges([{ ...spanOf(anchor, conversation), character: 0 }])
}

export function anchorRangesAt(places: readonly Seq[]): readonly AnchorRange[] {
  if (!Array.isArray(places)) throw unreadable(places)
  return mergeRanges(places.map((seq: Seq) => ({ ...span(seq, seq + 1), character: 0 })))
}

export function anchorsOf(ranges: readonly AnchorRange[]): string {
  return ranges
    .map(({ from, to, character }) =>
      character === 0
        ? anchorOf({ from, to })
        : `#${from}+${character}${to === from + 1 ? '' : `-#${to - 1}`}`,
    )
    .join(', ')
}

// A page that ends early names all remaining ranges in its next anchor, so they are bounded.
const maxRanges = 100

function readAnchors(input: string, conversation: ConversationId): readonly AnchorRange[] {
  const text = input.trim()
  const ranges: AnchorRange[] = []
  let at = 0
  while (at < text.length || ranges.length === 0) {
    // The id of a message is its conversation and its anchor.
    const start = text.startsWith(`${conversation}#`, at) ? at + conversation.length : at
    anchorsPattern.lastIndex = start
    const found = anchorsPattern.exec(text)
    if (found === null || ranges.length === maxRanges) throw unreadable(text)
    const [whole, first, character = 0, last = first] = found
    ranges.push({ ...span(Number(first), Number(last) + 1), character: Number(character) })
    at = start + whole.length
  }
  return ranges
}

// `(?!\d)` refuses numbers with more digits; the end matches what separates two anchors.
const anchorsPattern =
  /#(\d{1,15})(?!\d)(?:\+(\d{1,15})(?!\d))?(?:\s?(?:-|–|to)\s?#?(\d{1,15})(?!\d))?(?:$|[,;]?\s{0,4}(?=\S))/y

function unreadable(anchors: unknown): ThroughlineError {
  return new ThroughlineError(
    'SPAN_INVALID',
    `an anchor is such as "#412", "#3-#17" or "#3, #17-#19", of at most ${maxRanges}; got ${describe(anchors)}`,
  )
}

/** Ascending, without overlap, adjacent ranges joined. */
function mergeRanges(ranges: readonly AnchorRange[]): readonly AnchorRange[] {
  const ascending = ranges
    .filter(({ from, to }) => to > from)
    .sort((left, right) => left.from - right.from || left.character - right.character)
  const merged: AnchorRange[] = []
  for (const range of ascending) {
    const last = merged.at(-1)
    const isOverlapping = last !== undefined && range.from < last.to
    const isAdjacent = last !== undefined && range.from === last.to && range.character === 0
    if (last !== undefined && (isOverlapping || isAdjacent))
      merged[merged.length - 1] = { ...last, to: Math.max(last.to, range.to) }
    else merged.push(range)
  }
  return merged
}
