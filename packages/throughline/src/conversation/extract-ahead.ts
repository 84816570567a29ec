/**
 * Extracts facts in the background, so that a compaction only folds them: those of new messages, and
 * of old ones that a request left out. The rows do not move the version: each depends on nothing but
 * its message and the call that it answers.
 */
import { defaults } from '../defaults-data.ts'
import { rowOf } from '../derived/commit.ts'
import { loadFacts } from '../derived/rows.ts'
import { loadConversation } from '../derived/state.ts'
import { emptyLedger, type Ledger } from '../domain/ledger.ts'
import { ok } from '../domain/result.ts'
import type { Span } from '../domain/span.ts'
import { extractRows } from '../flow/history/extract-facts.ts'
import { foldLedger } from '../flow/history/fold-ledger.ts'
import type { StoredConversation } from '../ports/store.ts'
import type { Pause } from './background.ts'
import { commitComputedChanges } from './change-conversation.ts'
import type { FactsCache } from './facts-cache.ts'

interface ExtractOptions {
  /** Knows the rows for the next compaction. */
  readonly factRows: Pick<FactsCache, 'extend'>
  readonly pause: Pause
  readonly now: () => number
}

export async function extractAhead(
  chat: StoredConversation,
  options: ExtractOptions,
): Promise<void> {
  const { store, id } = chat
  const last = { kind: 'facts', order: 'last', limit: 1, bare: true } as const
  const loaded = await store.load({ id, rows: [last, { kind: 'ledger', limit: 1, bare: true }] })
  if (loaded === null) return
  const [facts, ledger] = loaded.rows
  const end = (facts?.[0]?.position ?? -1) + 1
  await extractSpan(chat, { from: end, to: loaded.conversation.head }, options)
  const incompleteTo = Number(ledger?.[0]?.label ?? 0)
  if (incompleteTo > 0) await addOlder(chat, incompleteTo, options)
}

/** Writes the rows of a span in slices. False if the conversation was rewritten meanwhile. */
async function extractSpan(
  { store, id }: StoredConversation,
  { from, to }: Span,
  { factRows, pause }: ExtractOptions,
): Promise<boolean> {
  const loaded = await store.load({ id })
  if (loaded === null) return false
  const onlyIf = { serial: loaded.serial, rewrites: loaded.conversation.rewrites }
  const read = async (span: Span) => (await store.read({ id, span })) ?? []
  for (let at = from; at < to; at += sliceMessages) {
    const rows = await extractRows({ read }, { from: at, to: Math.min(to, at + sliceMessages) })
    const put = rows.map(({ seq, ...body }) =>
      rowOf('facts', body, { position: seq, label: body.trust }),
    )
    const outcome = await store.record({ id, put, onlyIf })
    if (outcome.kind !== 'recorded') return false
    factRows.extend(loaded, rows)
    await pause()
  }
  return true
}

/** Some milliseconds of work between two pauses. */
const sliceMessages = 16

/** Extracts what the ledger lacks, and folds all rows again, because facts depend on their order. */
async function addOlder(
  chat: StoredConversation,
  to: number,
  options: ExtractOptions,
): Promise<void> {
  const { store, id } = chat
  const from = Math.max(0, to - defaults.historyMessageLimit)
  const rewrites = (await loadConversation(store, id))?.rewrites
  if (!(await extractSpan(chat, { from, to }, options))) return
  let ledger: Ledger = { ...emptyLedger, to: from }
  const foldTo = async (end: number) => {
    const rows = (await loadFacts(store, { id, span: { from: ledger.to, to: end } })) ?? []
    const last = rows.at(-1)
    if (last !== undefined) ledger = foldLedger(ledger, rows, last.seq + 1)
    return last !== undefined
  }
  while (await foldTo(ledger.to + foldedMessages)) await options.pause()
  await commitComputedChanges(
    chat,
    async (conversation) => {
      if (conversation.rewrites !== rewrites) return ok({ changes: {} })
      await foldTo(Number.MAX_SAFE_INTEGER)
      return ok({ changes: { facts: { rows: [], ledger } } })
    },
    options.now(),
  )
}

const foldedMessages = 100
