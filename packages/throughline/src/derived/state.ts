/**
 * What a request begins with, loaded at once, and what it leaves: its record, calibration,
 * recalled text.
 */
import type { Calibration } from '../domain/calibration.ts'
import type { Conversation } from '../domain/conversation.ts'
import { bodyOf, type DerivedKind } from '../domain/derived-row.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { AskState } from '../domain/model-calls.ts'
import type { RequestRecord } from '../domain/receipt.ts'
import type { Span } from '../domain/span.ts'
import type { Insert, View } from '../domain/view.ts'
import type { RecordedRow, RecordOutcome, RowQuery, TenantStore } from '../ports/store.ts'
import { insertsKey, rowOf, textKey } from './commit.ts'

export interface StateQuery {
  readonly id: ConversationId
  /** The card's id. */
  readonly model: string
  /** A version: where the conversation still has it, the view is not read again. */
  readonly seenVersion?: number | undefined
}

export interface ConversationState {
  readonly conversation: Conversation
  /** No other conversation of the store has it or had it, also none of the same id before. */
  readonly serial: number
  /** What follows is of the model that was asked for, up to the newest request. */
  readonly view: View | null
  /** The version is the one that was seen: the view is what it was then, and null here. */
  readonly seen: boolean
  /** What was recalled in the epoch of that view, ascending by place. */
  readonly inserts: readonly Insert[]
  readonly calibration: Calibration | null
  /** The newest request, among those that are kept. */
  readonly last: RequestRecord | null
  /** What is remembered of asking models; null as long as none was asked. */
  readonly asking: AskState | null
  /** How many requests were recorded, of all models, also those that are not kept. */
  readonly recorded: number
  /** With so many recorded requests the next follow-up is due; null where none is waited for. */
  readonly followUpDue: number | null
}

/** A conversation without its rows; null if there is none. See `conversationId`. */
export async function loadConversation(
  store: Pick<TenantStore, 'load'>,
  id: ConversationId,
): Promise<Conversation | null> {
  return (await store.load({ id }))?.conversation ?? null
}

export async function loadState(
  store: Pick<TenantStore, 'load'>,
  { id, model, seenVersion }: StateQuery,
): Promise<ConversationState | null> {
  const loaded = await store.load({ id, rows: stateRows(textKey(model), seenVersion) })
  if (loaded === null) return null
  const { conversation, serial, rows } = loaded
  const first = <Kind extends DerivedKind>(kind: Kind, at: number) => {
    const [row] = rows[at] ?? []
    return row === undefined ? null : bodyOf(kind, row)
  }
  return {
    conversation,
    serial,
    seen: conversation.version === seenVersion,
    view: first('view', 0),
    inserts: (rows[1] ?? []).map((row) => bodyOf('insert', row)),
    calibration: first('calibration', 2),
    last: first('request', 3),
    asking: first('asking', 4),
    recorded: rows[5]?.[0]?.position ?? 0,
    followUpDue: rows[6]?.[0]?.bound ?? null,
  }
}

function stateRows(key: string, unlessVersion: number | undefined): readonly RowQuery[] {
  return [
    { kind: 'view', key, limit: 1, unlessVersion },
    { kind: 'insert', key: { labelOf: { kind: 'view', key } } },
    { kind: 'calibration', key, limit: 1 },
    { kind: 'request', label: key, order: 'last', limit: 1 },
    { kind: 'asking', limit: 1 },
    { kind: 'request', order: 'last', limit: 1, bare: true },
    { kind: 'receipt', boundTo: Number.MAX_SAFE_INTEGER, order: 'least', limit: 1, bare: true },
  ]
}

export interface RequestCommand {
  readonly id: ConversationId
  readonly request?: RequestRecord
  readonly calibration?: { readonly model: string; readonly calibration: Calibration }
  /** What was recalled for messages: the first for each stays, and that for another at its place goes. */
  readonly recalled?: { readonly model: string; readonly inserts: readonly Insert[] }
  /** What a program has expanded: noted with every receipt that waits for follow-up. */
  readonly expanded?: Span
}

/** Records what a request taught. It moves no version, and waits for no disk. */
export async function recordRequest(
  store: Pick<TenantStore, 'record'>,
  { id, request, calibration, recalled, expanded }: RequestCommand,
): Promise<RecordOutcome> {
  const put: RecordedRow[] = []
  const key = textKey(calibration?.model ?? '')
  if (calibration !== undefined) put.push(rowOf('calibration', calibration.calibration, { key }))
  for (const insert of recalled?.inserts ?? []) {
    const { before: position, of: label, epoch } = insert
    const named = { position, key: insertsKey(recalled?.model ?? '', epoch), label }
    put.push({ ...rowOf('insert', insert, named), keepsSame: true })
  }
  if (request !== undefined) {
    const row = rowOf('request', request, { label: textKey(request.model) })
    put.push({ ...row, position: 'next' })
  }
  const { from = 0, to = 0 } = expanded ?? {}
  return store.record({
    id,
    put,
    // It is the newest again, and the one that was not recorded for longest makes room.
    ...(calibration !== undefined && { drop: [{ kind: 'calibration', key }] }),
    ...(expanded !== undefined && { note: { kind: 'receipt', value: { from, to } } }),
  })
}
