/**
 * Cuts long runs of letters, spaces or symbols before a tokenizer counts them: byte-pair merging is
 * quadratic in the length of a run, so 100 kB of "a" takes seconds. A run is cut every `maxRunBytes`, and
 * its parts are counted one by one. Text without long runs is counted exactly.
 *
 * One pass over the character codes finds the runs; a regular expression would backtrack.
 */
import { characterClass, classOf } from './character-class.ts'

/** Counts the tokens of a text; a tokenizer's own count may be slow for long runs. */
export type CountTokens = (text: string) => number

/** Longer than any word, ruled line or indentation; short enough that quadratic time is short. */
const maxRunBytes = 256

export function cutLongRuns(count: CountTokens): CountTokens {
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

// Letters of any case are one class here. Combining marks, non-ASCII numbers and surrogates continue
// any run, because some encodings end a piece there and others do not.
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
