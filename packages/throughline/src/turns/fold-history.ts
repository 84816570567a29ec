/** Adds a line to the history. Where it would be too long, its oldest lines become one; none is cut off. */
import { byRules, type HistoryLine, type TurnRules } from '../domain/turn-memory.ts'
import { utterancesOf } from '../extract/utterances.ts'
import { limits } from './limits-data.ts'
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
} from './rule-lines.ts'
import { characterCount, cutCharacters } from './turn-text.ts'

export function foldHistory(
  history: readonly HistoryLine[],
  line: HistoryLine,
  rules: TurnRules,
  folded: string | null,
): readonly HistoryLine[] {
  const most = rules.historyCharacters
  const lines = [...history, line]
  if (charactersOf(lines) <= most) return lines
  const count = linesToFold(history, rules).length
  const told =
    folded === null || count === 0
      ? null
      : [lineOver(history.slice(0, count), folded, line.by), ...lines.slice(count)]
  if (told !== null && charactersOf(told) <= most) return told
  return foldedByRules(told ?? lines, Math.max(1, told === null ? count : 1), rules)
}

export function foldedCharacters({ historyCharacters }: TurnRules): number {
  return Math.max(1, Math.floor(historyCharacters * limits.foldedShare))
}

export function linesToFold(
  history: readonly HistoryLine[],
  { historyCharacters }: TurnRules,
): readonly HistoryLine[] {
  let from = history.length
  let kept = 0
  while (from > 0) {
    kept += characterCount(history[from - 1]?.text ?? '')
    if (kept > historyCharacters * limits.keptShare) break
    from -= 1
  }
  return history.slice(0, from)
}

/** At least so many of the oldest, and more where the others leave too little room; perhaps all. */
function foldedByRules(
  lines: readonly HistoryLine[],
  least: number,
  rules: TurnRules,
): readonly HistoryLine[] {
  const enough = foldedCharacters(rules)
  for (let count = least; count < lines.length; count += 1) {
    const kept = lines.slice(count)
    const room = rules.historyCharacters - charactersOf(kept)
    // The newest line stays as it is wherever it can.
    if (room >= (kept.length === 1 ? 1 : enough))
      return [foldedLine(lines.slice(0, count), Math.min(room, enough)), ...kept]
  }
  return [foldedLine(lines, rules.historyCharacters)]
}

function foldedLine(lines: readonly HistoryLine[], mostCharacters: number): HistoryLine {
  return lineOver(lines, foldLines(lines, mostCharacters), byRules)
}

function lineOver(lines: readonly HistoryLine[], text: string, by: string): HistoryLine {
  return { from: lines[0]?.from ?? 0, to: lines.at(-1)?.to ?? 0, text, by }
}

export function charactersOf(lines: readonly HistoryLine[]): number {
  return lines.reduce((sum, { text }) => sum + characterCount(text), 0)
}

/** Several lines as one: turns, changes by count and names, phrases once. Names of the newest turns win. */
export function foldLines(lines: readonly HistoryLine[], mostCharacters: number): string {
  const pieces = joinPieces(lines.map(readPieces))
  const { told, counted, named } = pieces
  const turns = turnsPiece((lines.at(-1)?.to ?? 0) - (lines[0]?.from ?? 0))
  const whole =
    textOf([...turns, ...counted.map(countedPiece), ...namedPiece(named), ...told]) || nothingTold
  if (characterCount(whole) <= mostCharacters) return whole
  const bare = counted.map((one) => countedPiece({ ...one, names: [] }))
  const room = mostCharacters - characterCount(textOf([...turns, ...bare]))
  const least = withNames(counted, room * limits.namesShare)
  const namesLength = least.reduce((sum, { names }) => sum + lengthOfList(names), 0)
  const words = wordsOf(pieces, least, room - namesLength)
  const changed = withNames(counted, room - lengthOf(words))
  const shortened = textOf([...turns, ...changed.map(countedPiece), ...words])
  // In a few characters no piece says anything: then the text begins with all of them.
  return cutCharacters(shortened || whole, mostCharacters)
}

