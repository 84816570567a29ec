/**
 * Hindsight: what of a compaction was needed again, found out some requests later. It is made
 * in the background of the request that finds it due, from a bounded part of the log, and
 * written once, whoever is first. No request waits for it or fails with it.
 */
import { defaults } from '../defaults.ts'
import type { MessageFacts } from '../domain/fact.ts'
import type { Hindsight } from '../domain/hindsight.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Receipt } from '../domain/receipt.ts'
import type { Span } from '../domain/span.ts'
import { hindsightOf } from '../flow/receipt/hindsight.ts'
import { knownBelow } from '../flow/receipt/known-below.ts'
import { UsesSince } from '../flow/receipt/uses-since.ts'
import { redactor } from '../flow/redact/redactor.ts'
import { textOfParts } from '../flow/text/message-text.ts'
import { keptRows } from '../ports/kept-rows.ts'
import type { WaitingReceipt } from '../ports/receipt-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Pause } from './background.ts'

interface Looking {
  readonly store: TenantStore
  readonly id: ConversationId
  readonly pause: Pause
}

/** Completes every receipt whose hindsight is due with so many requests. */
export async function completeReceipts(
  { now, ...looking }: Looking & { readonly now: () => number },
  recorded: number,
): Promise<void> {
  const { store, id } = looking
  // Each round completes one, or finds that somebody else has, or that it has to look again: there
  // are no more than are kept.
  for (let round = 0; round < keptRows.receipts; round += 1) {
    const waiting = await store.waiting({ id, recorded })
    if (waiting === null) return
    const at = now()
    const hindsight = await lookAt(looking, waiting, at)
    const { serial, rewrites, receipt } = waiting
    const { version } = receipt
    const command = { id, serial, version, rewrites, hindsight, at }
    const outcome = await store.complete(command)
    if (outcome.kind === 'not-found') return
  }
}

async function lookAt(
  looking: Looking,
  { receipt, left, expanded }: WaitingReceipt,
  at: number,
): Promise<Hindsight> {
  const { redact } = redactor()
  const uses = new UsesSince(redact)
  const { head, line } = receipt
  let to = head
  const behind = { from: head, to: head + defaults.hindsightMessages.value }
  for await (const message of messagesIn(looking, behind)) {
    uses.add(message)
    to = message.seq + 1
  }
  const known = await knownBelow(rowsBefore(looking, line), uses)
  const whole = await shownWhole(looking, receipt, new Set(left.stubs))
  return hindsightOf({
    at,
    looked: { from: head, to },
    uses,
    known,
    left: [left.text, ...whole.map(({ parts }) => textOfParts(parts))],
    expanded,
    redact,
  })
}

/** What the compaction left as it stands in the log; of what was kept, the newest. */
async function shownWhole(
  looking: Looking,
  { line, head, keeps }: Receipt,
  stubs: ReadonlySet<Seq>,
): Promise<readonly Message[]> {
  const spans = keeps.slice(-keepsLookedAt).map((seq) => ({ from: seq, to: seq + 1 }))
  const from = Math.max(line, head - defaults.hindsightMessages.value)
  const messages: Message[] = []
  for (const span of [...spans, { from, to: head }])
    for await (const message of messagesIn(looking, span))
      if (!stubs.has(message.seq)) messages.push(message)
  return messages
}

const keepsLookedAt = 200
// Few enough that nobody notices how long they take.
const messagesAtOnce = 50
const rowsAtOnce = 100

async function* messagesIn(
  { store, id, pause }: Looking,
  { from, to }: Span,
): AsyncGenerator<Message> {
  for (let at = from; at < to; at += messagesAtOnce) {
    const span = { from: at, to: Math.min(to, at + messagesAtOnce) }
    const messages = (await store.read({ id, span })) ?? []
    yield* messages
    if (messages.length < messagesAtOnce) return
    await pause()
  }
}

/** Newest first. */
async function* rowsBefore({ store, id, pause }: Looking, line: Seq): AsyncGenerator<MessageFacts> {
  let to = line
  for (let read = 0; read < defaults.hindsightRows.value; read += rowsAtOnce) {
    const span = { from: 0, to }
    const rows = (await store.facts({ id, span, newestFirst: true, limit: rowsAtOnce })) ?? []
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce) return
    to = last.seq
    await pause()
  }
}
