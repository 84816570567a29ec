import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { type FoundPieces, pieceKey, seqOfPiece } from '../../domain/search-index.ts'
import { type Span, spansOf } from '../../domain/span.ts'
import { hasContentWords, searchedNames, searchedTerms, termsOf } from '../../extract/terms.ts'
import type { LogReader, Recaller, SearchedPieces } from '../read/readers.ts'
import { unsearchedText } from '../text/page-text.ts'
import { piecesOf } from './message-pieces.ts'
import { beginning, type ChosenPiece, headOf, isBeside, pieceText } from './recalled-text.ts'
import { type Hits, leastDistinctive, reach, smoothed, weighHits } from './weigh-hits.ts'

export interface Sought {
  readonly question: string
  readonly before: Seq
  readonly isHidden: (seq: Seq) => boolean
  /** For a question that hidden messages answer fully; less if they answer a part. */
  readonly tokens: number
  /** The limit in any case. */
  readonly room: number
  /** For automatic recall, the message must contain distinctive words. */
  readonly isUnasked: boolean
  readonly count: (text: string) => number
}

export interface RecallResult {
  readonly pieces: readonly ChosenPiece[]
  /** Messages that were not searched; null if all were. */
  readonly unsearched: Span | null
}

export async function recall(
  recaller: Recaller,
  log: Pick<LogReader, 'read'>,
  sought: Sought,
): Promise<RecallResult> {
  const question = boundedQuestion(sought.question)
  if (Math.min(sought.tokens, sought.room) < leastTokens || sought.before === 0) return nothing
  if (sought.isUnasked && !hasContentWords(question)) return nothing
  const terms = searchedTerms(question)
  const found = await foundFor(recaller, terms, { ...sought, question })
  if (found === null) return nothing
  const { unsearched } = found
  if (found.pieces === 0) return { pieces: [], unsearched }
  const hits = weighHits(found, sought.before, terms.length)
  if (sought.isUnasked && hits.best < leastDistinctive) return { pieces: [], unsearched }
  // A question about earlier messages repeats many of their words; other messages repeat few.
  const answered = (hits.answered - meant.from) / (meant.wholly - meant.from)
  const share = sought.isUnasked ? Math.min(1, Math.max(0, answered)) : 1
  const noteTokens = unsearched === null ? 0 : sought.count(unsearchedText(unsearched))
  const tokens = Math.min(sought.room, sought.tokens * share) - noteTokens
  if (tokens < leastTokens) return { pieces: [], unsearched }
  const messages: Message[] = []
  for (const span of spansAround(hits, found, { ...sought, tokens }))
    for (const message of await log.read(span, [])) messages.push(message)
  return { pieces: chosen(weighed(messages, hits, sought), { ...sought, tokens }), unsearched }
}

const nothing: RecallResult = { pieces: [], unsearched: null }

/** A very long question is pasted text: its beginning and its end say what it asks for. */
export function boundedQuestion(question: string): string {
  if (question.length <= questionCharacters) return question
  const half = questionCharacters / 2
  return `${question.slice(0, half)} ${question.slice(-half)}`.toWellFormed()
}

const questionCharacters = 4_000

const meant = { from: 0.12, wholly: 0.3 } as const

/** With less room nothing useful could be shown. */
const leastTokens = 60

async function foundFor(
  recaller: Recaller,
  terms: readonly string[],
  { question, before }: Sought,
): Promise<SearchedPieces | null> {
  const names = searchedNames(question).slice(0, mostNames)
  if (terms.length === 0 && names.length === 0) return null
  const ask = { terms, partsOfNames: names, before }
  let found = await recaller.find({ ...ask, most: mostPlaces })
  if (found === null) return null
  const isTooCommon = found.matches.every(
    ({ places }) => places === null || places.keys.length === 0,
  )
  if (isTooCommon && found.matches.some(({ count }) => count > 0))
    found = (await recaller.find({ ...ask, most: Number.MAX_SAFE_INTEGER })) ?? found
  // A word without matches may be part of a name.
  const unknown = terms.filter(
    (term, index) => term.length >= 4 && found?.matches[index]?.count === 0,
  )
  if (unknown.length === 0) return found
  const partsOfNames = unknown.slice(0, mostNames)
  const parts = await recaller.find({ terms: [], partsOfNames, before, most: mostPlaces })
  return { ...found, matches: [...found.matches, ...(parts?.matches ?? [])] }
}

const mostNames = 8
/** A term in more pieces than that distinguishes little, so it is used only without others. */
const mostPlaces = 4_000

