/**
 * Checks an edit or a removal: no store row or context contains the old text, and the log and the
 * contexts made from it equal those of a log that was appended this way.
 */
import type { Context, ConversationHandle, ConversationId, Store } from 'throughline'
import type { TenantStore } from 'throughline/stores'
import { sqlite } from 'throughline/stores/sqlite'
import type { ConversationChanges } from '../../packages/throughline/src/derived/changes.ts'
import { commitChanges } from '../../packages/throughline/src/derived/commit.ts'
import {
  loadReceipts,
  loadVersionedView,
  loadVersions,
  loadWaitingReceipt,
} from '../../packages/throughline/src/derived/receipts.ts'
import {
  loadDigests,
  loadFacts,
  loadLedger,
  loadRequests,
  loadSteps,
  loadSummaries,
  loadSummaryBefore,
  loadTurns,
} from '../../packages/throughline/src/derived/rows.ts'
import { loadConversation, loadState } from '../../packages/throughline/src/derived/state.ts'
import type { Finding } from '../kernel/finding.ts'
import { type HistoryEngineOptions, historyEngine, historyModels } from './history-engine.ts'
import type { CanaryMessage } from './planted-canaries.ts'

interface Checking {
  /** The store without planted bugs. */
  readonly store: Store
  readonly engine: Pick<HistoryEngineOptions, 'policy' | 'now'>
}

export const tenantIn = (store: Store): TenantStore => store.tenant('default' as never)

/** Looks for old text in store rows and in a context. */
export async function checkGone(
  tenant: TenantStore,
  { chat, gone }: PlayedLog,
  contexts: readonly Context[],
): Promise<readonly Finding[]> {
  const served = `${await servedLog(tenant, chat.id)} ${await servedDerived(tenant, chat.id)}`
  const texts = { served, shown: JSON.stringify(contexts.map(plain)) }
  return Object.entries(texts).flatMap(([rule, text]) => {
    const lower = text.toLowerCase()
    const found = [...gone].find((canary) => lower.includes(canary))
    return found === undefined ? [] : [{ rule, detail: `${found} in "${chat.id}"` }]
  })
}

/** Compares with a store into which the same log was appended. */
export async function checkAfresh(
  { store, engine }: Checking,
  { chat, expected }: PlayedLog,
  never: string,
): Promise<readonly Finding[]> {
  const tenant = tenantIn(store)
  const fresh = sqlite(':memory:')
  try {
    const built = historyEngine({ ...engine, store: fresh, writes: false, never })
    const again = built.conversation('again')
    // Recall shows the time of a message, so the times must be equal.
    const times = await timesOf(tenant, chat.id)
    for (const [seq, { message }] of expected.entries())
      await again.append({ createdAt: times.get(seq), ...message.input })
    for (const [seq, { removed }] of expected.entries())
      if (removed) await again.history.remove(seq)
    const { pins = [] } = (await loadConversation(tenant, chat.id)) ?? {}
    for (const seq of pins) await again.pin(seq)
    await copySummaries(tenant, tenantIn(fresh), chat.id, again.id)
    const findings: Finding[] = []
    const compare = (rule: string, found: string, wanted: string) => {
      if (found !== wanted) findings.push({ rule, detail: difference(found, wanted) })
    }
    compare('log', await servedLog(tenant, chat.id), await servedLog(tenantIn(fresh), again.id))
    // A separate engine with empty caches.
    const looking = historyEngine({ ...engine, store, writes: false, never })
    const found = await looking.conversation(chat.id).context({ model: never })
    compare('context', plain(found), plain(await again.context({ model: never })))
    const facts = async (of: TenantStore, id: ConversationId) =>
      JSON.stringify(await loadFacts(of, { id, span: { from: 0, to: expected.length } }))
    // If everything is shown, no facts are extracted.
    if (found.omitted.length > 0)
      compare('facts', await facts(tenant, chat.id), await facts(tenantIn(fresh), again.id))
    const query = JSON.stringify(expected.at(expected.length >> 1)?.message.input)
    const pieces = await recalled(looking.conversation(chat.id), query)
    compare('recall', pieces, await recalled(again, query))
    await looking.settled()
    return findings
  } finally {
    await fresh.close()
  }
}

async function timesOf(tenant: TenantStore, id: ConversationId) {
  const messages = (await tenant.read({ id, span: { from: 0, to: 10_000 } })) ?? []
  return new Map(messages.map(({ seq, createdAt }) => [seq, createdAt]))
}

/** Recalled messages, whatever built the index; ledger entries may or may not exist. */
async function recalled(chat: ConversationHandle, query: string): Promise<string> {
  const { pieces } = await chat.recall(query, { limit: 100, tokens: 20_000 })
  const messages = pieces.filter(({ kind }) => kind === 'messages')
  return JSON.stringify(messages.map(({ anchor, text, score }) => [anchor, text, score.toFixed(6)]))
}

