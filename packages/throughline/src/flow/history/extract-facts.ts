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
import type { ToolCallPart } from '../../domain/message.ts'
import { factsOf } from '../../extract/message-facts.ts'
import { redactSecrets } from '../../extract/redact-secrets.ts'
import { type DerivedReader, type LogReader, readPages } from '../read/readers.ts'
import { type Redact, redactLogMessage, redactor } from '../redact/redact-message.ts'
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

/** For a later position, the extractor continues after the messages that it has read. */
export function factsExtractor(
  log: Pick<LogReader, 'read'>,
  /** Should cache its reads. */
  stored: Pick<DerivedReader, 'ledger' | 'rowsBefore'>,
): (to: Seq) => Promise<HistoryFacts> {
  const calls = new Map<string, ToolCallPart>()
  const extracted: { readonly row: MessageFacts; readonly redacted: number }[] = []
  const { redact, count } = redactor()
  const readMessages = async (from: Seq, to: Seq) => {
    for await (const original of readPages(log, { from, to })) {
      const before = count()
      const { message, redacted } = redactLogMessage(original)
      for (const part of message.parts) if (part.type === 'tool-call') calls.set(part.callId, part)
      const row = redactedRow(factsOf(message, calls), redact)
      extracted.push({ row, redacted: redacted + count() - before })
    }
  }
  let result: { readonly to: Seq; readonly facts: HistoryFacts } | null = null
  return async (to) => {
    if (result?.to === to) return result.facts
    const ledger = (await stored.ledger()) ?? emptyLedger
    const from = Math.max(ledger.to, to - defaults.historyMessageLimit.value)
    await readMessages(Math.max(from, (extracted.at(-1)?.row.seq ?? -1) + 1), to)
    const included = extracted.filter(({ row }) => row.seq >= from && row.seq < to)
    const rows = included.map(({ row }) => row)
    const facts: HistoryFacts = {
      ledger: rows.length === 0 ? ledger : foldLedger(ledger, rows, to),
      rows,
      redacted: included.reduce((sum, { redacted }) => sum + redacted, 0),
      rowsBefore: (before, trust) => newestFirst(rows, stored, before, trust ?? null),
    }
    result = { to, facts }
    return facts
  }
}

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
  for (let limit = firstPageRows; ; limit = Math.min(limit * 2, defaults.pageMessages.value)) {
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
