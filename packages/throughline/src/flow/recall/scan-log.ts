/**
 * Searching messages that no store has indexed: an index in memory of the newest ones, within
 * limits that take about a second.
 */
import { defaults } from '../../defaults.ts'
import type { IndexedPiece } from '../../domain/indexed-piece.ts'
import type { Message } from '../../domain/message.ts'
import type { Span } from '../../domain/span.ts'
import { TermIndex } from '../../extract/term-index.ts'
import type { LogReader, Recaller } from '../read/readers.ts'
import { createBoundedCache } from '../text/bounded-cache.ts'
import { textOfParts } from '../text/message-text.ts'
import { indexedPieces } from './message-pieces.ts'

export interface LogScan {
  readonly index: TermIndex
  /** What of the span was read: its end, as far back as the limits allow. */
  readonly span: Span
}

export async function scanLog(
  read: (span: Span) => Promise<readonly Message[]>,
  { from, to }: Span,
): Promise<LogScan> {
  const newestFirst: (readonly IndexedPiece[])[] = []
  const least = Math.max(from, to - defaults.indexMessages.value)
  let [scannedFrom, characters] = [to, 0]
  while (scannedFrom > least && characters < defaults.indexCharacters.value) {
    const page = { from: Math.max(least, scannedFrom - pageMessages), to: scannedFrom }
    const messages = await read(page)
    for (const message of messages.toReversed()) {
      if (characters >= defaults.indexCharacters.value) break
      newestFirst.push(analysed(message))
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

const known = createBoundedCache<readonly IndexedPiece[]>(defaults.indexMessages.value * 2)

/** By all that is analysed, because the same words may be another's, or of another day. */
function analysed(message: Message): readonly IndexedPiece[] {
  const { hashes, author, createdAt, seq } = message
  const key = JSON.stringify([hashes.content, hashes.canonical, author, createdAt])
  return known.get(key, () => indexedPieces(message)).map((piece) => ({ ...piece, seq }))
}

/**
 * What is searched of messages that the caller keeps: an index made when somebody asks, of
 * messages that mostly were analysed before.
 */
export function arrayRecaller(log: Pick<LogReader, 'head' | 'read'>): Recaller {
  let scan: LogScan | null = null
  return {
    async find(query) {
      scan ??= await scanLog((span) => log.read(span, []), { from: 0, to: log.head })
      const to = Math.min(scan.span.from, query.before)
      return { ...scan.index.find(query), unsearched: to > 0 ? { from: 0, to } : null }
    },
  }
}
