/** Everything that a store serves of one conversation, as text. */

import type { ConversationId } from 'throughline'
import type { TenantStore } from 'throughline/stores'
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
  loadTurns,
} from '../../packages/throughline/src/derived/rows.ts'
import { loadConversation, loadState } from '../../packages/throughline/src/derived/state.ts'
import { historyModels } from './history-engine.ts'

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
    states.push([state?.view, state?.inserts, state?.last, state?.recorded, state?.hindsightDue])
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
