import type { Seq } from '../../domain/ids.ts'
import type { Message, Origin } from '../../domain/message.ts'
import { originsOf } from '../../domain/origin.ts'
import { type FoundPieces, pieceKey, seqOfPiece } from '../../domain/search-index.ts'
import { type Span, spansOf } from '../../domain/span.ts'
import { hasContentWords, searchedNames, searchedTerms, termsOf } from '../../extract/terms.ts'
import type { LogReader, Recaller, SearchedPieces } from '../read/readers.ts'
import { unsearchedText } from '../text/page-text.ts'
import { piecesOf } from './message-pieces.ts'
import { beginning, type ChosenPiece, headOf, isBeside, pieceText } from './recalled-text.ts'
import { type Hits, minDistinctive, reach, smoothed, weighHits } from './weigh-hits.ts'

export interface RecallQuery {
  readonly question: string
  readonly before: Seq
  readonly isHidden: (seq: Seq) => boolean
  /** For a question that hidden messages answer fully; less if they answer a part. */
  readonly tokens: number
  /** The limit in any case. */
  readonly roomTokens: number
  /** Not a search on request, so the user's message must contain distinctive words. */
  readonly isAutomatic: boolean
  /** Only messages with words of this origin; null for all. */
  readonly origin?: Origin | null | undefined
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
  query: RecallQuery,
): Promise<RecallResult> {
  const question = boundedQuestion(query.question)
  if (Math.min(query.tokens, query.roomTokens) < minTokens || query.before === 0) return nothing
  if (query.isAutomatic && !hasContentWords(question)) return nothing
  const terms = searchedTerms(question)
  const found = await search(recaller, terms, { ...query, question })
  if (found === null) return nothing
  const { unsearched } = found
  if (found.pieces === 0) return { pieces: [], unsearched }
  const hits = weighHits(found, query.before, terms.length)
  if (query.isAutomatic && hits.best < minDistinctive) return { pieces: [], unsearched }
  // A question about earlier messages repeats many of their words; other messages repeat few.
  const answered = (hits.answered - answeredShare.min) / (answeredShare.full - answeredShare.min)
  const share = query.isAutomatic ? Math.min(1, Math.max(0, answered)) : 1
  const noteTokens = unsearched === null ? 0 : query.count(unsearchedText(unsearched))
  const tokens = Math.min(query.roomTokens, query.tokens * share) - noteTokens
  if (tokens < minTokens) return { pieces: [], unsearched }
  const isHidden = await hiddenOfOrigin(log, hits, query)
  const messages: Message[] = []
  for (const span of spansAround(hits, found, { ...query, isHidden, tokens }))
    for (const message of await log.read(span, [])) messages.push(message)
  const pieces = weighPieces(messages, hits, query)
  return { pieces: choosePieces(pieces, { ...query, tokens }), unsearched }
}

const nothing: RecallResult = { pieces: [], unsearched: null }

/** A very long question is pasted text: its beginning and its end say what it asks for. */
export function boundedQuestion(question: string): string {
  if (question.length <= questionCharacters) return question
  const half = questionCharacters / 2
  return `${question.slice(0, half)} ${question.slice(-half)}`.toWellFormed()
}

const questionCharacters = 4_000

/** The share of a question's words around the best match: from `min` on recall gets room. */
const answeredShare = { min: 0.12, full: 0.3 } as const

/** With less room nothing useful could be shown. */
const minTokens = 60

async function search(
  recaller: Recaller,
  terms: readonly string[],
  { question, before }: RecallQuery,
): Promise<SearchedPieces | null> {
  const names = searchedNames(question).slice(0, maxNames)
  if (terms.length === 0 && names.length === 0) return null
  const wanted = { terms, partsOfNames: names, before }
  let found = await recaller.find({ ...wanted, most: maxPlaces })
  if (found === null) return null
  const areCommon = found.matches.every(({ places }) => places === null || places.keys.length === 0)
  if (areCommon && found.matches.some(({ count }) => count > 0))
    found = (await recaller.find({ ...wanted, most: Number.MAX_SAFE_INTEGER })) ?? found
  // A word without matches may be part of a name.
  const unknown = terms.filter(
    (term, index) => term.length >= 4 && found?.matches[index]?.count === 0,
  )
  if (unknown.length === 0) return found
  const partsOfNames = unknown.slice(0, maxNames)
  const parts = await recaller.find({ terms: [], partsOfNames, before, most: maxPlaces })
  return { ...found, matches: [...found.matches, ...(parts?.matches ?? [])] }
}

const maxNames = 8
/** A term in more pieces than that distinguishes little, so it is used only without others. */
const maxPlaces = 4_000

/** Whether a message may be found: with an origin, only a hit that contains its words. */
async function hiddenOfOrigin(
  log: Pick<LogReader, 'read'>,
  { ranked }: Hits,
  { isHidden, origin }: RecallQuery,
): Promise<RecallQuery['isHidden']> {
  if (!origin) return isHidden
  const best = new Set(ranked.slice(0, maxPlaces).map(seqOfPiece))
  const found = new Set<Seq>()
  for (const span of spansOf([...best].sort((left, right) => left - right)))
    for (const message of await log.read(span, []))
      if (originsOf(message).has(origin)) found.add(message.seq)
  return (seq) => isHidden(seq) && found.has(seq)
}

