/**
 * Cuts a text into the pieces that a byte-pair tokenizer would merge within:
 * words with what stands before them, groups of three digits, runs of symbols,
 * runs of space. The rules are those of the o200k encoding, written as one scan
 * over the characters, because its regular expression is slow and quadratic
 * where runs are long. Every piece is at least one token.
 */
import { characterClass, classOf } from './character-class.ts'

export type PieceKind = 'word' | 'digits' | 'symbols' | 'space'

/** Called with `text[start, end)`; in a word the letters begin at `body`. */
export type VisitPiece = (kind: PieceKind, start: number, body: number, end: number) => void

const { upper, mark, number, space, lineBreak, symbol } = characterClass

export function forEachPiece(text: string, visit: VisitPiece): void {
  let start = 0
  while (start < text.length) {
    const code = codeAt(text, start)
    const kind = classOf(code)
    const body = start + widthOf(code)
    let end: number
    if (kind <= mark) {
      end = endOfWord(text, start)
      visit('word', start, start, end)
    } else if (kind === number) {
      end = endOfDigits(text, start)
      visit('digits', start, start, end)
    } else if (kind !== lineBreak && beginsWord(text, body)) {
      end = endOfWord(text, body)
      visit('word', start, body, end)
    } else if (kind === symbol || (code === blank && classAt(text, body) === symbol)) {
      end = endOfSymbols(text, body)
      visit('symbols', start, start, end)
    } else {
      end = endOfSpace(text, start)
      visit('space', start, start, end)
    }
    start = end
  }
}

const blank = 0x20
const slash = 0x2f
const apostrophe = 0x27
const nothing = 255

function codeAt(text: string, index: number): number {
  return text.codePointAt(index) ?? 0
}

function widthOf(code: number): number {
  return code > 0xffff ? 2 : 1
}

function classAt(text: string, index: number): number {
  return index < text.length ? classOf(codeAt(text, index)) : nothing
}

function beginsWord(text: string, index: number): boolean {
  return classAt(text, index) <= mark
}

/** Capitals, then small letters: a capital after a small letter begins a new word. */
function endOfWord(text: string, from: number): number {
  let index = from
  let smallSeen = false
  while (index < text.length) {
    const code = codeAt(text, index)
    const kind = classOf(code)
    if (kind > mark || (kind === upper && smallSeen)) break
    if (kind !== upper) smallSeen = true
    index += widthOf(code)
  }
  return index + contractionLength(text, index)
}

/** English endings ('s, 'll …) belong to their word, in any letters before them. */
function contractionLength(text: string, index: number): number {
  if (text.charCodeAt(index) !== apostrophe) return 0
  const ending = /^'(?:[sdmt]|ll|ve|re)/i.exec(text.slice(index, index + 3))
  return ending === null ? 0 : ending[0].length
}

function endOfDigits(text: string, from: number): number {
  let index = from
  for (let digits = 0; digits < 3 && classAt(text, index) === number; digits += 1) {
    index += widthOf(codeAt(text, index))
  }
  return index
}

/** Line breaks after symbols belong to them, and so do slashes after those. */
function endOfSymbols(text: string, from: number): number {
  let index = from
  let tail = false
  while (index < text.length) {
    const code = codeAt(text, index)
    const kind = classOf(code)
    if (kind === lineBreak) tail = true
    else if (tail ? code !== slash : kind !== symbol && kind !== mark) break
    index += widthOf(code)
  }
  return index
}

/** Space up to its last line break; else all but the last, which goes with what follows. */
function endOfSpace(text: string, from: number): number {
  let index = from
  let afterBreak = -1
  while (index < text.length) {
    const kind = classOf(text.charCodeAt(index))
    if (kind !== space && kind !== lineBreak) break
    index += 1
    if (kind === lineBreak) afterBreak = index
  }
  if (afterBreak > 0) return afterBreak
  return index < text.length && index - from > 1 ? index - 1 : index
}
