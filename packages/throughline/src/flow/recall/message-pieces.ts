/** Splits messages into redacted pieces for search, without reasoning and the calls of our own tools. */
import { defaults } from '../../defaults-data.ts'
import { type Message, type Part, textsOfOutput } from '../../domain/message.ts'
import { recallToolDescriptions } from '../../domain/recall-tools-data.ts'
import { type IndexedPiece, maxParts } from '../../domain/search-index.ts'
import type { Span } from '../../domain/span.ts'
import { TermIndex } from '../../extract/term-index.ts'
import { searchedNames, termsOf } from '../../extract/terms.ts'
import { splitPieces, type TextRange } from '../../extract/text-cuts.ts'
import type { LogReader, Meaning, Recaller } from '../read/readers.ts'
import { redactLogMessage } from '../redact/redact-message.ts'
import { createBoundedCache, getOrMake } from '../text/bounded-cache.ts'
import { ownTitles } from '../text/page-text.ts'
import { textOfParts } from '../text/readable-text.ts'
import { dayTerm, months, weekdays } from './asked-dates.ts'

type MessagePieces = { readonly text: string; readonly ranges: readonly TextRange[] }

export function piecesOf(message: Message): MessagePieces {
  return getOrMake(piecesByMessage, message, () => {
    const { parts } = redactLogMessage(message).message
    const text = textOfParts(parts.filter(isSearched)).toWellFormed()
    return { text, ranges: splitPieces(text, { characters: pieceCharacters, pieces: maxParts }) }
  })
}

// A message is split twice: for the index, and when it is found.
const piecesByMessage = new WeakMap<Message, MessagePieces>()

/** Calls and results of our own tools repeat other messages, so they are not searched. */
function isSearched(part: Part): boolean {
  if (part.type === 'reasoning') return false
  if (part.type === 'tool-call') return !Object.hasOwn(recallToolDescriptions, part.name)
  if (part.type !== 'tool-result') return true
  const ownStarts = Object.values(ownTitles).map((title) => `[${title} · data`)
  return !textsOfOutput(part.output).some((text) => ownStarts.some((own) => text.startsWith(own)))
}

/** About two hundred words: one topic, and small enough to be recalled alone. */
const pieceCharacters = 1_200

export function indexedPieces(message: Message): readonly IndexedPiece[] {
  return [...eachIndexedPiece(message)]
}

/** For callers that pause: a megabyte has hundreds. */
export function* eachIndexedPiece(message: Message): Iterable<IndexedPiece> {
  const { text, ranges } = piecesOf(message)
  const context = contextTerms(message)
  for (const [part, { from, to }] of ranges.entries()) {
    const piece = text.slice(from, to)
    const words = termsOf(piece)
    const terms = [...new Set([...words, ...context])]
    yield { seq: message.seq, part, terms, names: searchedNames(piece), length: words.length }
  }
}

/** Author, tools and date, because people ask for them. */
function contextTerms({ author, createdAt, parts }: Message): readonly string[] {
  const tools = parts.flatMap((part) =>
    part.type === 'tool-call' || part.type === 'tool-result' ? [part.name ?? ''] : [],
  )
  return termsOf([author ?? '', ...tools, dateWords(createdAt)].join(' '))
}

/** `2026-03-05 20260305 March Thursday`: each word can be searched, and the day as one. */
function dateWords(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  const iso = date.toISOString().slice(0, 10)
  return `${iso} ${dayTerm(iso)} ${months[date.getUTCMonth()]} ${weekdays[date.getUTCDay()]}`
}

/** An in-memory index of the newest messages, for logs without one; takes about a second at most. */
export interface LogScan {
  readonly index: TermIndex
  /** The newest part of the requested span; older messages were beyond the limits. */
  readonly span: Span
}

export async function scanLog(
  read: (span: Span) => Promise<readonly Message[]>,
  { from, to }: Span,
  maxCharacters: number = defaults.indexCharacters,
): Promise<LogScan> {
  const newestFirst: (readonly IndexedPiece[])[] = []
  const minFrom = Math.max(from, to - defaults.indexMessages)
  let [scannedFrom, characters] = [to, 0]
  while (scannedFrom > minFrom && characters < maxCharacters) {
    const page = { from: Math.max(minFrom, scannedFrom - pageMessages), to: scannedFrom }
    const messages = await read(page)
    for (const message of messages.toReversed()) {
      if (characters >= maxCharacters) break
      newestFirst.push(cachedPieces(message))
      characters += textOfParts(message.parts).length
      scannedFrom = message.seq
    }
    if (messages.length === 0) break
  }
  const index = new TermIndex()
  for (const pieces of newestFirst.toReversed()) index.add(pieces)
  return { index, span: { from: scannedFrom, to } }
}

const pageMessages = 64

const piecesByHash = createBoundedCache<readonly IndexedPiece[]>(defaults.indexMessages * 2)

/** The cache key includes author and date, because the same text may have another author or date. */
function cachedPieces(message: Message): readonly IndexedPiece[] {
  const { hashes, author, createdAt, seq } = message
  const key = JSON.stringify([hashes.content, hashes.canonical, author, createdAt])
  return piecesByHash.get(key, () => indexedPieces(message)).map((piece) => ({ ...piece, seq }))
}

/** Builds the index at the first query; most messages are in the cache. */
export function scanningRecaller(
  log: Pick<LogReader, 'head' | 'read'>,
  meaning: Meaning | null = null,
): Recaller {
  let scan: LogScan | null = null
  return {
    meaning,
    async find(query) {
      scan ??= await scanLog((span) => log.read(span, []), { from: 0, to: log.head })
      const to = Math.min(scan.span.from, query.before)
      return { ...scan.index.find(query), unsearched: to > 0 ? { from: 0, to } : null }
    },
  }
}
