/**
 * Makes the receipt of a compaction, and adds its follow-up once: which content was needed again. That
 * is computed in the background from a bounded part of the log. No request waits for it or fails with it.
 */
import { defaults } from '../defaults-data.ts'
import type { ConversationChanges } from '../derived/changes.ts'
import {
  completeReceipt,
  loadReceipts,
  loadWaitingReceipt,
  type WaitingReceipt,
} from '../derived/receipts.ts'
import { loadFacts } from '../derived/rows.ts'
import type { ConversationState } from '../derived/state.ts'
import type { Seq } from '../domain/ids.ts'
import { keptRows } from '../domain/kept-rows-data.ts'
import type { Message } from '../domain/message.ts'
import type { FollowUp, Receipt } from '../domain/receipt.ts'
import { type Span, wholeNumber } from '../domain/span.ts'
import { checkOptions } from '../flow/check/check-options.ts'
import type { ContextResult } from '../flow/project/records.ts'
import { followUpOf, knownBeforeLine, UsesAfterCompaction } from '../flow/receipt/follow-up.ts'
import { leftInContext } from '../flow/receipt/left-in-context.ts'
import { redactor } from '../flow/redact/redact-message.ts'
import { textOfParts } from '../flow/text/readable-text.ts'
import type { StoredConversation } from '../ports/store.ts'
import type { Background, Pause } from './background.ts'
import { RecentMap } from './message-cache.ts'

type PausingReader = StoredConversation & { readonly pause: Pause }

/** Completes every receipt whose follow-up is due at this number of requests. */
async function completeReceipts(
  { now, ...looking }: PausingReader & { readonly now: () => number },
  recorded: number,
): Promise<void> {
  const { store, id } = looking
  // Each round completes one, finds it completed by another process, or retries: at most as many
  // as are kept.
  for (let round = 0; round < keptRows.receipts; round += 1) {
    const waiting = await loadWaitingReceipt(store, { id, recorded })
    if (waiting === null) return
    const at = now()
    const followUp = await computeFollowUp(looking, waiting, at)
    const { serial, rewrites, receipt } = waiting
    const command = { id, serial, version: receipt.version, rewrites, followUp, at }
    if ((await completeReceipt(store, command)).kind === 'not-found') return
  }
}

async function computeFollowUp(
  looking: PausingReader,
  { receipt, left, expanded }: WaitingReceipt,
  at: number,
): Promise<FollowUp> {
  const { redact } = redactor()
  const uses = new UsesAfterCompaction(redact)
  const { head, line } = receipt
  let to = head
  const later = { from: head, to: head + defaults.followUpMessages }
  for await (const message of messagesIn(looking, later)) {
    uses.add(message)
    to = message.seq + 1
  }
  const known = await knownBeforeLine(rowsBefore(looking, line), uses)
  const whole = await shownWhole(looking, receipt, new Set(left.stubs))
  return followUpOf({
    at,
    looked: { from: head, to },
    uses,
    known,
    contextTexts: [left.text, ...whole.map(({ parts }) => textOfParts(parts))],
    expanded,
    redact,
  })
}

/** Messages that the compaction left whole; of the kept ones before the line, only the newest. */
async function shownWhole(
  looking: PausingReader,
  { line, head, keeps }: Receipt,
  stubs: ReadonlySet<Seq>,
): Promise<readonly Message[]> {
  const spans = keeps.slice(-keepsRead).map((seq) => ({ from: seq, to: seq + 1 }))
  const from = Math.max(line, head - defaults.followUpMessages)
  const messages: Message[] = []
  for (const span of [...spans, { from, to: head }])
    for await (const message of messagesIn(looking, span))
      if (!stubs.has(message.seq)) messages.push(message)
  return messages
}

const keepsRead = 200
// Few enough that the pause is not noticeable.
const messagesAtOnce = 50
const rowsAtOnce = 100

async function* messagesIn({ store, id, pause }: PausingReader, { from, to }: Span) {
  for (let at = from; at < to; at += messagesAtOnce) {
    const span = { from: at, to: Math.min(to, at + messagesAtOnce) }
    const messages = (await store.read({ id, span })) ?? []
    yield* messages
    if (messages.length < messagesAtOnce) return
    await pause()
  }
}

async function* rowsBefore({ store, id, pause }: PausingReader, line: Seq) {
  let to = line
  for (let read = 0; read < defaults.followUpRows; read += rowsAtOnce) {
    const span = { from: 0, to }
    const rows = (await loadFacts(store, { id, span, newestFirst: true, limit: rowsAtOnce })) ?? []
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce) return
    to = last.seq
    await pause()
  }
}

/** Enqueues the follow-ups that are due after a request; failed ones are retried later. */
export type EnqueueFollowUp = (chat: StoredConversation, state: ConversationState) => void

/** For one store. Called with the state that a request started from, after it was recorded. */
export function createEnqueueFollowUp(background: Background, now: () => number): EnqueueFollowUp {
  /** By the serial of a conversation: the number of requests at which it is retried. */
  const notBefore = new RecentMap<number, number>()
  return ({ store, id }, { followUpDue, serial, recorded: before }) => {
    const recorded = before + 1
    if (followUpDue === null || recorded < followUpDue) return
    if (recorded < (notBefore.get(serial) ?? 0)) return
    notBefore.set(serial, recorded + defaults.followUpRequests)
    background.run(async (pause) => {
      await completeReceipts({ store, id, pause, now }, recorded)
      notBefore.delete(serial)
    })
  }
}

/** The options of `chat.receipts`. */
export interface ReceiptsInput {
  readonly limit?: number | undefined
  /** Only receipts with a smaller version, such as the last one of the previous page. */
  readonly before?: number | undefined
}

export async function receiptsOf(
  { store, id }: StoredConversation,
  input: ReceiptsInput,
): Promise<readonly Receipt[]> {
  const asked = checkOptions(input, ['limit', 'before'], 'receipts')
  const limit = wholeNumber(asked.limit ?? defaults.pageRows)
  const before = asked.before === undefined ? null : wholeNumber(asked.before)
  return (await loadReceipts(store, { id, limit, before })) ?? []
}

/** The receipt in the commit of a request; none where it did not compact. */
export function receiptChange(
  { compacted, context, outcome: { view } }: ContextResult,
  made: {
    readonly at: number
    readonly durationMs: number
    readonly recorded: number
    /** Another receipt waits for its follow-up. */
    readonly isWaiting: boolean
  },
): Pick<ConversationChanges, 'receipt'> {
  if (compacted === null || view === null) return {}
  const { at, durationMs, recorded, isWaiting } = made
  return {
    receipt: {
      receipt: { ...compacted, at, durationMs },
      // Of several compactions in so short a time only one gets a follow-up.
      left: isWaiting ? null : leftInContext(context, view, compacted.head),
      // The compacting request is recorded first.
      due: isWaiting ? null : recorded + 1 + defaults.followUpRequests,
    },
  }
}
