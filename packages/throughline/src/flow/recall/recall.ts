import type { Seq } from '../../domain/ids.ts'
import type { Message, Origin } from '../../domain/message.ts'
import type { FoundBy } from '../../domain/recall.ts'
import { type FoundPieces, maxParts, pieceKey, seqOfPiece } from '../../domain/search-index.ts'
import { anchorOf, type Span, spansOf } from '../../domain/span.ts'
import { originsOf } from '../../domain/typed-in.ts'
import { termsOf } from '../../extract/terms.ts'
import { splitPieces, type TextRange } from '../../extract/text-cuts.ts'
import type { LogReader, Meaning, NearPieces, Recaller, SearchedPieces } from '../read/readers.ts'
import { unsearchedText } from '../text/page-text.ts'
import { type Asked, type AskedTerm, askedTerms, maxNames } from './asked-terms.ts'
import { piecesOf } from './message-pieces.ts'
import {
  beginning,
  type ChosenPiece,
  headOf,
  isBeside,
  noReason,
  pieceText,
} from './recalled-text.ts'
import { type Hits, minDistinctive, reach, smoothed, weighHits } from './weigh-hits.ts'

export interface RecallQuery {
  readonly question: string
  /** When it was asked: "yesterday" is a day before. */
  readonly at: number
  /** The user's previous message, which a follow-up refers to; empty for a search on request. */
  readonly earlier: string
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
  if (Math.min(query.tokens, query.roomTokens) < minTokens || query.before === 0) return nothing
  const asked = askedTerms(query.question, query.at, query.earlier)
  if (query.isAutomatic && !asked.isAbout) return nothing
  const found = await search(recaller, asked, query.before)
  if (found === null) return nothing
  const { unsearched } = found
  if (found.pieces === 0) return { pieces: [], unsearched }
  const factors = asked.terms.map(({ factor }) => factor)
  const hits = weighHits(found, query.before, factors)
  if (query.isAutomatic && hits.best < minDistinctive) return { pieces: [], unsearched }
  // A question about earlier messages repeats many of their words; other messages repeat few.
  const answered = (hits.answered - answeredShare.min) / (answeredShare.full - answeredShare.min)
  const share = query.isAutomatic ? Math.min(1, Math.max(0, answered)) : 1
  const noteTokens = unsearched === null ? 0 : query.count(unsearchedText(unsearched))
  const tokens = Math.min(query.roomTokens, query.tokens * share) - noteTokens
  if (tokens < minTokens) return { pieces: [], unsearched }
  const isHidden = await hiddenOfOrigin(log, hits, query)
  const messages: Message[] = []
  const { meaning } = recaller
  const near = (await recaller.nearest?.(asked.question, query.before)) ?? null
  const minHits = meaning === null ? 0 : maxCompared
  for (const span of spansAround(hits, found, { ...query, isHidden, tokens, near }, minHits))
    for (const message of await log.read(span, [])) messages.push(message)
  const byWords = weighPieces(messages, hits, query)
  const { question } = asked
  const pieces = meaning === null ? byWords : await byMeaning(meaning, { question, near }, byWords)
  const chosen = choosePieces(pieces, { ...query, tokens }, asked.terms)
  return { pieces: withReasons(chosen, pieces, found, hits), unsearched }
}

const nothing: RecallResult = { pieces: [], unsearched: null }

/** The share of a question's words around the best match: from `min` on recall gets room. */
const answeredShare = { min: 0.12, full: 0.3 } as const

/** With less room nothing useful could be shown. */
const minTokens = 60

interface Found extends SearchedPieces {
  /** What each match was searched by. */
  readonly labels: readonly (readonly ['words' | 'names', string])[]
}

