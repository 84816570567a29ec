import { loadReceipts, loadVersions } from '../derived/receipts.ts'
import { loadSummaries } from '../derived/rows.ts'
import { type Conversation, chainStart } from '../domain/conversation.ts'
import { canonicalHash } from '../domain/hash.ts'
import type { Seq } from '../domain/ids.ts'
import { keptRows } from '../domain/kept-rows-data.ts'
import { type Message, storedIn } from '../domain/message.ts'
import { chainHash } from '../domain/placement.ts'
import { isThroughlineError } from '../errors.ts'
import type { TenantStore } from '../ports/store.ts'
import { sha256 } from '../system.ts'
import { storedMessages } from './messages.ts'

/**
 * Checks a conversation by the invariants (docs/invariants.md). Returns its problems as texts, and
 * the end of its search index. Reads every message, and calls `onMessage` for each.
 *
 * @example
 * const rows = store.tenant(tenantId('default'))
 * const conversation = await loadConversation(rows, conversationId('invoice-7'))
 * if (conversation) console.log((await checkConversation(rows, conversation)).problems)
 */
export async function checkConversation(
  store: TenantStore,
  conversation: Conversation,
  onMessage: () => void = () => {},
): Promise<{ readonly problems: readonly string[]; readonly indexedTo: Seq }> {
  const { id, head } = conversation
  try {
    const found = await store.search({ id, terms: [], partsOfNames: [], before: head, most: 0 })
    return {
      indexedTo: found?.indexedTo ?? 0,
      problems: [
        ...(await logProblems(store, conversation, onMessage)),
        ...(await eventProblems(store, conversation)),
        ...(await derivedProblems(store, conversation)),
      ],
    }
  } catch (cause) {
    // Data that cannot be read is a problem too, also after an unexpected error.
    const why = cause instanceof Error ? cause.message : String(cause)
    return { indexedTo: 0, problems: [isThroughlineError(cause) ? why : `cannot be read: ${why}`] }
  }
}

/** Invariants 16, 17 and 19. */
async function logProblems(store: TenantStore, conversation: Conversation, onMessage: () => void) {
  const { head } = conversation
  const problems: string[] = []
  let [expected, chain] = [0, chainStart]
  for await (const message of storedMessages(store, conversation)) {
    const { seq, hashes } = message
    if (seq !== expected) problems.push(`#${expected} is missing`)
    chain = chainHash(chain, hashes.canonical, seq, sha256)
    if (hashes.chain !== chain)
      problems.push(`#${seq}: its chain hash does not follow from the messages before`)
    problems.push(...(await messageProblems(store, message)))
    chain = hashes.chain
    expected = seq + 1
    onMessage()
    if (problems.length >= maxProblems) return problems
  }
  if (expected !== head)
    problems.push(`it ends with #${expected - 1}, but should end with #${head - 1}`)
  if (conversation.chain !== chain) problems.push('its chain hash is not that of its last message')
  return problems
}

// With this many problems, restore a backup.
const maxProblems = 20

async function messageProblems(store: TenantStore, message: Message): Promise<readonly string[]> {
  const { conversationId, seq, hashes, parts } = message
  const original = await store.bytes({ id: conversationId, seq })
  const problems: string[] = []
  if (original === null || sha256(original) !== hashes.content)
    problems.push(`#${seq}: its original was changed`)
  if (canonicalHash(message, sha256) !== hashes.canonical)
    problems.push(`#${seq}: its parts were changed`)
  for (const hash of storedIn(parts)) {
    const bytes = await store.bytes({ id: conversationId, sha256: hash })
    if (bytes === null || sha256(bytes) !== hash)
      problems.push(`#${seq}: one of its files is missing or changed`)
  }
  return problems
}

/** Invariant 20. */
async function eventProblems(store: TenantStore, { id, head, forkedFrom }: Conversation) {
  let [after, end] = [0, forkedFrom?.at ?? 0]
  for (;;) {
    const page = (await store.events({ id, after, limit: pageEvents })) ?? []
    for (const event of page) {
      if (event.number !== after + 1) return [`event ${after + 1} is missing`]
      after = event.number
      if (event.kind === 'messages-appended') end = event.span.to
    }
    if (page.length < pageEvents) break
  }
  return end === head ? [] : [`its events end at #${end}, but its messages at #${head}`]
}

const pageEvents = 1_000

/** Derived rows refer only to messages that exist, and receipts only to existing versions. */
async function derivedProblems(
  store: TenantStore,
  { id, head, version, pins, forkedFrom }: Conversation,
): Promise<readonly string[]> {
  const versions = (await loadVersions(store, { id, model: null, limit: keptRows.versions })) ?? []
  const receipts = (await loadReceipts(store, { id, limit: keptRows.receipts, before: null })) ?? []
  const summaries = (await loadSummaries(store, { id, limit: summariesRead, skip: 0 })) ?? []
  const isWithin = (seq: number) => seq >= 0 && seq <= head
  return [
    ...(pins.some((seq, index) => seq >= head || seq <= (pins[index - 1] ?? -1))
      ? ['its pins are not in order or outside the log']
      : []),
    ...versions
      .filter((each) => !isWithin(each.line) || each.version > version)
      .map((each) => `version ${each.version}: its line is after the end of the log`),
    ...receipts
      .filter(
        (each) => each.covered.to > each.line || !isWithin(each.line) || each.version > version,
      )
      .map((each) => `receipt ${each.version} covers messages after its line`),
    ...summaries
      .filter(
        ({ covers, added }) => covers.from !== 0 || !isWithin(covers.to) || added.to !== covers.to,
      )
      .map((each) => `summary ${each.id} covers the wrong messages`),
    ...(forkedFrom !== null && forkedFrom.at > head
      ? ['it is shorter than the part that it shares with its source']
      : []),
  ]
}

const summariesRead = 10_000
