import { loadRequests } from '../derived/rows.ts'
import { loadConversation } from '../derived/state.ts'
import type { Conversation } from '../domain/conversation.ts'
import type { BreakCause } from '../domain/decision.ts'
import type { ConversationId } from '../domain/ids.ts'
import { keptRows } from '../domain/kept-rows-data.ts'
import type { RequestRecord } from '../domain/receipt.ts'
import type { TenantStore } from '../ports/store.ts'

/** The last requests of a conversation: their use of the window, and what they did not show. */
export interface Status {
  /** Null before the first message. */
  readonly conversation: Conversation | null
  /** A compaction was undone: for its model, no trigger compacts until one is requested. */
  readonly suspended: boolean
  readonly last: RequestUse | null
  /** The last hundred, newest first. */
  readonly requests: readonly RequestUse[]
  readonly totals: RequestTotals
}

/** One of the last requests: its use of the window, and what it did not show. */
export interface RequestUse
  extends Omit<RequestRecord, 'tokens' | 'expectedTokens' | 'triggers' | 'prefix'> {
  readonly tokens: number
  /** `tokens` of `availableTokens`: 0 to 1. */
  readonly utilization: number
}

interface RequestTotals {
  readonly requests: number
  readonly trimmedRequests: number
  /** Requests that wrote a receipt: the first request of a conversation may be one of them. */
  readonly compactions: number
  /** 0 where there was no request. */
  readonly averageUtilization: number
  /** How often the cached prefix was lost, by cause. */
  readonly breaks: Readonly<Partial<Record<BreakCause, number>>>
}

/**
 * The same as `chat.status()`, read from a store without an engine.
 *
 * @example
 * const { last } = await statusOf(store.tenant(tenantId('default')), conversationId('invoice-7'))
 */
export async function statusOf(store: TenantStore, id: ConversationId): Promise<Status> {
  const conversation = await loadConversation(store, id)
  const records = (await loadRequests(store, { id, limit: keptRows.requests })) ?? []
  const requests = records.map(useOf)
  const suspended = (conversation?.compaction.suspended.length ?? 0) > 0
  const breaks: Partial<Record<BreakCause, number>> = {}
  let utilization = 0
  for (const use of requests) {
    utilization += use.utilization
    if (use.brokenBy !== null) breaks[use.brokenBy] = (breaks[use.brokenBy] ?? 0) + 1
  }
  const totals = {
    requests: requests.length,
    trimmedRequests: requests.filter(({ stubbed, leftOut }) => stubbed + leftOut > 0).length,
    compactions: requests.filter((use, index) => isCompaction(use, requests.slice(index + 1)))
      .length,
    averageUtilization: requests.length === 0 ? 0 : utilization / requests.length,
    breaks,
  }
  return { conversation, suspended, last: requests[0] ?? null, requests, totals }
}

export function useOf(record: RequestRecord): RequestUse {
  const { expectedTokens: tokens, triggers: _, prefix: __, ...use } = record
  const utilization = use.availableTokens === 0 ? 0 : tokens / use.availableTokens
  return { ...use, tokens, utilization }
}

/** A compaction without a gain starts no epoch; a first request has no earlier epoch to compare with. */
function isCompaction(use: RequestUse, older: readonly RequestUse[]): boolean {
  const { decision, model, epoch, stubbed, leftOut } = use
  if (decision.kind === 'continue' || decision.shadow) return false
  const previous = older.find((each) => each.model === model)
  return previous === undefined ? stubbed + leftOut > 0 : epoch > previous.epoch
}
