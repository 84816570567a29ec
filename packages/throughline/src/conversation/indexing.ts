/**
 * Indexes messages for search and extracts their facts in the background: after a request or a search,
 * and after an earlier process that did not finish. One job at a time works on a conversation.
 */
import { defaults } from '../defaults-data.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { IndexedPiece, PieceQuery } from '../domain/search-index.ts'
import type { Span } from '../domain/span.ts'
import { joinFound } from '../extract/term-index.ts'
import type { Recaller, SearchedPieces } from '../flow/read/readers.ts'
import { eachIndexedPiece, type LogScan, scanLog } from '../flow/recall/message-pieces.ts'
import { textOfParts } from '../flow/text/readable-text.ts'
import type { StoredConversation, TenantStore } from '../ports/store.ts'
import type { Timer } from '../ports/timer.ts'
import { nextTurn } from '../system.ts'
import { createBackground, type Later, type Pause } from './background.ts'
import type { FactsCache } from './facts-cache.ts'
import { MessageCache, withMissing } from './message-cache.ts'

export interface Indexing {
  /** Indexes up to this place, after the request. */
  add(store: TenantStore, id: ConversationId, to: Seq): void
  /** Prepares a compaction: extracts facts, and indexes messages if recall will search them. */
  prepare(store: TenantStore, id: ConversationId, indexTo: Seq | null): void
  /** Adds missing vectors of pieces. */
  embed(chat: StoredConversation, work: (pause: Pause) => Promise<void>): void
  /** Indexes conversations that have more unindexed messages than a search would index. */
  resume(store: TenantStore): void
  settled(): Promise<void>
  /** Ends resumed work at once, because the next process resumes it. */
  close(drainMs: number): Promise<void>
}

/** `laterIfAlive` is `later` without keeping the process alive. */
export function createIndexing({
  later,
  laterIfAlive,
  timer,
  now,
  factRows,
}: Record<'later' | 'laterIfAlive', Later> & {
  readonly timer: Timer
  readonly now: () => number
  readonly factRows: FactsCache
}): Indexing {
  const requested = createBackground({ later, laterAwaited: later, timer })
  const resumed = createBackground({ later: laterIfAlive, laterAwaited: later, timer })
  const busy = new WeakMap<TenantStore, Set<ConversationId>>()
  /** False where another job indexes the conversation. */
  const claim = (store: TenantStore, id: ConversationId) => {
    const ids = busy.get(store) ?? new Set()
    busy.set(store, ids)
    if (ids.has(id)) return false
    ids.add(id)
    return true
  }
  const indexTo = async (store: TenantStore, id: ConversationId, to: Seq, pause: Pause) => {
    const from = await indexEnd(store, id)
    if (from !== null) await indexSpan({ store, id }, { from, to }, { pause })
  }
  const release = (store: TenantStore, id: ConversationId) => {
    busy.get(store)?.delete(id)
  }
  const runAlone = (
    store: TenantStore,
    id: ConversationId,
    work: (pause: Pause) => Promise<void>,
  ) => {
    if (claim(store, id)) requested.run((pause) => work(pause).finally(() => release(store, id)))
  }
  return {
    add: (store, id, to) => runAlone(store, id, (pause) => indexTo(store, id, to, pause)),
    prepare: (store, id, to) =>
      runAlone(store, id, async (pause) => {
        const { extractAhead } = await import('./extract-ahead.ts')
        await extractAhead({ store, id }, { factRows, pause, now })
        if (to !== null) await indexTo(store, id, to, pause)
      }),
    embed: ({ store, id }, work) => runAlone(store, id, work),
    resume: (store) =>
      resumed.run(async (pause) => {
        for await (const { id, head } of longConversations(store, pause)) {
          const end = await indexEnd(store, id)
          if (end === null || head - end <= defaults.indexMessages) continue
          if (claim(store, id))
            await indexTo(store, id, head, pause).finally(() => release(store, id))
        }
      }),
    settled: async () => {
      await requested.settled()
      await resumed.settled()
    },
    close: async (drainMs) => {
      await Promise.all([requested.close(drainMs), resumed.close(0)])
    },
  }
}

async function* longConversations(store: TenantStore, pause: Pause) {
  const limit = defaults.pageConversations
  for (let after: ConversationId | null = null; ; ) {
    const page = await store.list({ by: 'id', after, limit, parent: null })
    for (const { conversation } of page)
      if (conversation.head > defaults.indexMessages) yield conversation
    after = page.at(-1)?.conversation.id ?? null
    if (page.length < limit) return
    await pause()
  }
}

/** Null where there is no such conversation. */
async function indexEnd(store: TenantStore, id: ConversationId): Promise<Seq | null> {
  const emptyQuery = { id, terms: [], partsOfNames: [], before: 0, most: 0 }
  return (await store.search(emptyQuery))?.indexedTo ?? null
}

export type ReadSpan = (span: Span) => Promise<readonly Message[]>

interface IndexLimits {
  /** By default from the store; a request passes its own, which has many messages cached. */
  readonly read?: ReadSpan | undefined
  /** Stops after messages of so many characters. */
  readonly characters?: number
  readonly pause: Pause
}

