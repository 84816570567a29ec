/**
 * Several lines as one, by rules, within a limit: how many turns there were, what they changed
 * by count and names, and what was said in them, each thing once. Names are worth more than
 * phrases, and those of the newest turns more than those before them.
 */
import type { HistoryLine } from '../domain/turn-record.ts'
import { characterCount, cutCharacters } from './characters.ts'
import { evenShare } from './even-share.ts'
import { fitTold } from './fit-told.ts'
import {
  between,
  type Counted,
  countedPiece,
  joinPieces,
  type LinePieces,
  lastOfEach,
  namedPiece,
  readPieces,
  turnsPiece,
} from './line-pieces.ts'

export function foldLines(lines: readonly HistoryLine[], mostCharacters: number): string {
  const pieces = joinPieces(lines.map(readPieces))
  const { told, counted, named } = pieces
  const turns = turnsPiece((lines.at(-1)?.to ?? 0) - (lines[0]?.from ?? 0))
  const whole =
    textOf([...turns, ...counted.map(countedPiece), ...namedPiece(named), ...told]) || nothingTold
  if (characterCount(whole) <= mostCharacters) return whole
  const bare = counted.map((one) => countedPiece({ ...one, names: [] }))
  const room = mostCharacters - characterCount(textOf([...turns, ...bare]))
  const least = withNames(counted, room * namesShare)
  const words = wordsOf(pieces, least, room - lengthOfNames(least))
  // What words leave is for names.
  const changed = withNames(counted, room - lengthOf(words))
  const shortened = textOf([...turns, ...changed.map(countedPiece), ...words])
  // In a few characters no piece says anything: then the beginning of all of them stands there.
  return cutCharacters(shortened || whole, mostCharacters)
}

// A turn has its place in the history, whatever is left of it.
const nothingTold = '…'

/** What is told, and names of what is told in part. */
function wordsOf(
  { told, named }: LinePieces,
  changed: readonly Counted[],
  room: number,
): readonly string[] {
  const whole = [...namedPiece(named), ...told]
  if (lengthOf(whole) <= room) return whole
  const listed = new Set(changed.flatMap(({ names }) => names))
  const also = lastOfEach([...named, ...told.flatMap(namesOf)]).filter((name) => !listed.has(name))
  const names = namedPiece(newestNames(also, room * namesShare - besideNamed))
  return [...names, ...fitTold(told, room - lengthOf(names) - between.length)]
}

/** Half of the room is for names, where words would take all of it. */
const namesShare = 0.5
const besideNamed = ' · named: '.length

function textOf(pieces: readonly string[]): string {
  return pieces.join(between)
}

/** With what stands between them. */
function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + characterCount(piece) + between.length, 0)
}

function lengthOfNames(counted: readonly Counted[]): number {
  return counted.reduce((sum, { names }) => sum + lengthOfList(names), 0)
}

/** With the sign before it; nothing where there is none. */
function lengthOfList(names: readonly string[]): number {
  return names.length === 0 ? 0 : characterCount(names.join(', ')) + besideNames
}

/** As many of the newest names of each kind as there is room for. */
function withNames(counted: readonly Counted[], room: number): readonly Counted[] {
  const share = evenShare(
    counted.map(({ names }) => lengthOfList(names)),
    room,
  )
  return counted.map((one) => ({ ...one, names: newestNames(one.names, share - besideNames) }))
}

const besideNames = ': '.length

function newestNames(names: readonly string[], room: number): readonly string[] {
  let left = room + besideNames
  let from = names.length
  while (from > 0) {
    left -= characterCount(names[from - 1] ?? '') + ', '.length
    if (left < 0) break
    from -= 1
  }
  return names.slice(from)
}

/** What has a capital within a sentence, with its number. Before the sign of a cut stands half of one. */
function namesOf(told: string): readonly string[] {
  return Array.from(told.matchAll(capitals), ({ 0: name, index }) =>
    told[index + name.length] === '…' ? '' : name,
  ).filter((name) => name !== '')
}

const run = "\\p{Lu}[\\p{L}\\p{M}\\p{N}'’-]{1,40}"
const more = "(?: (?:\\p{Lu}[\\p{L}\\p{M}\\p{N}'’-]{0,40}|\\p{N}{1,9}(?![\\p{L}\\p{N}])))"
// Behind a colon a sentence may begin, and its first word is no name.
const capitals = new RegExp(`(?<=[\\p{Ll}\\p{N},] )${run}${more}*|(?<=[;:] )${run}${more}+`, 'gu')
