/**
 * Finds literals in text by people and models. A summary that changes one changes the meaning.
 *
 * The text is cut into runs without spaces, and each run is matched by its form. A run that is no
 * literal is cut at its loosest mark, and each part is matched again.
 */

import type { TextRange } from '../text-cuts.ts'
import {
  beyondAscii,
  colon,
  cuts,
  digit,
  digitBeyond,
  fileEndingsInProse,
  innerCapital,
  type LiteralKind,
  letter,
  proseForms,
  specificity,
  topLevelDomain,
  unspacedScripts,
} from './literal-forms-data.ts'
import { eachRun, marksIn, runAlphabet, significantMarks } from './literal-runs.ts'
import { callLiterals, datesAndAmountsIn, nameLiterals, quotedLiterals } from './phrase-literals.ts'

export interface Literal {
  readonly text: string
  readonly kind: LiteralKind
  /** Where it begins, in UTF-16 code units. */
  readonly at: number
  /** The line number after a path or a file; null where there is none. */
  readonly line: number | null
}

/**
 * In the order of the text; none overlaps another.
 *
 * For example:
 * literalsInProse('see src/a.ts:12:3')
 * // [{ text: 'src/a.ts', kind: 'path', at: 4, line: 12 }]
 */
export function literalsInProse(text: string): readonly Literal[] {
  const found = wordsIn(text)
  for (const phrases of [
    callLiterals(text),
    datesAndAmountsIn(text),
    quotedLiterals(text),
    nameLiterals(text),
  ])
    for (const { kind, text: phrase, at } of phrases)
      found.push({ text: phrase, kind, at, line: null })
  return withoutOverlaps(found)
}

/** A form wins over a quote or capitals, then the longest, then the most specific. */
function withoutOverlaps(found: readonly Literal[]): readonly Literal[] {
  if (found.length < 2) return found
  const result: Literal[] = []
  for (const candidate of found.toSorted((one, other) => one.at - other.at)) {
    const last = result.at(-1)
    if (last === undefined || candidate.at >= last.at + last.text.length) result.push(candidate)
    else if (isBetter(candidate, last)) result[result.length - 1] = candidate
  }
  return result
}

function isBetter(one: Literal, other: Literal): boolean {
  const [isOneFormed, isOtherFormed] = [isFormed(one), isFormed(other)]
  if (isOneFormed !== isOtherFormed) return isOneFormed
  if (one.text.length !== other.text.length) return one.text.length > other.text.length
  return specificity[one.kind] > specificity[other.kind]
}

/** A number is too weak to win over the name that contains it. */
function isFormed({ kind }: Literal): boolean {
  return kind !== 'quoted' && kind !== 'name' && kind !== 'number'
}

const bitsBeyondAscii = new Map<number, number>()

function beyond(code: number): number {
  const bits = bitsBeyondAscii.get(code) ?? bitsOf(String.fromCharCode(code))
  bitsBeyondAscii.set(code, bits)
  return bits
}

function bitsOf(character: string): number {
  if (/\p{Lu}/u.test(character)) return beyondAscii | innerCapital
  if (/\p{N}/u.test(character)) return beyondAscii | digitBeyond
  return /[\p{L}\p{M}]/u.test(character) ? beyondAscii | letter : 0
}

const alphabet = runAlphabet('_$.-/\\:@#~+%?=&!,*', {
  beyond,
  significant: significantMarks | innerCapital | digitBeyond,
})

function wordsIn(text: string): Literal[] {
  const found: Literal[] = []
  eachRun(text, alphabet, (from, to, marks) => {
    if ((marks & beyondAscii) === 0) readPiece(text, { from, to }, 0, found)
    else for (const piece of piecesByScript(text, from, to)) readPiece(text, piece, 0, found)
    return to
  })
  return found
}

/** A run is cut where a script without spaces touches Latin letters. */
function* piecesByScript(text: string, from: number, to: number): Generator<TextRange> {
  const run = text.slice(from, to)
  let start = 0
  if (unspaced.test(run))
    for (const { index } of run.matchAll(seams)) {
      yield { from: from + start, to: from + index }
      start = index
    }
  yield { from: from + start, to }
}

const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')

const seams = new RegExp(
  String.raw`(?<=${unspaced.source})(?=[A-Za-z0-9_$#@~]|\.{1,2}/)|(?<=[A-Za-z0-9_$])(?=${unspaced.source})`,
  'gu',
)

/** Longer runs are data. */
const maxRunCharacters = 400

