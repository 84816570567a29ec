/**
 * What must hold behind an edit or a removal: nothing of the old words is served or shown, the log
 * is the one that it would be if it had been appended so, and so are contexts made from it.
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
  /** As it was before bugs were put in. */
  readonly store: Store
  readonly engine: Pick<HistoryEngineOptions, 'policy' | 'now'>
}

export const tenantIn = (store: Store): TenantStore => store.tenant('default' as never)

/** Old words in what is served, or in a context. */
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

/** Against a store in which the log was appended as it ought to be. */
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
    // When something was said is told with what is recalled.
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
    // Another process, which remembers nothing.
    const looking = historyEngine({ ...engine, store, writes: false, never })
    const found = await looking.conversation(chat.id).context({ model: never })
    compare('context', plain(found), plain(await again.context({ model: never })))
    const facts = async (of: TenantStore, id: ConversationId) =>
      JSON.stringify(await loadFacts(of, { id, span: { from: 0, to: expected.length } }))
    // Where everything is shown, none are noted.
    if (found.omitted.length > 0)
      compare('facts', await facts(tenant, chat.id), await facts(tenantIn(fresh), again.id))
    const query = JSON.stringify(expected.at(expected.length >> 1)?.message.input)
    const said = await recalled(looking.conversation(chat.id), query)
    compare('recall', said, await recalled(again, query))
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

/** What is said on something, wherever the index came from; what is known of it may be noted or not. */
async function recalled(chat: ConversationHandle, query: string): Promise<string> {
  const { pieces } = await chat.recall(query, { limit: 100, tokens: 20_000 })
  const said = pieces.filter(({ kind }) => kind === 'messages')
  return JSON.stringify(said.map(({ anchor, text, score }) => [anchor, text, score.toFixed(6)]))
}

/** Those that are left tell what has not changed. */
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

/** A context without what belongs to its engine and its time. */
function plain({ files, ...context }: Context): string {
  return JSON.stringify({ ...context, files: [...files.keys()] })
}

function difference(found: string, wanted: string): string {
  let at = 0
  while (found[at] === wanted[at] && at < found.length) at += 1
  const from = Math.max(0, at - 60)
  return `…${found.slice(from, at + 120)}… and not …${wanted.slice(from, at + 120)}…`
}

/** Everything that a store serves of one conversation, as text. */
const everywhere = { from: 0, to: Number.MAX_SAFE_INTEGER }

export async function servedLog(tenant: TenantStore, id: ConversationId): Promise<string> {
  const messages = (await tenant.read({ id, span: everywhere })) ?? []
  const originals: string[] = []
  for (const { seq } of messages) {
    const bytes = await tenant.bytes({ id, seq })
    originals.push(new TextDecoder().decode(bytes ?? undefined))
  }
  // Not which conversation it is, so that two can be compared.
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

/** A conversation of a play, and beside it what ought to stand in its log. */
export interface PlayedLog {
  readonly chat: ConversationHandle
  /** Null where it was removed. */
  readonly expected: { readonly message: CanaryMessage; readonly removed: boolean }[]
  /** Canaries that stood in it, and do not any more. */
  readonly gone: Set<string>
}

export function playedLog(chat: ConversationHandle, before: PlayedLog | null, at = 0): PlayedLog {
  return { chat, expected: before?.expected.slice(0, at) ?? [], gone: new Set(before?.gone) }
}