async function search(recaller: Recaller, asked: Asked, before: Seq): Promise<Found | null> {
  const { names } = asked
  const terms = asked.terms.map(({ term }) => term)
  if (terms.length === 0 && names.length === 0) return null
  const wanted = { terms, partsOfNames: names, before }
  let found = await recaller.find({ ...wanted, most: maxPlaces })
  if (found === null) return null
  const areCommon = found.matches.every(({ keys }) => keys === null || keys.length === 0)
  if (areCommon && found.matches.some(({ count }) => count > 0))
    found = (await recaller.find({ ...wanted, most: Number.MAX_SAFE_INTEGER })) ?? found
  // A word without matches may be part of a name.
  const unknown = asked.terms
    .filter(({ term }, index) => term.length >= 4 && found?.matches[index]?.count === 0)
    .slice(0, maxNames)
  const labels = [
    ...asked.terms.map(({ word }) => ['words', word] as const),
    ...names.map((name) => ['names', name] as const),
    ...unknown.map(({ word }) => ['names', word] as const),
  ]
  if (unknown.length === 0) return { ...found, labels }
  const partsOfNames = unknown.map(({ term }) => term)
  const parts = await recaller.find({ terms: [], partsOfNames, before, most: maxPlaces })
  return { ...found, labels, matches: [...found.matches, ...(parts?.matches ?? [])] }
}

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
  { before, isHidden, tokens, near }: RecallQuery & { readonly near: NearPieces | null },
  minHits: number,
): readonly Span[] {
  const wordsPerMessage = Math.max(1, words / before)
  const radius = Math.min(maxRadius, Math.max(1, Math.ceil(reach.farWords / wordsPerMessage)))
  const seqs = new Set<Seq>()
  let hits = 0
  for (const key of ranked) {
    if (hits >= minHits && seqs.size * wordsPerMessage > tokens * readFactor) break
    const seq = seqOfPiece(key)
    if (!isHidden(seq)) continue
    hits += 1
    const last = Math.min(before - 1, seq + radius)
    for (let near = Math.max(0, seq - radius); near <= last; near += 1)
      if (isHidden(near)) seqs.add(near)
  }
  for (const key of [...(near?.similarities.keys() ?? [])].slice(0, maxNear))
    if (isHidden(seqOfPiece(key))) seqs.add(seqOfPiece(key))
  return spansOf([...seqs].sort((left, right) => left - right))
}

/** So many pieces without any word of the question may be recalled for their meaning. */
const maxNear = 10
const maxRadius = 30
const readFactor = 4

