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

/** Shows all candidates if `limit` is null. */
export function fillPage(candidates: readonly PageCandidate[], limit: PageLimit | null) {
  const pieces = candidates.map(pagePieceOf)
  const shown = limit === null ? pieces : withinLimit(pieces, limit)
  const text = textWithin(shown, limit)
  const last = shown.at(-1)
  const end = last === undefined ? 0 : last.character + last.text.length
  const isCut = last !== undefined && end < last.characters
  const index = isCut ? shown.length - 1 : shown.length
  const next = candidates[index]
  const pieceOf = ({ message: { seq }, character, text }: PagePiece): ExpandedPiece => ({
    seq,
    character,
    text,
  })
  return {
    pieces: shown.map(pieceOf),
    text,
    /** Where the page ends: before this candidate, or within it; null after the last. */
    rest: next === undefined ? null : { index, character: isCut ? end : next.character },
  }
}

function pagePieceOf({ message, answers, character: start }: PageCandidate): PagePiece {
  const whole = messageText(message)
  const character = characterStart(whole, start)
  const text = whole.slice(character)
  return { message, answers, character, text, characters: whole.length }
}

/** A start within a surrogate pair moves to the beginning of the pair. */
function characterStart(text: string, character: number): number {
  const start = Math.min(character, text.length)
  return start > 0 && (text.codePointAt(start - 1) ?? 0) > 0xffff ? start - 1 : start
}

function withinLimit(pieces: readonly PagePiece[], limit: PageLimit): readonly PagePiece[] {
  const frameTokens = limit.count(pageText([]))
  let [shown, tokens] = [0, frameTokens]
  for (const piece of pieces) {
    // Not counted, because a message may have 64 MB.
    if (piece.text.length > limit.mostTokens * maxTokenCharacters) break
    tokens += limit.count(pageText([piece])) - frameTokens
    if (tokens > limit.mostTokens) break
    shown += 1
  }
  // Joined texts may have more tokens than their parts have.
  while (shown > 0 && limit.count(pageText(pieces.slice(0, shown))) > limit.mostTokens) shown -= 1
  const [first] = pieces
  return shown > 0 || first === undefined ? pieces.slice(0, shown) : [cutPiece(first, limit)]
}

// The longest tokens of the vocabularies that we know are runs of so many spaces.
const maxTokenCharacters = 128

function cutPiece(piece: PagePiece, limit: PageLimit): PagePiece {
  // Names and arguments are chosen by others and must not take the room of the text.
  const brief = { ...piece, answers: [], message: { ...piece.message, author: null } }
  const hasShortFrame = limit.count(pageText([{ ...piece, text: '' }])) <= limit.mostTokens / 2
  return (
    longestStart(hasShortFrame ? piece : brief, limit, (shown) => pageText([shown])) ??
    longestStart(brief, limit, ({ text }) => text) ?? { ...brief, text: firstCharacter(brief.text) }
  )
}

/** The longest beginning that fits when rendered; null if there is none. */
function longestStart(
  piece: PagePiece,
  { mostTokens, count }: PageLimit,
  render: (shown: PagePiece) => string,
): PagePiece | null {
  const fits = (shown: PagePiece) => count(render(shown)) <= mostTokens
  let roomTokens = mostTokens - count(render({ ...piece, text: '' }))
  for (let attempt = 0; attempt < maxAttempts && roomTokens >= 1; attempt += 1) {
    const shorter = { ...piece, text: textStart(piece.text, roomTokens, count) }
    if (shorter.text !== '' && fits(shorter)) return shorter
    roomTokens = Math.floor(roomTokens * nextAttemptRatio)
  }
  const shortest = { ...piece, text: firstCharacter(piece.text) }
  return fits(shortest) ? shortest : null
}

const maxAttempts = 12
const nextAttemptRatio = 0.8

function firstCharacter(text: string): string {
  return text.slice(0, (text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1)
}

/** Leaves out the speaker if there is no room for it. */
function textWithin(pieces: readonly PagePiece[], limit: PageLimit | null): string {
  const framed = pageText(pieces)
  if (limit === null || limit.count(framed) <= limit.mostTokens) return framed
  return pieces.map(({ text }) => text).join('\n')
}