export async function indexSpan(
  { store, id }: StoredConversation,
  span: Span,
  { characters, pause, read = readerOf({ store, id }) }: IndexLimits,
): Promise<void> {
  let charactersLeft = characters ?? Number.POSITIVE_INFINITY
  let page = pageMessages
  for (let from = span.from; from < span.to && charactersLeft > 0; ) {
    const messages = await read({ from, to: Math.min(span.to, from + page) })
    const slice = sliceOf(messages)
    page = slice.messages.length < messages.length ? slice.messages.length : pageMessages
    charactersLeft -= slice.characters
    const last = slice.messages.at(-1)
    if (last === undefined) return
    const pieces = await piecesWithPauses(slice.messages, pause)
    // A very large message takes as long to write as to analyse.
    if (slice.characters >= sliceCharacters) await pause()
    const command = { id, from, to: last.seq + 1, chain: last.hashes.chain, pieces }
    const outcome = await store.index(command)
    if (outcome.kind === 'not-found') return
    // Another process may have indexed some messages, or the conversation was replaced.
    if (outcome.kind === 'moved' && outcome.indexedTo <= from) return
    from = outcome.kind === 'moved' ? outcome.indexedTo : last.seq + 1
    if (from < span.to) await pause()
  }
}

/** Pauses inside a large message. */
async function piecesWithPauses(messages: readonly Message[], pause: Pause) {
  const all: IndexedPiece[] = []
  for (const message of messages)
    for (const piece of eachIndexedPiece(message)) {
      all.push(piece)
      if (piece.part > 0 && piece.part % piecesAtOnce === 0) await pause()
    }
  return all
}

/** They take some milliseconds. */
const piecesAtOnce = 100

function readerOf({ store, id }: StoredConversation): ReadSpan {
  return async (span) => (await store.read({ id, span })) ?? []
}

/** For one search, which indexes messages and then shows them: each message is read once. */
export function readerOnce(chat: StoredConversation): ReadSpan {
  const known = new MessageCache()
  const read = readerOf(chat)
  return (span) => withMissing(known, { span, except: [], read })
}

/** Analysed between two pauses: takes some milliseconds. */
const pageMessages = 64
const sliceCharacters = 256_000

/** The first messages, at least one, up to a number of characters. */
function sliceOf(messages: readonly Message[]) {
  let characters = 0
  const isOver = ({ parts }: Message) => {
    const isFull = characters >= sliceCharacters
    characters += isFull ? 0 : textOfParts(parts).length
    return isFull
  }
  const end = messages.findIndex(isOver)
  return { messages: end === -1 ? messages : messages.slice(0, end), characters }
}

interface RecallerOptions extends Pick<Recaller, 'meaning'> {
  readonly indexing: Indexing | null
  readonly read?: ReadSpan
  /** What is indexed or searched at once of a gap in the index; the background does the rest. */
  readonly atOnce?: IndexedAtOnce
}

interface IndexedAtOnce {
  /** A gap of more messages is only searched. */
  readonly messages: number
  readonly characters: number
}

/** A program that searches can wait for a second; a request cannot. */
const recalledAtOnce = {
  messages: defaults.indexMessages,
  characters: defaults.indexCharacters,
}
export const requestedAtOnce = { messages: 400, characters: defaults.requestCharacters }

/** Searches the index and the messages after it. Without `indexing` it writes nothing. */
export function storeRecaller(
  { store, id }: StoredConversation,
  { indexing, meaning, read = readerOf({ store, id }), atOnce = recalledAtOnce }: RecallerOptions,
): Recaller {
  const { messages, characters } = atOnce
  const scan = gapScanner({ store, id }, characters)
  return {
    meaning,
    async nearest(question, before) {
      if (meaning === null || store.vectors === undefined) return null
      const { embedMissing, nearestPieces } = await import('./stored-vectors.ts')
      const near = await nearestPieces({ store, id }, meaning, { question, before })
      if (near?.isComplete === false)
        indexing?.embed({ store, id }, (pause) =>
          embedMissing({ store, id }, meaning, { question, before, pause }),
        )
      return near
    },
    async find(query) {
      let found = await store.search({ id, ...query })
      if (indexing !== null && found !== null && found.indexedTo < query.before) {
        const span = { from: found.indexedTo, to: query.before }
        if (span.to - span.from <= messages) {
          await indexSpan({ store, id }, span, { characters, pause: nextTurn, read })
          found = (await store.search({ id, ...query })) ?? found
        }
        if (found.indexedTo < query.before) indexing.add(store, id, query.before)
      }
      if (found === null || found.indexedTo >= query.before)
        return found && { ...found, unsearched: null }
      return scan(query, found.indexedTo)
    },
  }
}

/** Caches scans: one request searches several times, and before different places. */
function gapScanner({ store, id }: StoredConversation, maxCharacters: number) {
  const read = readerOf({ store, id })
  /** In the order of the log, without gaps. */
  let scans: readonly LogScan[] = []
  return async (query: PieceQuery, indexedTo: Seq): Promise<SearchedPieces | null> => {
    if ((scans.at(-1)?.span.to ?? 0) < query.before) scans = []
    const to = scans[0]?.span.from ?? query.before
    const from = Math.max(indexedTo, query.before - defaults.indexMessages)
    if (to > from) scans = [await scanLog(read, { from, to }, maxCharacters), ...scans]
    const scannedFrom = Math.min(query.before, scans[0]?.span.from ?? query.before)
    const indexed = await store.search({ id, ...query, before: scannedFrom })
    if (indexed === null) return null
    const scanned = scans.map(({ index }) => index.find(query))
    const unsearched = { from: Math.min(indexed.indexedTo, scannedFrom), to: scannedFrom }
    return {
      ...joinFound([indexed, ...scanned], query),
      unsearched: unsearched.from < unsearched.to ? unsearched : null,
    }
  }
}
