/**
 * People, places and products: words with a capital that do not begin a sentence. A sentence
 * gives its first word a capital whatever it is, so that word is never a sign of a name.
 */
import { isAsciiLetter } from '../ascii-letter.ts'
import { type Identifier, identifier } from './identifier.ts'

const capitalised =
  /(?<![\p{L}\p{M}\p{N}_])\p{Lu}[\p{L}\p{M}\p{N}]+(?:['’-]\p{L}[\p{L}\p{M}\p{N}]*){0,4}/uy

/** As many words as a name has at most; in a text of capitals there would be no end. */
const wordsAtMost = 6

export function findNames(text: string): readonly Identifier[] {
  const found: Identifier[] = []
  let from = -1
  let to = -1
  let count = 0
  const close = () => {
    if (from >= 0 && to - from < 200) found.push(identifier('name', text.slice(from, to), from))
    from = -1
  }
  for (let index = capitalAt(text, 0); index < text.length; index = capitalAt(text, index + 1)) {
    capitalised.lastIndex = index
    const word = capitalised.exec(text)?.[0]
    if (word === undefined) continue
    const goesOn = from >= 0 && index === to + 1 && text[to] === ' '
    if (!goesOn || count === wordsAtMost) close()
    const begins = index
    // The last character of the word, so that the next one is looked at next.
    index += word.length - 1
    if (!goesOn && beginsSentence(text, begins)) continue
    if (from < 0) [from, count] = [begins, 0]
    to = begins + word.length
    count += 1
  }
  close()
  return found
}

/** The next place where a word with a capital can begin; the end of the text where there is none. */
function capitalAt(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 128 ? sorts[code] !== capital : !isCapital(code)) continue
    const isInside = at > 0 && inWord(text.charCodeAt(at - 1))
    const next = text.charCodeAt(at + 1)
    // Alone it is a word and no name; what is not ASCII is left to the pattern.
    if (!isInside && (next >= 128 || isLetterOrDigit(next))) return at
  }
  return text.length
}

const capital = 1
const other = 2
const lowLine = 3

const sorts: Uint8Array = new Uint8Array(128)
  .fill(other, 48, 58)
  .fill(capital, 65, 91)
  .fill(other, 97, 123)
sorts['_'.charCodeAt(0)] = lowLine

/** Of those that are ASCII. */
function inWord(code: number): boolean {
  return code < 128 && sorts[code] !== 0
}

function isLetterOrDigit(code: number): boolean {
  return sorts[code] === capital || sorts[code] === other
}

/** Whether each character beyond ASCII is a capital; 2 for those that were not asked for yet. */
const known: Uint8Array = new Uint8Array(65_536).fill(2)

function isCapital(code: number): boolean {
  // The first half of a character may be one of anything.
  if (known[code] === 2)
    known[code] =
      (code >= 0xd800 && code < 0xdc00) || /\p{Lu}/u.test(String.fromCharCode(code)) ? 1 : 0
  return known[code] === 1
}

/** By the few characters before it. */
function beginsSentence(text: string, at: number): boolean {
  // Behind a word and a space, as most names stand.
  if (text.charCodeAt(at - 1) === space && isAsciiLetter(text.charCodeAt(at - 2))) return false
  const before = text.slice(Math.max(0, at - 6), at)
  return sentenceStart.test(before) || (at <= 6 && /^\P{L}*$/u.test(before))
}

const space = 32

/** A stop, a line break, a mark of a list, an opening quote or bracket. */
const sentenceStart =
  /[.!?:;…]["'”’)\]]{0,2}\s{1,3}$|[。！？]$|\n[\s>*#•-]*$|["“„«‘'(`[{<|>*#•=/\\]\s?$/
