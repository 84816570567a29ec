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
import { hindsightOf } from '../flow/hindsight.ts'
import { knownBelow } from '../flow/known-below.ts'
import { redactedMessage } from '../flow/redacted-message.ts'
import { redactor } from '../flow/redactor.ts'
import { textOfParts } from '../flow/text-of-parts.ts'
import { UsesSince } from '../flow/uses-since.ts'
import { kept, type TenantStore, type WaitingReceipt } from '../ports/store.ts'

/** Completes every receipt whose hindsight is due with so many requests. */
export async function completeReceipts(
  store: TenantStore,
  id: ConversationId,
  recorded: number,
  now: () => number,
): Promise<void> {
  // Each round completes one, or finds that somebody else has: there are no more than are kept.
  for (let round = 0; round < kept.receipts; round += 1) {
    const waiting = await store.waiting({ id, recorded })
    if (waiting === null) return
    const at = now()
    const hindsight = await lookAt(store, id, waiting, at)
    const { serial, receipt } = waiting
    const { version } = receipt
    const outcome = await store.complete({ id, serial, version, hindsight, at })
    if (outcome.kind === 'not-found') return
  }
}

async function lookAt(
  store: TenantStore,
  id: ConversationId,
  { receipt, left, expanded }: WaitingReceipt,
  at: number,
): Promise<Hindsight> {
  const { redact } = redactor()
  const uses = new UsesSince()
  const span = { from: receipt.head, to: receipt.head + defaults.hindsightMessages.value }
  let to = receipt.head
  for await (const message of messagesIn(store, id, span)) {
    uses.add(redactedMessage(message, redact))
    to = message.seq + 1
  }
  const known = await knownBelow(rowsBefore(store, id, receipt.line), uses)
  const whole = await shownWhole(store, id, receipt, new Set(left.stubs))
  return hindsightOf({
    at,
    looked: { from: receipt.head, to },
    uses,
    known,
    left: [left.text, ...whole.map(({ parts }) => textOfParts(parts))],
    expanded,
    redact,
  })
}

/** What the compaction left as it stands in the log; of what was kept, the newest. */
async function shownWhole(
  store: TenantStore,
  id: ConversationId,
  { line, head, keeps }: Receipt,
  stubs: ReadonlySet<Seq>,
): Promise<readonly Message[]> {
  const spans = keeps.slice(-keepsLookedAt).map((seq) => ({ from: seq, to: seq + 1 }))
  const from = Math.max(line, head - defaults.hindsightMessages.value)
  const messages: Message[] = []
  for (const span of [...spans, { from, to: head }])
    for await (const message of messagesIn(store, id, span))
      if (!stubs.has(message.seq)) messages.push(message)
  return messages
}

const keepsLookedAt = 200

async function* messagesIn(
  store: TenantStore,
  id: ConversationId,
  { from, to }: Span,
): AsyncGenerator<Message> {
  const { value: page } = defaults.pageMessages
  for (let at = from; at < to; at += page) {
    const messages = await store.read({ id, span: { from: at, to: Math.min(to, at + page) } })
    if (messages === null || messages.length === 0) return
    yield* messages
  }
}

/** Newest first. */
async function* rowsBefore(
  store: TenantStore,
  id: ConversationId,
  line: Seq,
): AsyncGenerator<MessageFacts> {
  const { value: limit } = defaults.pageMessages
  let to = line
  for (let read = 0; read < defaults.hindsightRows.value; read += limit) {
    const span = { from: 0, to }
    const rows = (await store.facts({ id, span, newestFirst: true, limit })) ?? []
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    to = last.seq
  }
}
