/**
 * Identifiers without a space in them. A text is cut into runs of the characters that they
 * are written with. A run that is no identifier as a whole is cut where its parts are held
 * together the most loosely, and each part is read again.
 */
import { type Identifier, identifier } from './identifier.ts'
import { readWord } from './read-word.ts'
import { runsOf } from './runs.ts'
import { piecesByScript } from './scripts.ts'

/** No file, symbol or address that anyone means to name is longer. */
const longest = 400

export function findWords(text: string): readonly Identifier[] {
  const found: Identifier[] = []
  for (const { run, at, isAscii } of runsOf(text)) {
    if (isAscii) read(run, at, 0, found)
    else for (const piece of piecesByScript(run, at)) read(piece.run, piece.at, 0, found)
  }
  return found
}

/** Looser first: what holds the parts of a list together never holds those of a name. */
const cuts: readonly RegExp[] = [/[!,*=?&]+/g, /:+/g, /[/\\@#%~+]+/g, /\.{2,}|-{2,}/g, /[.-]/g]

function read(run: string, at: number, level: number, found: Identifier[]): void {
  const from = leadingMarks(run)
  const to = withoutTrailingMarks(run, from)
  if (to - from < 2 || !telling.test(run)) return
  const piece = run.slice(from, to)
  const known = piece.length <= longest ? readWord(piece) : null
  if (known !== null) {
    found.push({ ...identifier(known.kind, known.text, at + from), line: known.line })
    return
  }
  const next = looseLevel(piece, level)
  const cut = cuts[next]
  if (cut === undefined) return
  let start = 0
  for (const mark of piece.matchAll(cut)) {
    read(piece.slice(start, mark.index), at + from + start, next + 1, found)
    start = mark.index + mark[0].length
  }
  read(piece.slice(start), at + from + start, next + 1, found)
}

/** The first level at which there is something to cut; a word in one piece has none. */
function looseLevel(piece: string, level: number): number {
  let next = level
  while (next < cuts.length && piece.search(cuts[next] ?? '') < 0) next += 1
  return next
}

/** Most words are small letters, or one capital and small letters: they are nothing yet. */
const telling = /[\d_$.\-/\\:@#~+%]|\p{L}\p{Lu}|\p{Nd}/u

/** Marks of the sentence around a word. */
function leadingMarks(run: string): number {
  let from = 0
  while (from < run.length && '!,*=?&:+%-'.includes(run[from] ?? ' ')) from += 1
  return from
}

function withoutTrailingMarks(run: string, from: number): number {
  let to = run.length
  while (to > from && '!,*=?&:.@#~+-\\'.includes(run[to - 1] ?? ' ')) to -= 1
  return to
}