/** The messages around the best hits, in order; more than fit, so that the best can be chosen. */
function spansAround(
  { ranked }: Hits,
  { words }: FoundPieces,
  { before, isHidden, tokens }: RecallQuery,
): readonly Span[] {
  const wordsPerMessage = Math.max(1, words / before)
  const radius = Math.min(maxRadius, Math.max(1, Math.ceil(reach.farWords / wordsPerMessage)))
  const seqs = new Set<Seq>()
  for (const key of ranked) {
    if (seqs.size * wordsPerMessage > tokens * readFactor) break
    const seq = seqOfPiece(key)
    if (!isHidden(seq)) continue
    const last = Math.min(before - 1, seq + radius)
    for (let near = Math.max(0, seq - radius); near <= last; near += 1)
      if (isHidden(near)) seqs.add(near)
  }
  return spansOf([...seqs].sort((left, right) => left - right))
}

const maxRadius = 30
const readFactor = 4

function weighPieces(messages: readonly Message[], { weights }: Hits, { before }: RecallQuery) {
  const pieces: Omit<ChosenPiece, 'worth'>[] = []
  // The weight of each piece, and its place: the words before its middle.
  const [found, places]: [number[], number[]] = [[], []]
  let place = 0
  let last: Message | null = null
  for (const message of messages) {
    if (last !== null && !continues(last, message)) place += unrelatedWords
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
    const gain = 1 + maxRecencyGain * (piece.message.seq / Math.max(1, before))
    return { ...piece, worth: (worths[index] ?? 0) * gain }
  })
}

const charactersPerWord = 6
/** So far apart, hits do not add weight to each other. */
const unrelatedWords = reach.farWords * 20
/** Prefers the later of two equally relevant pieces. */
const maxRecencyGain = 0.1

/** A long pause ends an exchange. */
function continues(last: Message, next: Message): boolean {
  return next.seq === last.seq + 1 && Math.abs(next.createdAt - last.createdAt) < pauseMs
}

const pauseMs = 3_600_000

/** The pieces of most worth that fit, in the order of the log. */
function choosePieces(
  pieces: readonly ChosenPiece[],
  { before, tokens, isAutomatic, count }: RecallQuery,
): readonly ChosenPiece[] {
  const order = [...pieces.entries()].sort(([, left], [, right]) => right.worth - left.worth)
  const bestWorth = order[0]?.[1].worth ?? 0
  const minWorth = bestWorth * (isAutomatic ? minAutomaticShare : minSearchShare)
  const taken = new Set<number>()
  const seen: ReadonlySet<string>[] = []
  const headTokens = count(`${headOf({ from: before - 1, to: before + 1 }, anyTime)}\n\n`)
  const joins = (index: number, other: number) =>
    taken.has(other) && isBeside(pieces[index], pieces[other])
  let tokensLeft = tokens
  for (const [index, piece] of order) {
    if (piece.worth <= minWorth) break
    // Counting is slow, and a piece that is much too long needs no count.
    if (piece.to - piece.from > tokensLeft * maxCharactersPerToken) continue
    const text = pieceText(piece)
    const neighbours = Number(joins(index, index - 1)) + Number(joins(index, index + 1))
    const textTokens = count(`${beginning(piece)}${text}`) + lineEndTokens
    // A piece without a neighbour needs a head of its own; one between two ranges saves a head.
    const cost = textTokens + (1 - neighbours) * headTokens
    if (cost > tokensLeft) continue
    if (isRepeated(text, seen)) continue
    taken.add(index)
    tokensLeft -= cost
    if (tokensLeft < lineEndTokens) break
  }
  return [...taken].sort((left, right) => left - right).flatMap((index) => pieces[index] ?? [])
}

// All dates have the same length.
const anyTime = Date.UTC(2026, 0, 1)

/** Automatic recall may insert a whole range; a search returns only the best places. */
const minAutomaticShare = 0.08
const minSearchShare = 0.4
/** Nearly all texts have fewer characters per token. */
const maxCharactersPerToken = 6
const lineEndTokens = 1

/** Nearly the same words, as when a file is read again; otherwise adds the text to `seen`. */
function isRepeated(text: string, seen: ReadonlySet<string>[]): boolean {
  const terms = new Set(termsOf(text))
  // Short texts may repeat.
  if (terms.size < minComparedTerms) return false
  const isSame = seen.some((other) => {
    const minSame = Math.max(other.size, terms.size) * minSameShare
    if (Math.min(other.size, terms.size) < minSame) return false
    return terms.intersection(other).size >= minSame
  })
  if (!isSame) seen.push(terms)
  return isSame
}

const minComparedTerms = 12
const minSameShare = 0.9
