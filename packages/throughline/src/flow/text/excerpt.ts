/**
 * Both ends of a text within a token limit, with a note between. Cut between characters, outside
 * tags, near line ends.
 * Linear in what is kept, not in the text: a text may have 64 MB.
 */
import { boundaryAfter, boundaryBefore } from '../../extract/text-cuts.ts'

type Count = (text: string) => number

const minUsefulTokens = 8
const headShare = 0.7

/** `keepTokens`: for beginning and end together; the note replaces the characters that are left out. */
export function excerpt(
  text: string,
  options: { readonly keepTokens: number; count: Count; note: (leftOut: number) => string },
): string {
  const { keepTokens, count, note } = options
  if (keepTokens < minUsefulTokens) return note(text.length)
  // Only what may fit is counted whole.
  if (text.length <= keepTokens * charactersPerToken * 2 && count(text) <= keepTokens) return text
  const head = textStart(text, Math.ceil(keepTokens * headShare), count)
  if (head.length === text.length) return text
  const tail = textEnd(text.slice(head.length), Math.floor(keepTokens * (1 - headShare)), count)
  const leftOut = text.length - head.length - tail.length
  return leftOut === 0 ? text : `${head}${note(leftOut)}${tail}`
}

/** The longest beginning within so many tokens, nearly; cut where it does not hurt. */
export function textStart(text: string, maxTokens: number, count: Count): string {
  const countFirst = (characters: number) => count(text.slice(0, characters))
  const length = fittingLength(text.length, maxTokens, countFirst)
  return length === text.length ? text : text.slice(0, cutBefore(text, length))
}

function textEnd(text: string, maxTokens: number, count: Count): string {
  const countLast = (characters: number) => count(text.slice(text.length - characters))
  const length = fittingLength(text.length, maxTokens, countLast)
  return text.slice(cutAfter(text, text.length - length))
}

const charactersPerToken = 4
const wellFilled = 0.85
const attempts = 12

/** Tokens grow with characters, about evenly: guess, look, correct. */
function fittingLength(
  length: number,
  maxTokens: number,
  tokensOf: (characters: number) => number,
): number {
  let fits = 0
  let tooLong = length + 1
  let guess = Math.min(length, maxTokens * charactersPerToken)
  for (let attempt = 0; attempt < attempts && guess > fits && guess < tooLong; attempt += 1) {
    const tokens = tokensOf(guess)
    if (tokens > maxTokens) tooLong = guess
    else {
      fits = guess
      if (tokens >= maxTokens * wellFilled) return fits
    }
    const scaled = Math.floor((guess * maxTokens * 0.97) / Math.max(tokens, 1))
    guess = Math.min(scaled, length, fits * 8 + charactersPerToken)
    if (guess <= fits || guess >= tooLong) guess = Math.floor((fits + tooLong) / 2)
  }
  return fits
}

// A tag longer than this is not a tag; a line end farther away costs more than it gives.
const tagReach = 200
const lineReach = 0.2
const tailLineReach = 0.5

function cutBefore(text: string, length: number): number {
  const line = text.lastIndexOf('\n', length - 1) + 1
  const end = line > length * (1 - lineReach) ? line : length
  const nearby = text.slice(Math.max(0, end - tagReach), end)
  const opened = nearby.lastIndexOf('<')
  if (opened > nearby.lastIndexOf('>')) return end - nearby.length + opened
  return boundaryBefore(text, end)
}

function cutAfter(text: string, from: number): number {
  const line = text.indexOf('\n', from)
  const start = line !== -1 && line - from < (text.length - from) * tailLineReach ? line : from
  const nearby = text.slice(start, start + tagReach)
  const closed = nearby.indexOf('>')
  const opened = nearby.indexOf('<')
  if (closed !== -1 && (opened === -1 || closed < opened)) return start + closed + 1
  return boundaryAfter(text, start)
}

const ellipsis = ' …'

/** Empty where there is only room for the sign. */
export function cutText(text: string, characters: number): string {
  const most = Math.floor(characters)
  if (text.length <= most) return text
  const end = most - ellipsis.length
  if (end <= 0) return ''
  return `${withoutEllipsis(text.slice(0, boundaryBefore(text, end)))}${ellipsis}`
}

/** What was cut before says so at its end: it is said once. */
export function withoutEllipsis(text: string): string {
  let end = text.length
  while (end > 0 && /[\s…]/.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}
