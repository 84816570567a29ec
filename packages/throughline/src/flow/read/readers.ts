/** What the stages of the flow read: the log, rows derived from it, and its search index. */
import { defaults } from '../../defaults-data.ts'
import type { ContextWarning } from '../../domain/context.ts'
import type { Seq } from '../../domain/ids.ts'
import type { FactTrust, Ledger, MessageFacts } from '../../domain/ledger.ts'
import type { Message } from '../../domain/message.ts'
import type { FoundPieces, PieceKey, PieceQuery } from '../../domain/search-index.ts'
import type { Span } from '../../domain/span.ts'
import type { DigestRecord, SummaryRecord } from '../../domain/summary.ts'
import { getOrMake } from '../text/bounded-cache.ts'

export interface LogReader {
  readonly head: Seq
  /** How often messages were edited, removed or purged. */
  readonly rewrites: number
  /** Ascending. */
  readonly pins: readonly Seq[]
  read(span: Span, except: readonly Seq[]): Promise<readonly Message[]>
  readBack(before: Seq, limit: number): Promise<readonly Message[]>
  file(sha256: string): Promise<Uint8Array | null>
}

/** Reads a span page by page, because a log may be too long for memory. */
export async function* readPages(
  log: Pick<LogReader, 'read'>,
  { from, to }: Span,
): AsyncGenerator<Message> {
  for (let at = from; at < to; at += defaults.pageMessages)
    yield* await log.read({ from: at, to: Math.min(to, at + defaults.pageMessages) }, [])
}

export async function readPins(log: LogReader): Promise<readonly Message[]> {
  const pages = await Promise.all(log.pins.map((seq) => log.read({ from: seq, to: seq + 1 }, [])))
  return pages.flat()
}

/** Reads what was derived from the log: ledger, summaries, digests and facts. */
export interface DerivedReader {
  ledger(): Promise<Ledger | null>
  /** The newest summary that covers only messages before a position; null if there is none. */
  summaryBefore(before: Seq): Promise<SummaryRecord | null>
  /** Digests that a model wrote of messages that are too large to show. */
  digests(span: Span): Promise<readonly DigestRecord[]>
  /** Facts of messages before a position, newest first; only of one trust level if given. */
  rowsBefore(before: Seq, limit: number, trust: FactTrust | null): Promise<readonly MessageFacts[]>
  /** Facts of a span as far as they are extracted, in order. */
  rowsIn(span: Span): Promise<readonly MessageFacts[]>
  /** How many characters one request may analyse; the background does the rest. */
  readonly maxCharacters: number
}

/** For a log without derived rows: every fact is extracted again. */
export const noDerivedRows: DerivedReader = {
  ledger: async () => null,
  summaryBefore: async () => null,
  digests: async () => [],
  rowsBefore: async () => [],
  rowsIn: async () => [],
  maxCharacters: Number.POSITIVE_INFINITY,
}

/** Remembers results, so that one request reads no row twice. */
export function cacheReads(stored: DerivedReader): DerivedReader {
  const factPages = new Map<string, ReturnType<DerivedReader['rowsBefore']>>()
  const summaries = new Map<Seq, ReturnType<DerivedReader['summaryBefore']>>()
  let ledger: ReturnType<DerivedReader['ledger']> | null = null
  return {
    ledger: () => {
      ledger ??= stored.ledger()
      return ledger
    },
    summaryBefore: (before) => getOrMake(summaries, before, () => stored.summaryBefore(before)),
    digests: (span) => stored.digests(span),
    rowsIn: (span) => stored.rowsIn(span),
    maxCharacters: stored.maxCharacters,
    rowsBefore: (before, limit, trust) =>
      getOrMake(factPages, `${before} ${limit} ${trust}`, () =>
        stored.rowsBefore(before, limit, trust),
      ),
  }
}

/** Searches the index of a log. */
export interface Recaller {
  /** Null without an embedder. */
  readonly meaning: Meaning | null
  /** Null if there is nothing to search. */
  find(query: PieceQuery): Promise<SearchedPieces | null>
  /** By stored vectors; null where there are none. */
  nearest?(question: string, before: Seq): Promise<NearPieces | null>
}

/** The pieces whose meaning is nearest to a question, with their similarity. */
export interface NearPieces {
  readonly similarities: ReadonlyMap<PieceKey, number>
  /** Whether all pieces were compared; then the others are less similar. */
  readonly isComplete: boolean
}

/** Compares texts by their meaning. */
export interface Meaning {
  /** Names the model; null where its vectors must not be stored. */
  readonly model: string | null
  /** One from -1 to 1 for each text; null if the embedder failed. */
  similarities(question: string, texts: readonly string[]): Promise<readonly number[] | null>
  /** Of redacted texts, all of length 1; null if the embedder failed. */
  vectorsOf(texts: readonly string[]): Promise<readonly ArrayLike<number>[] | null>
  warnings(): readonly ContextWarning[]
}

export interface SearchedPieces extends FoundPieces {
  /** Messages that are not indexed yet and were not searched; null if all were searched. */
  readonly unsearched: Span | null
}
