/** Extracts redacted facts from messages up to a position, and folds them into the ledger. */
import { defaults } from '../../defaults-data.ts'
import type { Seq } from '../../domain/ids.ts'
import {
  emptyLedger,
  type Fact,
  type FactKind,
  type FactTrust,
  type Ledger,
  type MessageFacts,
} from '../../domain/ledger.ts'
import type { Message, ToolCallPart } from '../../domain/message.ts'
import type { Span } from '../../domain/span.ts'
import { isSpoken } from '../../domain/turn.ts'
import { factsOf } from '../../extract/message-facts.ts'
import { redactSecrets } from '../../extract/redact-secrets.ts'
import { type DerivedReader, type LogReader, readPages } from '../read/readers.ts'
import { type Redact, redactLogMessage, redactor } from '../redact/redact-message.ts'
import { textOfParts } from '../text/readable-text.ts'
import { foldLedger } from './fold-ledger.ts'

export interface HistoryFacts {
  /** Without the least salient entries, if it grew too large; the rows still have them. */
  readonly ledger: Ledger
  /** The rows that are new, in log order. */
  readonly rows: readonly MessageFacts[]
  readonly redacted: number
  /** Newest first, loaded page by page; `trust` filters them. */
  rowsBefore(before: Seq, trust?: FactTrust): AsyncIterable<MessageFacts>
}

/**
 * The facts of all messages before a position. Rows that are stored are read, also those that were
 * extracted in the background; only messages after them are analysed here. Of a log that was never
 * analysed, a request analyses the first and the newest messages, as much as its window can show, and
 * what people wrote between them; the background adds the others.
 */
export function factsExtractor(
  log: Pick<LogReader, 'read'>,
  /** Should cache its reads. */
  stored: Pick<DerivedReader, 'ledger' | 'rowsBefore' | 'rowsIn' | 'maxCharacters'>,
  /** Of the model: a small context shows little of what is extracted. */
  windowTokens: number = Number.POSITIVE_INFINITY,
): (to: Seq) => Promise<HistoryFacts> {
  let result: { readonly to: Seq; readonly facts: HistoryFacts } | null = null
  return async (to) => {
    if (result?.to === to) return result.facts
    const ledger = (await stored.ledger()) ?? emptyLedger
    const from = Math.max(ledger.to, to - defaults.historyMessageLimit)
    const known = await storedRows(stored, { from, to })
    const unread = { from: from + known.length, to }
    const newestFrom = await newestWithin(log, unread, charactersFor(windowTokens, stored))
    const isGap = newestFrom > unread.from
    const opening = isGap && unread.from === 0 ? Math.min(openingMessages, newestFrom) : 0
    const rows = [
      ...(await extractRows(log, { from: 0, to: opening })),
      ...(await extractSpoken(log, { from: Math.max(unread.from, opening), to: newestFrom })),
      ...(await extractRows(log, { from: newestFrom, to })),
    ]
    const all = [...known, ...rows]
    const folded = all.length === 0 ? ledger : foldLedger(ledger, all, to)
    const facts: HistoryFacts = {
      ledger: isGap ? { ...folded, from: newestFrom } : folded,
      rows,
      redacted: all.reduce((sum, { redacted = 0 }) => sum + redacted, 0),
      rowsBefore: (before, trust) => newestFirst(rows, stored, before, trust ?? null),
    }
    result = { to, facts }
    return facts
  }
}

function charactersFor(
  windowTokens: number,
  { maxCharacters }: Pick<DerivedReader, 'maxCharacters'>,
): number {
  // Without a background, the request analyses everything.
  if (maxCharacters === Number.POSITIVE_INFINITY) return maxCharacters
  return Math.min(maxCharacters, Math.max(minCharacters, windowTokens * charactersPerWindowToken))
}

const charactersPerWindowToken = 16
const minCharacters = 80_000

/** What the user wanted first is worth more than most of what follows. */
const openingMessages = 16

/** Where the newest messages of a span begin that have so many characters together. */
async function newestWithin(
  log: Pick<LogReader, 'read'>,
  { from, to }: Span,
  maxCharacters: number,
): Promise<Seq> {
  if (maxCharacters === Number.POSITIVE_INFINITY) return from
  let characters = 0
  for (let end = to; end > from; end -= pageMessages) {
    const page = await log.read({ from: Math.max(from, end - pageMessages), to: end }, [])
    for (const { seq, parts } of page.toReversed()) {
      characters += textOfParts(parts).length
      if (characters > maxCharacters) return Math.min(seq + 1, to - 1)
    }
  }
  return from
}

