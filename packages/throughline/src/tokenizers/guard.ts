/**
 * Keeps an exact count linear, whatever the text.
 *
 * Byte-pair merging is quadratic in the length of one piece, and a piece is as long as its run of
 * letters, spaces or symbols: 100 kB of "a" takes seconds. Such runs are cut every
 * `maxRunBytes`, and the parts are counted; all other text is counted exactly, as a whole.
 *
 * One pass over the character codes: a regular expression for long runs would itself backtrack.
 */
import { characterClass, classOf } from './character-class.ts'

/** May be slow for long runs. */
export type CountTokens = (text: string) => number

/** Long enough for any word, rule or indentation; short enough that its square is small. */
const maxRunBytes = 256

export function guardLongRuns(count: CountTokens): CountTokens {
  return (text) => {
    let total = 0
    let start = 0
    let cut = nextCut(text, 0)
    while (cut < text.length) {
      total += count(text.slice(start, cut))
      start = cut
      cut = nextCut(text, cut)
    }
    return total + count(start === 0 ? text : text.slice(start))
  }
}

const { caseless, mark, number, space, lineBreak } = characterClass

// Letters of any case are one class here. Marks, non-ASCII numbers and surrogates continue any run,
// because encodings differ on them.
const letter = caseless
const joins = mark

/** The position at which the first run after `from` becomes too long, or the length of the text. */
function nextCut(text: string, from: number): number {
  let runBytes = 0
  let runClass: number = joins
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const kind = classInRun(code)
    if (kind !== joins) {
      if (kind === number || beginsPiece(runClass, kind, code)) runBytes = 0
      runClass = kind
    }
    if (runBytes >= maxRunBytes && !isLowSurrogate(code)) return index
    runBytes += code < 0x80 ? 1 : code < 0x800 ? 2 : 3
  }
  return text.length
}

function classInRun(code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) return joins
  const kind = classOf(code)
  if (kind === number) return code <= 0x7f ? number : joins
  return kind < letter ? letter : kind
}

/**
 * True where every encoding ends a piece. Line breaks belong to the symbols and spaces before them,
 * and "/" to the line breaks before it.
 */
function beginsPiece(before: number, kind: number, code: number): boolean {
  if (before === kind || before === joins) return false
  if (kind === lineBreak) return before === letter || before === number
  if (before === lineBreak) return kind !== space && code !== slash
  return true
}

const slash = 0x2f

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
