/**
 * Fills a page with messages within a token limit. Only the first message is ever cut. A page shows
 * at least one character, so that paging ends; only that character may exceed the limit.
 */
import type { ExpandedPiece } from '../../domain/recall.ts'
import { textStart } from '../text/excerpt.ts'
import { messageText } from '../text/message-text.ts'
import { type PagePiece, pageText } from '../text/page-text.ts'

export interface PageCandidate extends Pick<PagePiece, 'message' | 'answers'> {
  readonly character: number
}

export interface PageLimit {
  readonly mostTokens: number
  readonly count: (text: string) => number
}

export interface FilledPage {
  readonly pieces: readonly ExpandedPiece[]
  readonly text: string
  /** Where the page ends: before this candidate, or within it; null after the last. */
  readonly rest: { readonly index: number; readonly character: number } | null
}

/** Shows all candidates if `limit` is null. */
export function fillPage(
  candidates: readonly PageCandidate[],
  limit: PageLimit | null,
): FilledPage {
  const pieces = candidates.map(pieceOf)
  const shown = limit === null ? pieces : withinLimit(pieces, limit)
  const text = textWithin(shown, limit)
  const last = shown.at(-1)
  const end = last === undefined ? 0 : last.character + last.text.length
  const isCut = last !== undefined && end < last.characters
  const index = isCut ? shown.length - 1 : shown.length
  const next = candidates[index]
  return {
    pieces: shown.map(({ message: { seq }, character, text: words }) => ({
      seq,
      character,
      text: words,
    })),
    text,
    rest: next === undefined ? null : { index, character: isCut ? end : next.character },
  }
}

function pieceOf({ message, answers, character: asked }: PageCandidate): PagePiece {
  const whole = messageText(message)
  const character = startOf(whole, asked)
  const text = whole.slice(character)
  return { message, answers, character, text, characters: whole.length }
}

/** Half a character is none: a request for its second half gets both. */
function startOf(text: string, character: number): number {
  const at = Math.min(character, text.length)
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at
}

function withinLimit(pieces: readonly PagePiece[], limit: PageLimit): readonly PagePiece[] {
  const frameTokens = limit.count(pageText([]))
  let [shown, tokens] = [0, frameTokens]
  for (const piece of pieces) {
    // Not counted, because a message may have 64 MB.
    if (piece.text.length > limit.mostTokens * charactersMost) break
    tokens += limit.count(pageText([piece])) - frameTokens
    if (tokens > limit.mostTokens) break
    shown += 1
  }
  // Joined texts may have more tokens than their parts have.
  while (shown > 0 && limit.count(pageText(pieces.slice(0, shown))) > limit.mostTokens) shown -= 1
  const [first] = pieces
  return shown > 0 || first === undefined ? pieces.slice(0, shown) : [cut(first, limit)]
}

// The longest tokens of the vocabularies that we know are runs of so many spaces.
const charactersMost = 128

function cut(piece: PagePiece, limit: PageLimit): PagePiece {
  // Names and arguments are chosen by others and must not take the room of the text.
  const brief = { ...piece, answers: [], message: { ...piece.message, author: null } }
  const isShort = limit.count(pageText([{ ...piece, text: '' }])) <= limit.mostTokens / 2
  return (
    longest(isShort ? piece : brief, limit, (shown) => pageText([shown])) ??
    longest(brief, limit, ({ text }) => text) ?? { ...brief, text: firstCharacter(brief.text) }
  )
}

/** The longest beginning that fits when rendered; null if there is none. */
function longest(
  piece: PagePiece,
  { mostTokens, count }: PageLimit,
  written: (shown: PagePiece) => string,
): PagePiece | null {
  const fits = (shown: PagePiece) => count(written(shown)) <= mostTokens
  let room = mostTokens - count(written({ ...piece, text: '' }))
  for (let attempt = 0; attempt < attempts && room >= 1; attempt += 1) {
    const shorter = { ...piece, text: textStart(piece.text, room, count) }
    if (shorter.text !== '' && fits(shorter)) return shorter
    room = Math.floor(room * less)
  }
  const least = { ...piece, text: firstCharacter(piece.text) }
  return fits(least) ? least : null
}

const attempts = 12
const less = 0.8

function firstCharacter(text: string): string {
  return text.slice(0, (text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1)
}

/** Leaves out the speaker if there is no room for it. */
function textWithin(pieces: readonly PagePiece[], limit: PageLimit | null): string {
  const framed = pageText(pieces)
  if (limit === null || limit.count(framed) <= limit.mostTokens) return framed
  return pieces.map(({ text }) => text).join('\n')
}