/** The remaining summaries describe unchanged messages. */
async function copySummaries(
  from: TenantStore,
  to: TenantStore,
  source: ConversationId,
  id: ConversationId,
): Promise<void> {
  const commit = async (changes: ConversationChanges) => {
    const expectedVersion = (await loadConversation(to, id))?.version ?? 0
    await commitChanges(to, { id, expectedVersion, changes, at: 0 })
  }
  const { length } = (await from.read({ id: source, span: { from: 0, to: 10_000 } })) ?? []
  for (let place = 1; place <= (length ?? 0); place += 1) {
    const record = await loadSummaryBefore(from, { id: source, place })
    if (record?.covers.to !== place) continue
    const { account, depth, generation, covers, added, madeBy } = record
    const figures = { tokens: 0, availableTokens: 0, ratio: 0, messagesSince: 0, turnsSince: 0 }
    await commit({
      summarized: {
        record,
        summarization: {
          ...{ summaryId: record.id, style: madeBy.summarizer, depth, generation },
          ...{ asked: added, coveredTo: covers.to, why: null, ...account },
        },
        model: 'toy/one',
        decision: { kind: 'compact', reason: 'manual', shadow: false, armed: true, figures },
        tokensAfter: null,
        asking: { breaker: noBreaker, spent: [], failedTo: null },
      },
    })
  }
}

const noBreaker = { ineffective: 0, openings: 0, openedAt: null }

/** A context without what depends on its engine or its time. */
function plain({ files, ...context }: Context): string {
  return JSON.stringify({ ...context, files: [...files.keys()] })
}

function difference(found: string, wanted: string): string {
  let at = 0
  while (found[at] === wanted[at] && at < found.length) at += 1
  const from = Math.max(0, at - 60)
  return `…${found.slice(from, at + 120)}… and not …${wanted.slice(from, at + 120)}…`
}

/** Everything that a store returns for one conversation, as text. */
const everywhere = { from: 0, to: Number.MAX_SAFE_INTEGER }

export async function servedLog(tenant: TenantStore, id: ConversationId): Promise<string> {
  const messages = (await tenant.read({ id, span: everywhere })) ?? []
  const originals: string[] = []
  for (const { seq } of messages) {
    const bytes = await tenant.bytes({ id, seq })
    originals.push(new TextDecoder().decode(bytes ?? undefined))
  }
  // Without the conversation id, so that two can be compared.
  const log = messages.map(({ id: _, conversationId: __, createdAt: ___, ...message }) => message)
  const { chain, head, pins } = (await loadConversation(tenant, id)) ?? {}
  return JSON.stringify({ log, originals, chain, head, pins })
}

export async function servedDerived(tenant: TenantStore, id: ConversationId): Promise<string> {
  const states = []
  for (const model of historyModels) {
    const state = await loadState(tenant, { id, model })
    states.push([state?.view, state?.inserts, state?.last, state?.recorded, state?.followUpDue])
  }
  const versions = (await loadVersions(tenant, { id, model: null, limit: 1_000 })) ?? []
  const views = []
  for (const { version } of versions) views.push(await loadVersionedView(tenant, { id, version }))
  return JSON.stringify({
    states,
    versions,
    views,
    facts: await loadFacts(tenant, { id, span: everywhere }),
    ledger: await loadLedger(tenant, { id }),
    summaries: await loadSummaries(tenant, { id, limit: 1_000, skip: 0 }),
    digests: await loadDigests(tenant, { id, span: everywhere }),
    turns: await loadTurns(tenant, { id, before: null, limit: 1_000 }),
    steps: await loadSteps(tenant, { id, turn: null, step: null, limit: 1_000 }),
    receipts: await loadReceipts(tenant, { id, limit: 1_000, before: null }),
    waiting: await loadWaitingReceipt(tenant, { id, recorded: Number.MAX_SAFE_INTEGER }),
    requests: await loadRequests(tenant, { id, limit: 1_000 }),
    events: await tenant.events({ id, after: 0, limit: 10_000 }),
  })
}

/** A conversation in a run, with the expected contents of its log. */
export interface PlayedLog {
  readonly chat: ConversationHandle
  /** Null if it was removed. */
  readonly expected: { readonly message: CanaryMessage; readonly removed: boolean }[]
  /** Canaries that were in the log and no longer are. */
  readonly gone: Set<string>
}

export function playedLog(chat: ConversationHandle, before: PlayedLog | null, at = 0): PlayedLog {
  return { chat, expected: before?.expected.slice(0, at) ?? [], gone: new Set(before?.gone) }
}