function weighPieces(messages: readonly Message[], { weightOf }: Hits, { before }: RecallQuery) {
  const pieces: Omit<ChosenPiece, 'worth' | keyof FoundBy>[] = []
  // The weight of each piece, and its place: the words before its middle.
  const [found, places]: [number[], number[]] = [[], []]
  let place = 0
  let last: Message | null = null
  for (const message of messages) {
    if (last !== null && !continues(last, message)) place += unrelatedWords
    last = message
    for (const [part, { from, to }] of piecesOf(message).ranges.entries()) {
      const words = (to - from) / charactersPerWord
      const key = pieceKey(message.seq, part)
      pieces.push({ message, key, from, to })
      found.push(weightOf(key))
      places.push(place + words / 2)
      place += words
    }
  }
  const worths = smoothed(found, places)
  return pieces.map((piece, index) => {
    const gain = 1 + maxRecencyGain * (piece.message.seq / Math.max(1, before))
    return { ...piece, ...noReason, worth: (worths[index] ?? 0) * gain }
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

/** Half of the worth of the best pieces is their similarity to the question. */
async function byMeaning(
  meaning: Meaning,
  { question, near }: { readonly question: string; readonly near: NearPieces | null },
  pieces: readonly ChosenPiece[],
): Promise<readonly ChosenPiece[]> {
  const order = [...pieces.entries()].filter(([, { worth }]) => worth > 0)
  order.sort(([, left], [, right]) => right.worth - left.worth)
  const others = [...pieces.entries()].filter(([, { worth }]) => worth === 0)
  const best = order.slice(0, maxCompared)
  best.push(...others.filter(([, { key }]) => near?.similarities.has(key)))
  const similarities =
    best.length < 2
      ? null
      : near?.isComplete
        ? storedSimilarities(near, best)
        : await meaning.similarities(
            question,
            best.map(([, piece]) => pieceText(piece)),
          )
  if (similarities === null) return pieces
  const sorted = similarities.toSorted((left, right) => left - right)
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)]
  // Where no piece has a word of the question, meaning alone decides.
  const bestWorth = best[0]?.[1].worth || 1
  const similarityOf = new Map(best.map(([index], rank) => [index, similarities[rank] ?? least]))
  return pieces.map((piece, index) => {
    const similarity = similarityOf.get(index) ?? null
    const share = ((similarity ?? least) - least) / Math.max(Number.EPSILON, most - least)
    const worth = (piece.worth + share * bestWorth) / 2
    return { ...piece, worth, meaning: similarity }
  })
}

const maxCompared = 200

/** A piece that is not among the nearest is at most as similar as the last of them. */
function storedSimilarities(
  { similarities }: NearPieces,
  pieces: readonly (readonly [number, ChosenPiece])[],
): readonly number[] {
  const least = Math.min(...similarities.values())
  return pieces.map(([, { key }]) => similarities.get(key) ?? least)
}

/** The pieces of most worth that fit, in the order of the log. */
function choosePieces(
  pieces: readonly ChosenPiece[],
  { before, tokens, isAutomatic, count }: RecallQuery,
  terms: readonly AskedTerm[],
): readonly ChosenPiece[] {
  const order = [...pieces.entries()].sort(([, left], [, right]) => right.worth - left.worth)
  const bestWorth = order[0]?.[1].worth ?? 0
  const minWorth = bestWorth * (isAutomatic ? minAutomaticShare : minSearchShare)
  const taken = new Set<number>()
  let tooLong: ChosenPiece | null = null
  const seen: ReadonlySet<string>[] = []
  const headTokens = count(`${headOf({ from: before - 1, to: before + 1 }, anyTime)}\n\n`)
  const joins = (index: number, other: number) =>
    taken.has(other) && isBeside(pieces[index], pieces[other])
  const textTokensOf = (piece: ChosenPiece) =>
    count(`${beginning(piece)}${pieceText(piece)}`) + lineEndTokens
  let tokensLeft = tokens
  for (const [index, piece] of order) {
    if (piece.worth <= minWorth) break
    const text = pieceText(piece)
    const neighbours = Number(joins(index, index - 1)) + Number(joins(index, index + 1))
    // Counting is slow, and a piece that is much too long needs no count.
    const textTokens =
      text.length > tokensLeft * maxCharactersPerToken
        ? Number.POSITIVE_INFINITY
        : textTokensOf(piece)
    // A piece without a neighbour needs a head of its own; one between two ranges saves a head.
    const cost = textTokens + (1 - neighbours) * headTokens
    if (cost > tokensLeft) {
      tooLong ??= piece
      continue
    }
    if (isRepeated(text, seen)) continue
    taken.add(index)
    tokensLeft -= cost
    if (tokensLeft < lineEndTokens) break
  }
  // In a small room, a part of the best piece is worth more than nothing.
  if (taken.size === 0 && tooLong !== null)
    return partWith(tooLong, terms, (part) => textTokensOf(part) + headTokens <= tokens)
  return [...taken].sort((left, right) => left - right).flatMap((index) => pieces[index] ?? [])
}

/** The part of a piece that fits and has most of the terms; none if it does not have any. */
function partWith(
  piece: ChosenPiece,
  terms: readonly AskedTerm[],
  fits: (part: ChosenPiece) => boolean,
): readonly ChosenPiece[] {
  const text = pieceText(piece)
  const matchesIn = ({ from, to }: TextRange) => {
    const termsInPart = new Set(termsOf(text.slice(from, to)))
    return terms.filter(({ term }) => termsInPart.has(term)).length
  }
  for (let characters = text.length / 2; characters >= minPartCharacters; characters /= 2) {
    const parts = splitPieces(text, { characters: Math.floor(characters), pieces: maxParts })
    const [best] = parts
      .map((part) => ({ ...part, matches: matchesIn(part) }))
      .sort((left, right) => right.matches - left.matches)
    if (best === undefined || best.matches === 0) return []
    const part = { ...piece, from: piece.from + best.from, to: piece.from + best.to }
    if (fits(part)) return [part]
  }
  return []
}

const minPartCharacters = 40

/** Adds the words that each piece matches, or else the nearest matches. */
function withReasons(
  chosen: readonly ChosenPiece[],
  all: readonly ChosenPiece[],
  { matches, labels }: Found,
  { weightOf }: Hits,
): readonly ChosenPiece[] {
  const reasons = new Map(chosen.map(({ key }) => [key, { words: [], names: [] } as MutableReason]))
  for (const [index, { keys }] of matches.entries()) {
    const label = labels[index]
    if (label) for (const key of keys ?? []) reasons.get(key)?.[label[0]].push(label[1])
  }
  return chosen.map((piece) => {
    if (weightOf(piece.key) > 0) return { ...piece, ...reasons.get(piece.key) }
    const at = all.findIndex(({ key }) => key === piece.key)
    const isMatch = ({ key }: ChosenPiece) => weightOf(key) > 0
    const near = [all.slice(0, at).findLast(isMatch), all.slice(at).find(isMatch)]
    return {
      ...piece,
      neighbours: near.flatMap((match) =>
        match ? anchorOf({ from: match.message.seq, to: match.message.seq + 1 }) : [],
      ),
    }
  })
}

type MutableReason = Record<'words' | 'names', string[]>

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
