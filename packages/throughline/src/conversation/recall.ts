import { defaults } from '../defaults-data.ts'
import { loadSummaryBefore } from '../derived/rows.ts'
import type { Seq } from '../domain/ids.ts'
import { type Origin, origins } from '../domain/message.ts'
import type { RecalledPiece } from '../domain/recall.ts'
import { anchorOf, wholeNumber } from '../domain/span.ts'
import { isSpoken } from '../domain/turn.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import { wordsOf } from '../flow/recall/asked-terms.ts'
import { createMeaning } from '../flow/recall/meaning.ts'
import { type RecallQuery, recall } from '../flow/recall/recall.ts'
import { recallEntries, recallSummary } from '../flow/recall/recall-known.ts'
import { rangesOf } from '../flow/recall/recalled-text.ts'
import type { Loaded } from '../ports/store.ts'
import { systemTimer } from '../system.ts'
import { recordExpanded } from './expand.ts'
import { readerOnce, storeRecaller } from './indexing.ts'
import type { Internals } from './runtime.ts'

/** The options of `chat.recall`. */
export interface RecallOptions {
  readonly limit?: number | undefined
  /** The token limit of all pieces together, by an upper estimate. */
  readonly tokens?: number | undefined
  /**
   * Whether to search the user's last message and later ones; true by default. A model that
   * searches for an answer needs only messages before the question.
   */
  readonly currentTurn?: boolean | undefined
  /** Only messages that contain words of this origin, such as `person`; all by default. */
  readonly origin?: Origin | undefined
}

export async function recallIn(chat: Internals, query: string, options: RecallOptions) {
  if (typeof query !== 'string') throw invalidOption('recall: the query must be text')
  const asked = checkOptions(options, ['limit', 'tokens', 'currentTurn', 'origin'], 'recall')
  const limit = wholeNumber(asked.limit ?? defaults.recallPieces)
  const { currentTurn = true, origin = null } = asked
  if (origin !== null && !origins.includes(origin))
    throw invalidOption(`recall: origin must be one of ${origins.join(', ')}`)
  if (typeof currentTurn !== 'boolean')
    throw invalidOption('recall: currentTurn must be true or false')
  const tokens = wholeNumber(asked.tokens ?? defaults.recallTokens)
  const loaded = await chat.store.load({ id: chat.id })
  if (loaded === null) return { query, pieces: [], unsearched: null }
  const { head } = loaded.conversation
  const before = currentTurn ? head : await lastUserSeq(chat, head)
  const { text: count } = await chat.runtime.estimate()
  const searching = recallMessages(chat, {
    question: query,
    at: chat.runtime.now(),
    earlier: '',
    before,
    isHidden: () => true,
    isAutomatic: false,
    origin,
    tokens,
    roomTokens: tokens,
    count,
  })
  // Entries and summaries are words of ours.
  const [matches, known] = await Promise.all([
    searching,
    origin === null ? recallKnown(chat, query, loaded) : [],
  ])
  const pieces = [...known, ...matches.pieces].sort((left, right) => right.score - left.score)
  const found = withinTokens(pieces.slice(0, limit), tokens, count)
  const messageSpans = found.flatMap(({ kind, span }) => (kind === 'messages' ? [span] : []))
  recordExpanded(chat, messageSpans)
  return { query, pieces: found, unsearched: matches.unsearched }
}

/** The place of the user's last message; the end of the log where there has been none for long. */
async function lastUserSeq({ store, id }: Internals, head: Seq): Promise<Seq> {
  const newest = (await store.read({ id, before: head, limit: newestMessages })) ?? []
  return newest.findLast(isSpoken)?.seq ?? head
}

const newestMessages = 200

async function recallMessages(chat: Internals, query: RecallQuery) {
  const { settings, indexing, reportEvent, now } = chat.runtime
  const read = readerOnce(chat)
  const meaning = createMeaning(settings.embedder, systemTimer)
  const recaller = storeRecaller(chat, { indexing, meaning, read })
  const found = await recall(recaller, { read }, query)
  for (const warning of meaning?.warnings() ?? [])
    reportEvent({ kind: 'recall-warning', warning, at: now() }, chat.id)
  const ranges = rangesOf(found.pieces)
  const bestWorth = ranges.reduce((max, { worth }) => Math.max(max, worth), 0)
  const pieces = ranges.map(({ span, at, text, worth, origins: ofPiece, foundBy }) => ({
    kind: 'messages' as const,
    anchor: anchorOf(span),
    span,
    at,
    text,
    score: worth / bestWorth,
    origins: ofPiece,
    foundBy,
  }))
  return { pieces, unsearched: found.unsearched }
}

/** Matches in the ledger and the summary; a fact that matches ranks before its source message. */
async function recallKnown(chat: Internals, question: string, loaded: Loaded) {
  const terms = wordsOf(question)
  if (terms.length === 0) return []
  const ledger = await chat.runtime.ledgers(chat, loaded).newest()
  const { head } = loaded.conversation
  const summary = await loadSummaryBefore(chat.store, { id: chat.id, place: head })
  return [
    ...(ledger === null ? [] : recallEntries(ledger, terms, maxEntries)),
    ...(summary === null ? [] : recallSummary(summary, terms, 1)),
  ]
}

const maxEntries = 3

function withinTokens(
  pieces: readonly RecalledPiece[],
  tokens: number,
  count: (text: string) => number,
): readonly RecalledPiece[] {
  let left = tokens
  return pieces.filter(({ text }) => {
    const cost = count(text)
    if (cost > left) return false
    left -= cost
    return true
  })
}
