/** Adds a line to the history. When it grows too long, its oldest lines are folded into one. */
import { byRules, type HistoryLine, type TurnRules } from '../domain/turn-memory.ts'
import { utterancesOf } from '../extract/utterances.ts'
import { limits } from './limits-data.ts'
import {
  type Counted,
  countedPiece,
  joinPieces,
  type LinePieces,
  lastOfEach,
  namedPiece,
  readPieces,
  separator,
  turnsPiece,
} from './rule-lines.ts'
import { characterCount, cutCharacters } from './turn-text.ts'

export function foldHistory(
  history: readonly HistoryLine[],
  line: HistoryLine,
  rules: TurnRules,
  folded: string | null,
): readonly HistoryLine[] {
  const maxCharacters = rules.historyCharacters
  const lines = [...history, line]
  if (charactersOf(lines) <= maxCharacters) return lines
  const count = linesToFold(history, rules).length
  const byModel =
    folded === null || count === 0
      ? null
      : [lineOver(history.slice(0, count), folded, line.by), ...lines.slice(count)]
  if (byModel !== null && charactersOf(byModel) <= maxCharacters) return byModel
  return foldedByRules(byModel ?? lines, Math.max(1, byModel === null ? count : 1), rules)
}

export function foldedCharacters({ historyCharacters }: TurnRules): number {
  return Math.max(1, Math.floor(historyCharacters * limits.foldedShare))
}

export function linesToFold(
  history: readonly HistoryLine[],
  { historyCharacters }: TurnRules,
): readonly HistoryLine[] {
  let from = history.length
  let keptCharacters = 0
  while (from > 0) {
    keptCharacters += characterCount(history[from - 1]?.text ?? '')
    if (keptCharacters > historyCharacters * limits.keptShare) break
    from -= 1
  }
  return history.slice(0, from)
}

/** Folds at least `minCount` of the oldest lines, and more if the rest leaves too little room. */
function foldedByRules(
  lines: readonly HistoryLine[],
  minCount: number,
  rules: TurnRules,
): readonly HistoryLine[] {
  const wantedCharacters = foldedCharacters(rules)
  for (let count = minCount; count < lines.length; count += 1) {
    const newerLines = lines.slice(count)
    const freeCharacters = rules.historyCharacters - charactersOf(newerLines)
    // The newest line stays unchanged if it fits.
    if (freeCharacters >= (newerLines.length === 1 ? 1 : wantedCharacters))
      return [
        foldedLine(lines.slice(0, count), Math.min(freeCharacters, wantedCharacters)),
        ...newerLines,
      ]
  }
  return [foldedLine(lines, rules.historyCharacters)]
}

function foldedLine(lines: readonly HistoryLine[], maxCharacters: number): HistoryLine {
  return lineOver(lines, foldLines(lines, maxCharacters), byRules)
}

function lineOver(lines: readonly HistoryLine[], text: string, by: string): HistoryLine {
  return { from: lines[0]?.from ?? 0, to: lines.at(-1)?.to ?? 0, text, by }
}

export function charactersOf(lines: readonly HistoryLine[]): number {
  return lines.reduce((sum, { text }) => sum + characterCount(text), 0)
}

/**
 * Several lines as one: number of turns, counted changes, names, and each phrase once. Names of
 * the newest turns are kept first.
 */
export function foldLines(lines: readonly HistoryLine[], maxCharacters: number): string {
  const pieces = joinPieces(lines.map(readPieces))
  const { phrases, counted, named } = pieces
  const turns = turnsPiece((lines.at(-1)?.to ?? 0) - (lines[0]?.from ?? 0))
  const whole =
    textOf([...turns, ...counted.map(countedPiece), ...namedPiece(named), ...phrases]) || emptyLine
  if (characterCount(whole) <= maxCharacters) return whole
  const bare = counted.map((one) => countedPiece({ ...one, names: [] }))
  const freeCharacters = maxCharacters - characterCount(textOf([...turns, ...bare]))
  const withFewNames = withNames(counted, freeCharacters * limits.namesShare)
  const namesLength = withFewNames.reduce((sum, { names }) => sum + lengthOfList(names), 0)
  const shortPhrases = fitPhrases(pieces, withFewNames, freeCharacters - namesLength)
  const changed = withNames(counted, freeCharacters - lengthOf(shortPhrases))
  const shortened = textOf([...turns, ...changed.map(countedPiece), ...shortPhrases])
  // If not one piece fits, the text is the start of the complete line.
  return cutCharacters(shortened || whole, maxCharacters)
}

// Every turn keeps a line, even an empty one, so that the history has no gap.
const emptyLine = '…'

