/** Loads derived rows with their types. All return null where there is no such conversation. */
import { bodyOf } from '../domain/derived-body.ts'
import type { DerivedBodies, DerivedKind, DerivedRow } from '../domain/derived-row.ts'
import { type ConversationId, messageId, type Seq } from '../domain/ids.ts'
import { keptRows } from '../domain/kept-rows-data.ts'
import type { FactTrust, Ledger, MessageFacts } from '../domain/ledger.ts'
import type { RequestRecord } from '../domain/receipt.ts'
import type { Span } from '../domain/span.ts'
import type { DigestRecord, KeptSummary, SummaryRecord } from '../domain/summary.ts'
import type { StepRecord, TurnRecord } from '../domain/turn-memory.ts'
import type { RowQuery, TenantStore } from '../ports/store.ts'
import { stepKey, withdrawnLabel } from './commit.ts'

export type Rows = Pick<TenantStore, 'load'>

interface OfConversation {
  readonly id: ConversationId
}

/** Messages without facts are left out. */
export interface FactsQuery extends OfConversation {
  readonly span: Span
  readonly newestFirst?: boolean
  readonly trust?: FactTrust
  /** The most rows, from the end that comes first. */
  readonly limit?: number
}

export async function loadFacts(
  store: Rows,
  { id, span, newestFirst = false, trust, limit }: FactsQuery,
): Promise<readonly MessageFacts[] | null> {
  const rows = await rowsOf(store, id, {
    kind: 'facts',
    span,
    order: newestFirst ? 'last' : 'first',
    ...(trust !== undefined && { label: trust }),
    ...(limit !== undefined && { limit }),
  })
  return rows?.map((row) => ({ seq: row.position, ...bodyOf('facts', row) })) ?? null
}

/** The last committed ledger, without newer facts. A fork has none until it commits its own. */
export async function loadLedger(store: Rows, { id }: OfConversation): Promise<Ledger | null> {
  return (await bodiesOf(store, id, { kind: 'ledger' }))?.[0] ?? null
}

/** Newest first, after `skip`. A fork has none until one of its own is written. */
export async function loadSummaries(
  store: Rows,
  { id, limit, skip }: OfConversation & { readonly limit: number; readonly skip: number },
): Promise<readonly KeptSummary[] | null> {
  const query = { kind: 'summary', order: 'last', limit, skip, own: true } as const
  const rows = await rowsOf(store, id, query)
  if (rows === null) return null
  return rows.map((row) => {
    const record = bodyOf('summary', row)
    const { from, to } = record.added
    const originalMessageIds = Array.from({ length: to - from }, (_, at) =>
      messageId(id, from + at),
    )
    return { ...record, withdrawn: row.label === withdrawnLabel, originalMessageIds }
  })
}

/**
 * The summary that covers most messages before a place and none after it; of several the newest
 * that is not withdrawn. A fork without summaries uses those of its source that cover only shared
 * messages.
 */
export async function loadSummaryBefore(
  store: Rows,
  { id, place }: OfConversation & { readonly place: Seq },
): Promise<SummaryRecord | null> {
  const query = { kind: 'summary', boundTo: place, order: 'most', label: null, limit: 1 } as const
  return (await bodiesOf(store, id, query))?.[0] ?? null
}

export async function loadDigests(
  store: Rows,
  { id, span }: OfConversation & { readonly span: Span },
): Promise<readonly DigestRecord[] | null> {
  return bodiesOf(store, id, { kind: 'digest', span })
}

/** Records of an agent's turns, newest first: those before a turn, or all. */
export async function loadTurns(
  store: Rows,
  query: OfConversation & { readonly before: number | null; readonly limit: number },
): Promise<readonly TurnRecord[] | null> {
  const span = { from: 0, to: query.before ?? Number.MAX_SAFE_INTEGER }
  return bodiesOf(store, query.id, { kind: 'turn', span, order: 'last', limit: query.limit })
}

export interface StepsQuery extends OfConversation {
  /** Only those of this turn; null for all. */
  readonly turn: number | null
  /** Only this step of it; null for all. */
  readonly step: number | null
  readonly limit: number
}

/** Steps of an agent with their whole results, newest first. */
export async function loadSteps(
  store: Rows,
  { id, turn, step, limit }: StepsQuery,
): Promise<readonly StepRecord[] | null> {
  return bodiesOf(store, id, {
    kind: 'step',
    order: 'last',
    limit,
    ...(turn !== null && { span: { from: turn, to: turn + 1 } }),
    ...(step !== null && { key: stepKey(step) }),
  })
}

/** The last requests, newest first. See `conversationId`. */
export async function loadRequests(
  store: Rows,
  { id, limit }: OfConversation & { readonly limit: number },
): Promise<readonly RequestRecord[] | null> {
  const maxRows = Math.min(limit, keptRows.requests)
  return bodiesOf(store, id, { kind: 'request', order: 'last', limit: maxRows })
}

async function bodiesOf<Kind extends DerivedKind>(
  store: Rows,
  id: ConversationId,
  query: RowQuery & { readonly kind: Kind },
): Promise<readonly DerivedBodies[Kind][] | null> {
  return (await rowsOf(store, id, query))?.map((row) => bodyOf(query.kind, row)) ?? null
}

export async function rowsOf(
  store: Rows,
  id: ConversationId,
  query: RowQuery,
): Promise<readonly DerivedRow[] | null> {
  return (await store.load({ id, rows: [query] }))?.rows[0] ?? null
}