// A turn has its place in the history, whatever is left of it.
const nothingTold = '…'

function wordsOf(
  { told, named }: LinePieces,
  changed: readonly Counted[],
  room: number,
): readonly string[] {
  const whole = [...namedPiece(named), ...told]
  if (lengthOf(whole) <= room) return whole
  const listed = new Set(changed.flatMap(({ names }) => names))
  const also = lastOfEach([...named, ...told.flatMap(namesOf)]).filter((name) => !listed.has(name))
  const names = namedPiece(newestNames(also, room * limits.namesShare - besideNamed))
  return [...names, ...fitSentences(told, room - lengthOf(names) - between.length)]
}

const besideNamed = ' · named: '.length

function textOf(pieces: readonly string[]): string {
  return pieces.join(between)
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + characterCount(piece) + between.length, 0)
}

function lengthOfList(names: readonly string[]): number {
  return names.length === 0 ? 0 : characterCount(names.join(', ')) + besideNames
}

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

/** Capitalised words within a sentence, with their number. Before the sign of a cut is half a name. */
function namesOf(told: string): readonly string[] {
  return Array.from(told.matchAll(capitals), ({ 0: name, index }) =>
    told[index + name.length] === '…' ? '' : name,
  ).filter((name) => name !== '')
}

const run = "\\p{Lu}[\\p{L}\\p{M}\\p{N}'’-]{1,40}"
const more = "(?: (?:\\p{Lu}[\\p{L}\\p{M}\\p{N}'’-]{0,40}|\\p{N}{1,9}(?![\\p{L}\\p{N}])))"
// Behind a colon a sentence may begin, and its first word is no name.
const capitals = new RegExp(`(?<=[\\p{Ll}\\p{N},] )${run}${more}*|(?<=[;:] )${run}${more}+`, 'gu')

/**
 * Users' rules stay longest, then what has numbers or names, then the newest; the first says how
 * it began.
 */

function fitSentences(told: readonly string[], mostCharacters: number): readonly string[] {
  if (characterCount(told.join(between)) <= mostCharacters) return told
  const most = Math.max(
    limits.fewWordsCharacters,
    Math.floor(mostCharacters * limits.mostSentenceShare),
  )
  const kept = new Map<string, number>()
  let room = mostCharacters
  for (const { text, at } of byWorth(told.map(askedOnly), mostCharacters)) {
    if (room < limits.leastSentenceCharacters) break
    const piece = cutCharacters(text, Math.min(most, room))
    if (kept.has(piece) || piece === '…') continue
    kept.set(piece, at)
    room -= characterCount(piece) + between.length
  }
  return [...kept].toSorted(([, one], [, other]) => one - other).map(([piece]) => piece)
}

/** That the user asked goes without saying; what was answered is said where there is room. */
function askedOnly(text: string): string {
  return text.replace(
    /^User asked: (.+?)(?:; assistant (?:answered|asked back|proposed, awaiting confirmation): .*)?$/su,
    '$1',
  )
}

function byWorth(told: readonly string[], mostCharacters: number) {
  const isRoomy = mostCharacters >= 3 * limits.leastSentenceCharacters
  return told
    .map((text, at) => ({ text, at, worth: at === 0 && isRoomy ? first : worthOf(text) }))
    .toSorted((one, other) => other.worth - one.worth || other.at - one.at)
}

const first = 3

function worthOf(text: string): number {
  if (utterancesOf(text, 'user').some(({ kind }) => lasting.has(kind))) return 2
  return /\p{N}|[\p{Ll},] \p{Lu}/u.test(text) ? 1 : 0
}

const lasting: ReadonlySet<string> = new Set(['constraint', 'preference', 'correction', 'decision'])

/**
 * What each may have so that all fit: short ones leave their rest to the others. Without a limit
 * where all fit as they are.
 */
function evenShare(lengths: readonly number[], room: number): number {
  let left = room
  let count = lengths.length
  for (const length of lengths.toSorted((one, other) => one - other)) {
    if (length * count > left) return Math.floor(left / count)
    left -= length
    count -= 1
  }
  return Number.POSITIVE_INFINITY
}