function fitPhrases(
  { phrases, named }: LinePieces,
  changed: readonly Counted[],
  freeCharacters: number,
): readonly string[] {
  const whole = [...namedPiece(named), ...phrases]
  if (lengthOf(whole) <= freeCharacters) return whole
  const listed = new Set(changed.flatMap(({ names }) => names))
  const found = [...named, ...phrases.flatMap(namesOf)]
  const unlisted = lastOfEach(found).filter((name) => !listed.has(name))
  const names = namedPiece(
    newestNames(unlisted, freeCharacters * limits.namesShare - namedLabelLength),
  )
  return [...names, ...fitSentences(phrases, freeCharacters - lengthOf(names) - separator.length)]
}

const namedLabelLength = ' · named: '.length

function textOf(pieces: readonly string[]): string {
  return pieces.join(separator)
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + characterCount(piece) + separator.length, 0)
}

function lengthOfList(names: readonly string[]): number {
  return names.length === 0 ? 0 : characterCount(names.join(', ')) + listPrefixLength
}

function withNames(counted: readonly Counted[], freeCharacters: number): readonly Counted[] {
  const share = evenShare(
    counted.map(({ names }) => lengthOfList(names)),
    freeCharacters,
  )
  return counted.map((one) => ({ ...one, names: newestNames(one.names, share - listPrefixLength) }))
}

const listPrefixLength = ': '.length

function newestNames(names: readonly string[], freeCharacters: number): readonly string[] {
  let left = freeCharacters + listPrefixLength
  let from = names.length
  while (from > 0) {
    left -= characterCount(names[from - 1] ?? '') + ', '.length
    if (left < 0) break
    from -= 1
  }
  return names.slice(from)
}

/** Capitalised words within a sentence, with their number. A name before `…` is incomplete. */
function namesOf(phrase: string): readonly string[] {
  return Array.from(phrase.matchAll(capitalised), ({ 0: name, index }) =>
    phrase[index + name.length] === '…' ? '' : name,
  ).filter((name) => name !== '')
}

const run = "\\p{Lu}[\\p{L}\\p{M}\\p{N}'’-]{1,40}"
const more = "(?: (?:\\p{Lu}[\\p{L}\\p{M}\\p{N}'’-]{0,40}|\\p{N}{1,9}(?![\\p{L}\\p{N}])))"
// After a colon a sentence may start, and its first word is not a name.
const capitalised = new RegExp(
  `(?<=[\\p{Ll}\\p{N},] )${run}${more}*|(?<=[;:] )${run}${more}+`,
  'gu',
)

/** Keeps the first phrase, then rules of the user, then numbers and names, then the newest. */
function fitSentences(phrases: readonly string[], maxCharacters: number): readonly string[] {
  if (characterCount(phrases.join(separator)) <= maxCharacters) return phrases
  const maxSentence = Math.max(
    limits.sentenceFloorCharacters,
    Math.floor(maxCharacters * limits.maxSentenceShare),
  )
  const chosen = new Map<string, number>()
  let freeCharacters = maxCharacters
  for (const { text, at } of byWorth(phrases.map(askedOnly), maxCharacters)) {
    if (freeCharacters < limits.minSentenceCharacters) break
    const piece = cutCharacters(text, Math.min(maxSentence, freeCharacters))
    if (chosen.has(piece) || piece === '…') continue
    chosen.set(piece, at)
    freeCharacters -= characterCount(piece) + separator.length
  }
  return [...chosen].toSorted(([, one], [, other]) => one - other).map(([piece]) => piece)
}

/** In little room, what the user asked is worth more than the answer. */
function askedOnly(text: string): string {
  return text.replace(
    /^User asked: (.+?)(?:; assistant (?:answered|asked back|proposed, awaiting confirmation): .*)?$/su,
    '$1',
  )
}

function byWorth(phrases: readonly string[], maxCharacters: number) {
  const isRoomy = maxCharacters >= 3 * limits.minSentenceCharacters
  return phrases
    .map((text, at) => ({ text, at, worth: at === 0 && isRoomy ? worthOfFirst : worthOf(text) }))
    .toSorted((one, other) => other.worth - one.worth || other.at - one.at)
}

const worthOfFirst = 3

function worthOf(text: string): number {
  if (utterancesOf(text, 'user').some(({ kind }) => lastingKinds.has(kind))) return 2
  return /\p{N}|[\p{Ll},] \p{Lu}/u.test(text) ? 1 : 0
}

const lastingKinds = new Set<string>([
  'constraint',
  'retraction',
  'preference',
  'correction',
  'decision',
])

/** The most that each item may take so that all fit; infinite if they fit unchanged. */
function evenShare(lengths: readonly number[], freeCharacters: number): number {
  let left = freeCharacters
  let count = lengths.length
  for (const length of lengths.toSorted((one, other) => one - other)) {
    if (length * count > left) return Math.floor(left / count)
    left -= length
    count -= 1
  }
  return Number.POSITIVE_INFINITY
}