function readPiece(text: string, piece: TextRange, level: number, found: Literal[]): void {
  let { from, to } = piece
  while (from < to && leading.includes(text[from] ?? ' ')) from += 1
  while (to > from && trailing.includes(text[to - 1] ?? ' ')) to -= 1
  if (to - from < 2) return
  const marks = marksIn(text, from, to)
  if (!isSignificant(text, piece, marks)) return
  const word = text.slice(from, to)
  const known = word.length <= maxRunCharacters ? readWord(word, marks) : null
  if (known !== null) {
    found.push({ ...known, at: from })
    return
  }
  const next = nextLevel(word, marks, level)
  if (next === -1) return
  let start = from
  for (let at = from; at < to; ) {
    const end = cutEnd(text, at, to, next)
    if (end > at) {
      readPiece(text, { from: start, to: at }, next + 1, found)
      start = end
      at = end
    } else at += 1
  }
  readPiece(text, { from: start, to }, next + 1, found)
}

const leading = '!,*=?&:+%-'
const trailing = '!,*=?&:.@#~+-\\'

/** Plain words, with or without a capital at the start, are no literals. */
function isSignificant(text: string, { from, to }: TextRange, marks: number): boolean {
  if ((marks & beyondAscii) === 0) return (marks & (significantMarks | innerCapital)) !== 0
  return /[\d_$.\-/\\:@#~+%]|\p{L}\p{Lu}|\p{Nd}/u.test(text.slice(from, to))
}

/** The first level with a mark to cut at; -1 where there is none. */
function nextLevel(word: string, marks: number, level: number): number {
  return cuts.findIndex(
    (cut, index) =>
      index >= level &&
      (marks & cut.marks) !== 0 &&
      (cut.minRepeats === 1 || word.includes('..') || word.includes('--')),
  )
}

function cutEnd(text: string, at: number, to: number, level: number): number {
  const cut = cuts[level]
  const mark = text[at] ?? ' '
  if (cut === undefined || !cut.at.includes(mark)) return at
  let end = at + 1
  while (end < to && text[end] === mark) end += 1
  return end - at >= cut.minRepeats ? end : at
}

/** Null for a plain word, and for a run that has to be cut first. */
function readWord(word: string, marks: number): Omit<Literal, 'at'> | null {
  const isLocated = (marks & colon) !== 0 && (marks & digit) !== 0
  const fileAndLine = isLocated
    ? /^(.{1,390}?):(\d{1,7})(?::\d{1,6})?(?:-\d{1,7})?$/.exec(word)
    : null
  if (fileAndLine !== null) {
    const [, file = '', line = ''] = fileAndLine
    const kind = kindOf(file, marksIn(file, 0, file.length))
    if (kind === 'path' || kind === 'file') return { kind, text: file, line: Number(line) }
    // `localhost.example:8080` is an address with its port.
    if (kind === 'host') return { kind, text: word, line: null }
  }
  const kind = kindOf(word, marks)
  return kind === null ? null : { kind, text: word, line: null }
}

function kindOf(word: string, marks: number): LiteralKind | null {
  for (const { kind, allOf, oneOf = 0, noneOf = 0, pattern } of proseForms) {
    if ((marks & allOf) !== allOf || (marks & noneOf) !== 0) continue
    if ((oneOf === 0 || (marks & oneOf) !== 0) && pattern.test(word)) return accepted(kind, word)
  }
  return null
}

/** Checks kinds whose form also matches other words. */
function accepted(kind: LiteralKind, word: string): LiteralKind | null {
  if (kind === 'file') return fileKind(word)
  if (kind === 'path') return isPath(word) ? 'path' : null
  // Any sentence joins words with hyphens; only with a digit it is a name.
  return kind === 'symbol' && word.includes('-') && !/\p{N}/u.test(word) ? null : kind
}

/** `a.b.c` may be a file, a host or a field of something: its last part decides. */
function fileKind(word: string): LiteralKind | null {
  const parts = word.split('.')
  const last = parts.at(-1) ?? ''
  if (word.startsWith('.') || fileEndingsInProse.has(last.toLowerCase())) return 'file'
  if (parts.every((part) => /^\p{L}$/u.test(part))) return null
  if (parts[0] === 'www' || topLevelDomain.test(last))
    return parts.every((part) => /^[\p{L}\p{N}-]{1,63}$/u.test(part)) ? 'host' : null
  if (parts.every((part) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(part)))
    // A full stop without a space after it joins two words of prose.
    return /^\p{Ll}+\.\p{Lu}\p{Ll}+$/u.test(word) ? null : 'symbol'
  return /^[A-Za-z0-9]{1,5}$/.test(last) ? 'file' : null
}

/** `and/or` and `1/2` are no paths, so a run of two parts needs another sign of a path. */
function isPath(word: string): boolean {
  if (/^[/~.]|^[A-Za-z]:/.test(word) || word.startsWith('\\\\')) return /[\p{L}\p{N}]/u.test(word)
  const parts = word.split(/[\\/]/).filter((part) => part !== '')
  if (parts.every((part) => /^[\d.]+$/.test(part))) return false
  return parts.length > 2 || word.startsWith('@') || /[._\d-]|[\\/]$|\p{Ll}\p{Lu}/u.test(word)
}