/** The messages around the best hits, in order; more than fit, so that the best can be chosen. */
function spansAround(
  { ranked }: Hits,
  { words }: FoundPieces,
  { before, isHidden, tokens }: Sought,
): readonly Span[] {
  const perMessage = Math.max(1, words / before)
  const radius = Math.min(mostRadius, Math.max(1, Math.ceil(reach.farWords / perMessage)))
  const wanted = new Set<Seq>()
  for (const key of ranked) {
    if (wanted.size * perMessage > tokens * readTimes) break
    const seq = seqOfPiece(key)
    if (!isHidden(seq)) continue
    for (let at = Math.max(0, seq - radius); at <= Math.min(before - 1, seq + radius); at += 1)
      if (isHidden(at)) wanted.add(at)
  }
  return spansOf([...wanted].sort((left, right) => left - right))
}

const mostRadius = 30
const readTimes = 4

function weighed(
  messages: readonly Message[],
  { weights }: Hits,
  { before }: Sought,
): readonly ChosenPiece[] {
  const pieces: Omit<ChosenPiece, 'worth'>[] = []
  const [found, places]: [number[], number[]] = [[], []]
  let place = 0
  let last: Message | null = null
  for (const message of messages) {
    if (last !== null && !continues(last, message)) place += reach.farWords * unrelated
    last = message
    for (const [part, { from, to }] of piecesOf(message).ranges.entries()) {
      const words = (to - from) / charactersPerWord
      pieces.push({ message, from, to })
      found.push(weights.get(pieceKey(message.seq, part)) ?? 0)
      places.push(place + words / 2)
      place += words
    }
  }
  const worths = smoothed(found, places)
  return pieces.map((piece, index) => {
    const gain = 1 + newestGain * (piece.message.seq / Math.max(1, before))
    return { ...piece, worth: (worths[index] ?? 0) * gain }
  })
}

const charactersPerWord = 6
const unrelated = 20
/** Prefers the later of two equally relevant pieces. */
const newestGain = 0.1

/** A long pause ends an exchange. */
function continues(last: Message, next: Message): boolean {
  return next.seq === last.seq + 1 && Math.abs(next.createdAt - last.createdAt) < pauseMs
}

const pauseMs = 3_600_000

function chosen(
  pieces: readonly ChosenPiece[],
  { before, tokens, isUnasked, count }: Sought,
): readonly ChosenPiece[] {
  const order = [...pieces.entries()].sort(([, left], [, right]) => right.worth - left.worth)
  const best = order[0]?.[1].worth ?? 0
  const taken = new Set<number>()
  const seen: ReadonlySet<string>[] = []
  const headTokens = count(`${headOf({ from: before - 1, to: before + 1 }, anyTime)}\n\n`)
  const joins = (index: number, other: number) =>
    taken.has(other) && isBeside(pieces[index], pieces[other])
  let room = tokens
  for (const [index, piece] of order) {
    if (piece.worth <= best * (isUnasked ? leastWorth : leastFound)) break
    // Counting is slow, and a piece that is much too long needs no count.
    if (piece.to - piece.from > room * mostPerToken) continue
    const text = pieceText(piece)
    const besides = Number(joins(index, index - 1)) + Number(joins(index, index + 1))
    const line = count(`${beginning(piece)}${text}`) + lineTokens
    // A piece that joins two ranges saves one head.
    const cost = line + (1 - besides) * headTokens
    if (cost > room) continue
    if (isRepeated(text, seen)) continue
    taken.add(index)
    room -= cost
    if (room < lineTokens) break
  }
  return [...taken].sort((left, right) => left - right).flatMap((index) => pieces[index] ?? [])
}

// All dates have the same length.
const anyTime = Date.UTC(2026, 0, 1)

/** Automatic recall may insert a whole range; a search returns only the best places. */
const leastWorth = 0.08
const leastFound = 0.4
/** Nearly all texts have fewer characters per token. */
const mostPerToken = 6
// The end of the line.
const lineTokens = 1

/** Nearly the same words, as when a file is read again. Short texts may repeat. */
function isRepeated(text: string, seen: ReadonlySet<string>[]): boolean {
  const terms = new Set(termsOf(text))
  if (terms.size < fewTerms) return false
  const isSame = seen.some((other) => {
    const most = Math.max(other.size, terms.size)
    if (Math.min(other.size, terms.size) < most * sameShare) return false
    return terms.intersection(other).size >= most * sameShare
  })
  if (!isSame) seen.push(terms)
  return isSame
}

const fewTerms = 12
const sameShare = 0.9
