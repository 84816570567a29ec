/**
 * Cuts a text to a token limit: its start, a note, its end. Cuts fall between characters, outside
 * tags, and near line breaks. A text may have 64 MB, so the time depends only on the length of the
 * result.
 */
import { boundaryAfter, boundaryBefore } from '../../extract/text-cuts.ts'

export type Count = (text: string) => number

const minUsefulTokens = 8
const headShare = 0.7

/** `keepTokens` is for start and end together; `note` describes the characters left out. */
export function excerpt(
  text: string,
  options: {
    readonly keepTokens: number
    count: Count
    note: (leftOut: number) => string
    /** Characters per token, if known: with it, the first guess is mostly right. */
    readonly density?: number | undefined
  },
): string {
  const { keepTokens, count, note, density } = options
  if (keepTokens < minUsefulTokens) return note(text.length)
  // A much longer text cannot fit, so it is not counted as a whole.
  if (text.length <= keepTokens * charactersPerToken * 2 && count(text) <= keepTokens) return text
  const head = textStart(text, Math.ceil(keepTokens * headShare), count, density)
  if (head.length === text.length) return text
  const rest = text.slice(head.length)
  const tail = textEnd(rest, Math.floor(keepTokens * (1 - headShare)), count, density)
  const leftOut = text.length - head.length - tail.length
  return leftOut === 0 ? text : `${head}${note(leftOut)}${tail}`
}

/** The longest start of a text within `maxTokens`, approximately, cut at a good place. */
export function textStart(text: string, maxTokens: number, count: Count, density?: number): string {
  const countFirst = (characters: number) => count(text.slice(0, characters))
  const length = fittingLength(text.length, maxTokens, countFirst, density)
  return length === text.length ? text : text.slice(0, cutBefore(text, length))
}

/** The longest end of a text within `maxTokens`, approximately, cut at a good place. */
export function textEnd(text: string, maxTokens: number, count: Count, density?: number): string {
  const countLast = (characters: number) => count(text.slice(text.length - characters))
  const length = fittingLength(text.length, maxTokens, countLast, density)
  return text.slice(cutAfter(text, text.length - length))
}

const charactersPerToken = 4
// Stops at a length that uses this share of the tokens.
const minUsedShare = 0.85
// Guesses slightly too short, because a guess above the limit is of no use.
const guessFactor = 0.97
const maxGrowth = 8
const maxAttempts = 12

/** Guesses a length, counts its tokens and corrects the guess; tokens grow about evenly with length. */
function fittingLength(
  length: number,
  maxTokens: number,
  tokensOf: (length: number) => number,
  density: number = charactersPerToken / guessFactor,
) {
  let longestFit = 0
  let tooLong = length + 1
  let guess = Math.min(length, Math.floor(maxTokens * density * guessFactor))
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (guess <= longestFit || guess >= tooLong) break
    const tokens = tokensOf(guess)
    if (tokens > maxTokens) tooLong = guess
    else longestFit = guess
    if (tokens <= maxTokens && tokens >= maxTokens * minUsedShare) break
    const scaled = Math.floor((guess * maxTokens * guessFactor) / Math.max(tokens, 1))
    guess = Math.min(scaled, length, longestFit * maxGrowth + charactersPerToken)
    if (guess <= longestFit || guess >= tooLong) guess = Math.floor((longestFit + tooLong) / 2)
  }
  return longestFit
}

// A longer run after `<` is not a tag.
const maxTagCharacters = 200
// A line break farther away would lose too much text.
const maxLostBeforeCut = 0.2
const maxLostAfterCut = 0.5

function cutBefore(text: string, length: number): number {
  const line = text.lastIndexOf('\n', length - 1) + 1
  const end = line > length * (1 - maxLostBeforeCut) ? line : length
  const nearby = text.slice(Math.max(0, end - maxTagCharacters), end)
  const opened = nearby.lastIndexOf('<')
  if (opened > nearby.lastIndexOf('>')) return end - nearby.length + opened
  return boundaryBefore(text, end)
}

function cutAfter(text: string, from: number): number {
  const line = text.indexOf('\n', from)
  const start = line !== -1 && line - from < (text.length - from) * maxLostAfterCut ? line : from
  const nearby = text.slice(start, start + maxTagCharacters)
  const closed = nearby.indexOf('>')
  const opened = nearby.indexOf('<')
  if (closed !== -1 && (opened === -1 || closed < opened)) return start + closed + 1
  return boundaryAfter(text, start)
}

const ellipsis = ' …'

/** Cuts a text to a number of characters, ending with an ellipsis; empty if only that would fit. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const end = Math.floor(maxCharacters) - ellipsis.length
  if (end <= 0) return ''
  return `${withoutEllipsis(text.slice(0, boundaryBefore(text, end)))}${ellipsis}`
}

/** Removes an earlier ellipsis, so that a text that is cut twice ends with only one. */
export function withoutEllipsis(text: string): string {
  let end = text.length
  while (end > 0 && /[\s…]/.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}