const pageMessages = 64

/** The stored rows of a span up to the first that is missing. */
async function storedRows(
  stored: Pick<DerivedReader, 'rowsIn'>,
  span: Span,
): Promise<readonly MessageFacts[]> {
  if (span.from >= span.to) return []
  const rows = await stored.rowsIn(span)
  const gap = rows.findIndex(({ seq }, index) => seq !== span.from + index)
  return gap === -1 ? rows : rows.slice(0, gap)
}

/** Extracts the facts of a span, without secrets. */
export async function extractRows(
  log: Pick<LogReader, 'read'>,
  { from, to }: Span,
): Promise<readonly MessageFacts[]> {
  const { rememberCalls, rowOf } = rowExtractor()
  const rows: MessageFacts[] = []
  for await (const original of readPages(log, { from, to })) {
    // A result says little without its call, which may be before the span.
    if (rows.length === 0 && original.role === 'tool' && from > 0)
      for (const earlier of await log.read(
        { from: Math.max(0, from - callDistance), to: from },
        [],
      ))
        rememberCalls(redactLogMessage(earlier).message)
    rows.push(rowOf(original))
  }
  return rows
}

/** The cheap pass over messages that the background will analyse: what people wrote. */
async function extractSpoken(
  log: Pick<LogReader, 'read'>,
  { from, to }: Span,
): Promise<readonly MessageFacts[]> {
  const { rowOf } = rowExtractor()
  const rows: MessageFacts[] = []
  const span = { from: Math.max(from, to - spokenMessages), to }
  let characters = 0
  for await (const message of readPages(log, span)) {
    if (!isSpoken(message)) continue
    characters += textOfParts(message.parts).length
    if (characters > spokenCharacters) break
    rows.push(rowOf(message))
  }
  return rows
}

const spokenMessages = 1_000
const spokenCharacters = 100_000

function rowExtractor() {
  const calls = new Map<string, ToolCallPart>()
  const { redact, count } = redactor()
  const rememberCalls = ({ parts }: Pick<Message, 'parts'>) => {
    for (const part of parts) if (part.type === 'tool-call') calls.set(part.callId, part)
  }
  return {
    rememberCalls,
    rowOf: (original: Message): MessageFacts => {
      const before = count()
      const { message, redacted } = redactLogMessage(original)
      rememberCalls(message)
      const row = redactedRow(factsOf(message, calls), redact)
      const secrets = redacted + count() - before
      return secrets === 0 ? row : { ...row, redacted: secrets }
    },
  }
}

/** A step rarely has more results. */
const callDistance = 16

const firstPageRows = 32

async function* newestFirst(
  rows: readonly MessageFacts[],
  stored: Pick<DerivedReader, 'rowsBefore'>,
  before: Seq,
  trust: FactTrust | null,
): AsyncGenerator<MessageFacts> {
  let reachedTo = before
  for (const row of rows.toReversed())
    if (row.seq < before) {
      if (trust === null || row.trust === trust) yield row
      reachedTo = row.seq
    }
  // A small window needs few rows, so the pages start small and grow.
  for (let limit = firstPageRows; ; limit = Math.min(limit * 2, defaults.pageMessages)) {
    const page = await stored.rowsBefore(reachedTo, limit, trust)
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    reachedTo = last.seq
  }
}

/** Facts whose text rules compose from a use of a tool; others are in the message word for word. */
const composedKinds: ReadonlySet<FactKind> = new Set(['command', 'use', 'failure', 'file'])

function isComposed({ kind, value }: Fact): boolean {
  return value !== '' && composedKinds.has(kind)
}

/** The message is redacted already, but text that rules compose may again look like a secret. */
function redactedRow(row: MessageFacts, redact: Redact): MessageFacts {
  const { digest } = row
  const texts = row.facts
    .filter(isComposed)
    .flatMap(({ key, label, value }) => (key === label ? [label, value] : [key, label, value]))
  // Checks all texts at once; only rows with a hit are redacted text by text, which counts them.
  const isClean = texts.length === 0 || redactSecrets(texts.join('\n')).redacted.length === 0
  const facts = isClean
    ? row.facts
    : row.facts.map((fact) => {
        if (!isComposed(fact)) return fact
        const { key, label, value } = fact
        return { ...fact, key: redact(key), label: redact(label), value: redact(value) }
      })
  return {
    ...row,
    facts,
    digest: digest?.by === 'tool' ? { ...digest, text: redact(digest.text) } : digest,
  }
}
