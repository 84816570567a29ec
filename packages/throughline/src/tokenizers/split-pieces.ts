/**
 * Splits a text into pieces before byte pairs are merged, by the rules of o200k: words with one
 * character before them, three digits, runs of symbols, runs of space. It scans character classes,
 * because the regular expression of o200k is slow, and quadratic on long runs.
 */
import { characterClass, classOf } from './character-class.ts'

const { upper, lower, mark, number, space, lineBreak, symbol } = characterClass

/** The end of the piece that starts at `start`, a position inside the text. */
export function endOfPiece(text: string, start: number): number {
  const kind = classAt(text, start)
  if (kind <= mark) return endOfWord(text, start)
  if (kind === number) return endOfDigits(text, start)
  const body = start + widthAt(text, start)
  const following = classAt(text, body)
  if (kind !== lineBreak && following <= mark) return endOfWord(text, body)
  if (kind === symbol) return endOfSymbols(text, body)
  if (following === symbol && text.charCodeAt(start) === blank) return endOfSymbols(text, body)
  return endOfSpace(text, start)
}

const [blank, apostrophe, slash] = [0x20, 0x27, 0x2f]
const nothing = 255

function classAt(text: string, index: number): number {
  if (index >= text.length) return nothing
  const unit = text.charCodeAt(index)
  return isSurrogate(unit) ? classOf(text.codePointAt(index) ?? 0) : classOf(unit)
}

function widthAt(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  return isSurrogate(unit) && (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800
}

/**
 * Capitals, then small letters; letters without case are both. Where no small
 * letter follows the capitals, the last letter without case ends the word.
 */
function endOfWord(text: string, from: number): number {
  let index = from
  let afterCaseless = from
  let kind = classAt(text, index)
  while (kind <= mark && kind !== lower) {
    index += widthAt(text, index)
    if (kind !== upper) afterCaseless = index
    kind = classAt(text, index)
  }
  if (kind !== lower && afterCaseless > from && afterCaseless < index) return afterCaseless
  while (kind <= mark && kind !== upper) {
    index += widthAt(text, index)
    kind = classAt(text, index)
  }
  return index + contractionLength(text, index)
}

/** English endings ('s, 'll …) belong to the word before them. */
function contractionLength(text: string, index: number): number {
  if (text.charCodeAt(index) !== apostrophe) return 0
  // Setting this bit makes an ASCII capital small; past the end is NaN, which becomes a blank.
  const first = String.fromCharCode(text.charCodeAt(index + 1) | 0x20)
  if (isAscii(text, index + 1) && 'sdmt'.includes(first)) return 2
  const second = String.fromCharCode(text.charCodeAt(index + 2) | 0x20)
  const ending = first + second
  if (!isAscii(text, index + 1) || !isAscii(text, index + 2)) return 0
  return ending === 'll' || ending === 've' || ending === 're' ? 3 : 0
}

function isAscii(text: string, index: number): boolean {
  return text.charCodeAt(index) < 0x80
}

function endOfDigits(text: string, from: number): number {
  let index = from
  for (let digits = 0; digits < 3 && classAt(text, index) === number; digits += 1) {
    index += widthAt(text, index)
  }
  return index
}

/** Line breaks after symbols belong to them, and so do slashes after those. */
function endOfSymbols(text: string, from: number): number {
  let index = from
  let tail = false
  while (index < text.length) {
    const kind = classAt(text, index)
    if (kind === lineBreak) tail = true
    else if (tail ? text.charCodeAt(index) !== slash : kind !== symbol && kind !== mark) break
    index += widthAt(text, index)
  }
  return index
}

/** Space up to its last line break; else all but the last, which belongs to the next piece. */
function endOfSpace(text: string, from: number): number {
  let index = from
  let afterBreak = from
  for (;;) {
    const kind = classAt(text, index)
    if (kind !== space && kind !== lineBreak) break
    index += 1
    if (kind === lineBreak) afterBreak = index
  }
  if (afterBreak > from) return afterBreak
  return index < text.length && index - from > 1 ? index - 1 : index
}
