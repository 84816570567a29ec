import { defaults } from '../../defaults-data.ts'
import type { Seq } from '../../domain/ids.ts'
import type { FactTrust, Ledger, MessageFacts } from '../../domain/ledger.ts'
import type { Message } from '../../domain/message.ts'
import type { FoundPieces, PieceQuery } from '../../domain/search-index.ts'
import type { Span } from '../../domain/span.ts'
import type { DigestRecord, SummaryRecord } from '../../domain/summary.ts'
import { getOrMake } from '../text/bounded-cache.ts'

export interface LogReader {
  readonly head: Seq
  /** How often messages of it were edited, removed or purged. */
  readonly rewrites: number
  /** Ascending. */
  readonly pins: readonly Seq[]
  read(span: Span, except: readonly Seq[]): Promise<readonly Message[]>
  readBack(before: Seq, limit: number): Promise<readonly Message[]>
  file(sha256: string): Promise<Uint8Array | null>
}

/** The messages of a span, page by page: a log may be too long to be read at once. */
export async function* readPages(
  log: Pick<LogReader, 'read'>,
  { from, to }: Span,
): AsyncGenerator<Message> {
  for (let at = from; at < to; at += defaults.pageMessages.value)
    yield* await log.read({ from: at, to: Math.min(to, at + defaults.pageMessages.value) }, [])
}

export async function readPins(log: LogReader): Promise<readonly Message[]> {
  const pages = await Promise.all(log.pins.map((seq) => log.read({ from: seq, to: seq + 1 }, [])))
  return pages.flat()
}

/** What is known of the messages before a line, wherever that is kept. */
export interface DerivedReader {
  ledger(): Promise<Ledger | null>
  /** The newest summary that covers messages before a place, and no others; null where there is none. */
  summaryBefore(place: Seq): Promise<SummaryRecord | null>
  /** Digests by models of messages that are too large to be shown. */
  digests(span: Span): Promise<readonly DigestRecord[]>
  /** Rows of messages before a place, newest first; of one trust where that is asked for. */
  rowsBefore(before: Seq, limit: number, trust: FactTrust | null): Promise<readonly MessageFacts[]>
}

/** For a log of which nothing is kept: everything is looked at again. */
export const noDerivedRows: DerivedReader = {
  ledger: async () => null,
  summaryBefore: async () => null,
  digests: async () => [],
  rowsBefore: async () => [],
}

/** Nothing is read twice. */
export function cacheReads(past: DerivedReader): DerivedReader {
  const pages = new Map<string, ReturnType<DerivedReader['rowsBefore']>>()
  const summaries = new Map<Seq, ReturnType<DerivedReader['summaryBefore']>>()
  let ledger: ReturnType<DerivedReader['ledger']> | null = null
  return {
    ledger: () => {
      ledger ??= past.ledger()
      return ledger
    },
    summaryBefore: (place) => getOrMake(summaries, place, () => past.summaryBefore(place)),
    digests: (span) => past.digests(span),
    rowsBefore: (before, limit, trust) =>
      getOrMake(pages, `${before} ${limit} ${trust}`, () => past.rowsBefore(before, limit, trust)),
  }
}

/** Which pieces of a log hold which terms, wherever the index is kept. */
export interface Recaller {
  /** Null where nothing can be searched. */
  find(query: PieceQuery): Promise<SearchedPieces | null>
}

export interface SearchedPieces extends FoundPieces {
  /** Messages before the place that were not searched; null where all of them were. */
  readonly unsearched: Span | null
}
