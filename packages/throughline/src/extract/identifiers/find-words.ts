/**
 * Identifiers without a space in them. A text is cut into runs of the characters that they
 * are written with. A run that is no identifier as a whole is cut where its parts are held
 * together the most loosely, and each part is read again.
 */
import type { Identifier } from './identifier.ts'
import { readWord } from './read-word.ts'
import { eachRun } from './runs.ts'
import { piecesByScript } from './scripts.ts'
import {
  beyondAscii,
  colon,
  dot,
  hyphen,
  innerCapital,
  listMark,
  marksIn,
  pathMark,
  tellingMarks,
} from './word-marks.ts'

/** No file, symbol or address that anyone means to name is longer. */
const longest = 400

export function findWords(text: string): readonly Identifier[] {
  const found: Identifier[] = []
  eachRun(text, (from, to, isAscii) => {
    if (isAscii) read(text, { from, to }, 0, found)
    else
      for (const { run, at } of piecesByScript(text.slice(from, to), from))
        read(text, { from: at, to: at + run.length }, 0, found)
  })
  return found
}

interface Piece {
  readonly from: number
  readonly to: number
}

function read(text: string, run: Piece, level: number, found: Identifier[]): void {
  const from = behindMarks(text, run)
  const to = beforeMarks(text, from, run.to)
  if (to - from < 2) return
  const marks = marksIn(text, from, to)
  if (!isTelling(text, run, marks)) return
  const piece = text.slice(from, to)
  const known = piece.length <= longest ? readWord(piece, marks) : null
  if (known !== null) {
    found.push({ text: known.text, kind: known.kind, at: from, line: known.line })
    return
  }
  const next = looseLevel(piece, marks, level)
  if (next >= cuts.length) return
  let start = from
  for (let at = from; at < to; ) {
    const end = cutEnd(text, at, to, next)
    if (end > at) {
      read(text, { from: start, to: at }, next + 1, found)
      start = end
      at = end
    } else at += 1
  }
  read(text, { from: start, to }, next + 1, found)
}

/** Most words are small letters, or one capital and small letters: they are nothing yet. */
function isTelling(text: string, { from, to }: Piece, marks: number): boolean {
  if ((marks & beyondAscii) === 0) return (marks & (tellingMarks | innerCapital)) !== 0
  return telling.test(text.slice(from, to))
}

const telling = /[\d_$.\-/\\:@#~+%]|\p{L}\p{Lu}|\p{Nd}/u

interface Cut {
  /** One of them is in every piece that is cut there. */
  readonly marks: number
  readonly at: string
  /** How many of the same stand there at least. */
  readonly least: number
}

/** Looser first: what holds the parts of a list together never holds those of a name. */
const cuts: readonly Cut[] = [
  { marks: listMark, at: '!,*=?&', least: 1 },
  { marks: colon, at: ':', least: 1 },
  { marks: pathMark, at: '/\\@#%~+', least: 1 },
  { marks: dot | hyphen, at: '.-', least: 2 },
  { marks: dot | hyphen, at: '.-', least: 1 },
]

/** The first level at which there is something to cut; a word in one piece has none. */
function looseLevel(piece: string, marks: number, level: number): number {
  for (let next = level; next < cuts.length; next += 1) {
    const { marks: needed, least } = cuts[next] ?? noCut
    if ((marks & needed) === 0) continue
    if (least === 1 || piece.includes('..') || piece.includes('--')) return next
  }
  return cuts.length
}

const noCut: Cut = { marks: 0, at: '', least: 1 }

/** Behind the marks that stand there; the place itself where it is not cut there. */
function cutEnd(text: string, at: number, to: number, level: number): number {
  const { at: marks, least } = cuts[level] ?? noCut
  const mark = text[at] ?? ' '
  if (!marks.includes(mark)) return at
  let end = at + 1
  while (end < to && text[end] === mark) end += 1
  return end - at >= least ? end : at
}

/** Marks of the sentence around a word. */
const leading = marksOf('!,*=?&:+%-')
const trailing = marksOf('!,*=?&:.@#~+-\\')

function marksOf(marks: string): Uint8Array {
  const flags = new Uint8Array(128)
  for (const mark of marks) flags[mark.charCodeAt(0)] = 1
  return flags
}

function behindMarks(text: string, { from, to }: Piece): number {
  let at = from
  while (at < to && leading[text.charCodeAt(at)] === 1) at += 1
  return at
}

function beforeMarks(text: string, from: number, to: number): number {
  let at = to
  while (at > from && trailing[text.charCodeAt(at - 1)] === 1) at -= 1
  return at
}
