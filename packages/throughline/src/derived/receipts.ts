/** Loads receipts and versions of views with their types, and adds follow-ups to receipts. */
import { bodyOf } from '../domain/derived-body.ts'
import { changedOutside, type DerivedRow } from '../domain/derived-row.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Expansion, FollowUp, LeftInContext, Receipt } from '../domain/receipt.ts'
import type { View, ViewVersion } from '../domain/view.ts'
import type { RecordOutcome, TenantStore } from '../ports/store.ts'
import { completionEvent } from './change-events.ts'
import { rowOf, textKey } from './commit.ts'
import { type Rows, rowsOf } from './rows.ts'

interface ReceiptsQuery {
  readonly id: ConversationId
  readonly limit: number
  /** Only receipts with a smaller version; null for all. */
  readonly before: number | null
}

/** Receipts, newest first; a fork has none until it is compacted itself. See `conversationId`. */
export async function loadReceipts(
  store: Rows,
  { id, limit, before }: ReceiptsQuery,
): Promise<readonly Receipt[] | null> {
  const span = { from: 0, to: before ?? Number.MAX_SAFE_INTEGER }
  const rows = await rowsOf(store, id, { kind: 'receipt', span, order: 'last', limit })
  return rows?.map(receiptOf) ?? null
}

export interface WaitingReceipt {
  readonly receipt: Receipt
  readonly serial: number
  readonly left: LeftInContext
  /** In the order of their first expansion. */
  readonly expanded: readonly Expansion[]
  /** The conversation's count: a follow-up computed from another history is invalid. */
  readonly rewrites: number
}

/** The oldest receipt whose follow-up is due after `recorded` requests. */
export async function loadWaitingReceipt(
  store: Rows,
  { id, recorded }: { readonly id: ConversationId; readonly recorded: number },
): Promise<WaitingReceipt | null> {
  const query = { kind: 'receipt', boundTo: recorded, limit: 1 } as const
  const loaded = await store.load({ id, rows: [query] })
  const [row] = loaded?.rows[0] ?? []
  if (loaded === null || row === undefined) return null
  const { waiting } = bodyOf('receipt', row)
  if (waiting === null) throw changedOutside('a receipt')
  const { serial, conversation } = loaded
  return { receipt: receiptOf(row), serial, rewrites: conversation.rewrites, ...waiting }
}

export interface CompleteCommand {
  readonly id: ConversationId
  readonly serial: number
  /** The version of the receipt. */
  readonly version: number
  /** The conversation's count when the follow-up was computed. */
  readonly rewrites: number
  readonly followUp: FollowUp
  readonly at: number
}

/** Adds the follow-up to a receipt without moving the version. The first of two processes wins. */
export async function completeReceipt(
  store: Pick<TenantStore, 'load' | 'record'>,
  { id, serial, version, rewrites, followUp, at }: CompleteCommand,
): Promise<RecordOutcome> {
  const span = { from: version, to: version + 1 }
  const loaded = await store.load({ id, rows: [{ kind: 'receipt', span }] })
  if (loaded === null || loaded.serial !== serial) return { kind: 'not-found' }
  if (loaded.conversation.rewrites !== rewrites) return { kind: 'rewritten' }
  const [row] = loaded.rows[0] ?? []
  if (row === undefined) return { kind: 'not-found' }
  if (row.bound === null) return { kind: 'row-changed' }
  const body = { ...bodyOf('receipt', row), followUp, waiting: null }
  return store.record({
    id,
    put: [rowOf('receipt', body, { position: version })],
    onlyIf: { serial, rewrites, row },
    events: [completionEvent(version, followUp)],
    at,
  })
}

function receiptOf(row: DerivedRow): Receipt {
  const { receipt, followUp } = bodyOf('receipt', row)
  return { version: row.position, ...receipt, followUp }
}

export interface VersionsQuery {
  readonly id: ConversationId
  /** Null for those of all models. */
  readonly model: string | null
  readonly limit: number
}

/** The views that were in force, newest first. A fork has none until it has a view of its own. */
export async function loadVersions(
  store: Rows,
  { id, model, limit }: VersionsQuery,
): Promise<readonly ViewVersion[] | null> {
  const key = model === null ? {} : { key: textKey(model) }
  const loaded = await store.load({
    id,
    rows: [
      { kind: 'version', ...key, order: 'last', bare: true },
      { kind: 'view', ...key, bare: true },
    ],
  })
  if (loaded === null) return null
  const [versions = [], views = []] = loaded.rows
  const currentVersions = new Map(views.map((row) => [row.key, row.position]))
  const seenModels = new Set<string>()
  return versions
    .map((row): ViewVersion => {
      const figures = figuresIn(row)
      // Where a model has no view, its newest version is in force if it ended one.
      const isNewest = !seenModels.has(row.key)
      seenModels.add(row.key)
      const endedView = isNewest && figures.epoch === null
      const current =
        (currentVersions.get(row.key) ?? (endedView ? row.position : null)) === row.position
      return { version: row.position, ...figures, current }
    })
    .slice(0, limit)
}

/** The view of a version; `view` is null where everything was shown. Null if it was deleted. */
export async function loadVersionedView(
  store: Rows,
  { id, version }: { readonly id: ConversationId; readonly version: number },
): Promise<{ readonly model: string; readonly view: View | null } | null> {
  const span = { from: version, to: version + 1 }
  const [row] = (await rowsOf(store, id, { kind: 'version', span })) ?? []
  return row === undefined ? null : { model: modelIn(row), view: bodyOf('version', row) }
}

function figuresIn(row: DerivedRow): Omit<ViewVersion, 'version' | 'current'> {
  try {
    return { model: modelIn(row), ...JSON.parse(row.label ?? '') }
  } catch (cause) {
    throw changedOutside('the version of a view', cause)
  }
}

function modelIn({ key }: DerivedRow): string {
  try {
    const model: unknown = JSON.parse(key)
    if (typeof model === 'string') return model
  } catch {
    // Reported below, like every other invalid key.
  }
  throw changedOutside('the version of a view')
}
