/** Everything that a store serves of one conversation, as text. */
import type { ConversationId } from 'throughline'
import type { TenantStore } from 'throughline/stores'
import { historyModels } from './history-engine.ts'

const everywhere = { from: 0, to: Number.MAX_SAFE_INTEGER }

export async function servedLog(tenant: TenantStore, id: ConversationId): Promise<string> {
  const messages = (await tenant.read({ id, span: everywhere })) ?? []
  const originals: string[] = []
  for (const { seq } of messages) {
    const bytes = await tenant.original(id, seq)
    originals.push(new TextDecoder().decode(bytes ?? undefined))
  }
  // Not which conversation it is, so that two can be compared.
  const log = messages.map(({ id: _, conversationId: __, createdAt: ___, ...message }) => message)
  const { chain, head, pins } = (await tenant.conversation(id)) ?? {}
  return JSON.stringify({ log, originals, chain, head, pins })
}

export async function servedDerived(tenant: TenantStore, id: ConversationId): Promise<string> {
  const states = []
  for (const model of historyModels) {
    const state = await tenant.state({ id, model })
    states.push([state?.view, state?.inserts, state?.last, state?.recorded, state?.hindsightDue])
  }
  const versions = (await tenant.versions({ id, model: null, limit: 1_000 })) ?? []
  const views = []
  for (const { version } of versions) views.push(await tenant.viewOf({ id, version }))
  return JSON.stringify({
    states,
    versions,
    views,
    facts: await tenant.facts({ id, span: everywhere }),
    ledger: await tenant.ledger({ id }),
    summaries: await tenant.summaries({ id, limit: 1_000, skip: 0 }),
    digests: await tenant.digests({ id, span: everywhere }),
    turns: await tenant.turns({ id, before: null, limit: 1_000 }),
    steps: await tenant.steps({ id, turn: null, step: null, limit: 1_000 }),
    receipts: await tenant.receipts({ id, limit: 1_000, before: null }),
    waiting: await tenant.waiting({ id, recorded: Number.MAX_SAFE_INTEGER }),
    requests: await tenant.requests({ id, limit: 1_000 }),
    events: await tenant.events({ id, after: 0, limit: 10_000 }),
  })
}
