/** Loads the state that a request needs, and records the request with what it has learned. */
import { defaults } from '../defaults-data.ts'
import type { Calibration } from '../domain/calibration.ts'
import type { Conversation } from '../domain/conversation.ts'
import { bodyOf } from '../domain/derived-body.ts'
import type { DerivedBodies, DerivedKind, DerivedRow } from '../domain/derived-row.ts'
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
  /** A version: if the conversation still has it, the view is not read again. */
  readonly seenVersion?: number | undefined
}

export interface ConversationState {
  readonly conversation: Conversation
  /** Unique in the store for ever, even if the id is used again after a purge. */
  readonly serial: number
  /** The view of the requested model, like the fields below up to `last`. */
  readonly view: View | null
  /** The version is the one that was seen: the view is unchanged, and null here. */
  readonly seen: boolean
  /** Text that was recalled in the epoch of that view, ascending by place. */
  readonly inserts: readonly Insert[]
  readonly calibration: Calibration | null
  /** The newest recorded request of the model. */
  readonly last: RequestRecord | null
  /** The state of the breaker and the spending; null as long as no model was asked. */
  readonly asking: AskState | null
  /** How many requests were ever recorded, for all models. */
  readonly recorded: number
  /** The number of recorded requests at which the next follow-up is due; null for none. */
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
  /** System prompt and tools of the request; an empty list where they are stored already. */
  readonly prompt?: Pick<DerivedBodies, 'system' | 'tools'>
  readonly calibration?: { readonly model: string; readonly calibration: Calibration }
  /** Recalled text. A message keeps its first insert; another message at its place replaces it. */
  readonly recalled?: { readonly model: string; readonly inserts: readonly Insert[] }
  /** Messages that a program expanded: counted with every receipt that waits for its follow-up. */
  readonly expanded?: Span
}

/** Records a request without moving the version or waiting for the disk. */
export async function recordRequest(
  store: Pick<TenantStore, 'record'>,
  { id, request, prompt, calibration, recalled, expanded }: RequestCommand,
): Promise<RecordOutcome> {
  const put: RecordedRow[] = []
  const key = textKey(calibration?.model ?? '')
  if (calibration !== undefined) put.push(rowOf('calibration', calibration.calibration, { key }))
  for (const insert of recalled?.inserts ?? []) {
    const { before: position, of: label, epoch } = insert
    const named = { position, key: insertsKey(recalled?.model ?? '', epoch), label }
    put.push({ ...rowOf('insert', insert, named), keepsSame: true })
  }
  const prompts = request && prompt ? promptRows(request, prompt) : []
  put.push(...prompts)
  if (request !== undefined) {
    const row = rowOf('request', request, { label: textKey(request.model) })
    put.push({ ...row, position: 'next' })
  }
  // Written again as the newest, so that the rows unused for longest are dropped.
  const drop = [
    ...prompts.map(({ kind, key }) => ({ kind, key })),
    ...(calibration === undefined ? [] : [{ kind: 'calibration', key } as const]),
  ]
  const { from = 0, to = 0 } = expanded ?? {}
  return store.record({
    id,
    put,
    ...(drop.length > 0 && { drop }),
    ...(expanded !== undefined && { annotate: { kind: 'receipt', value: { from, to } } }),
  })
}

/** Empty ones, which need no row, and huge ones are left out. */
function promptRows(
  { prefix }: RequestRecord,
  { system, tools }: NonNullable<RequestCommand['prompt']>,
): readonly DerivedRow[] {
  const rows = [
    ...(system.length === 0 ? [] : [rowOf('system', system, { key: prefix.system })]),
    ...(tools.length === 0 ? [] : [rowOf('tools', tools, { key: prefix.tools })]),
  ]
  return rows.filter(({ body }) => body.length <= defaults.promptCharacters)
}
