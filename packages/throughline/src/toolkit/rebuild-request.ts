/** Builds a request that was sent again, from the view of its epoch and the log as it was. */
import type { ConversationHandle } from '../conversation/handle.ts'
import { loadInputs, noAttempts, type Snapshot } from '../conversation/load-snapshot.ts'
import { createTailCache } from '../conversation/message-cache.ts'
import { recallToolSchemas } from '../conversation/recall-tool.ts'
import { type Internals, internalsOf } from '../conversation/runtime.ts'
import { type RequestUse, useOf } from '../conversation/status.ts'
import { insertsKey } from '../derived/commit.ts'
import { loadVersionedView, loadVersions } from '../derived/receipts.ts'
import { loadRequests, rowsOf } from '../derived/rows.ts'
import { loadState } from '../derived/state.ts'
import type { ContextMessage, Omission, Repair, Section, ToolSchema } from '../domain/context.ts'
import { bodyOf } from '../domain/derived-body.ts'
import type { Seq } from '../domain/ids.ts'
import { keptRows } from '../domain/kept-rows-data.ts'
import type { RequestRecord } from '../domain/receipt.ts'
import type { View } from '../domain/view.ts'
import { checkRequest } from '../flow/check/check-request.ts'
import { fullView } from '../flow/decide/evaluate-view.ts'
import { fingerprintOf, sections } from '../flow/describe/describe-context.ts'
import { chainsOf, prefixOf, shortKey } from '../flow/describe/request-prefix.ts'
import { policyFor } from '../flow/measure/plan-budget.ts'
import { basisOf, policyIn } from '../flow/project/basis.ts'
import { degrade, measureFixedParts } from '../flow/project/fixed-parts.ts'
import type { ContextInputs, RenderedRequest } from '../flow/project/records.ts'
import { mergeNextMessage, readViewMessages, renderView } from '../flow/project/render-view.ts'
import { sha256 } from '../system.ts'

/**
 * Why a rebuilt request is not the recorded one: its place in the log or its view is not kept, messages or
 * the policy changed since, or the program passed texts or tools that are not stored.
 */
type RequestDifference =
  | 'place-unknown'
  | 'view-dropped'
  | 'messages-changed'
  | 'policy-changed'
  | 'texts-not-stored'
  | 'tools-not-stored'

/** A message of a rebuilt request, with its tokens. */
interface RebuiltMessage extends ContextMessage {
  readonly tokens: number
}

/** A recorded request, with its messages as they were sent. */
export interface RebuiltRequest {
  readonly request: RequestUse
  /** Null if the fingerprint of the rebuilt request is the recorded one, so that its bytes are, too. */
  readonly difference: RequestDifference | null
  /** Empty where the view or the place of the request is not known. */
  readonly messages: readonly RebuiltMessage[]
  readonly sections: readonly Section[]
  readonly omitted: readonly Omission[]
  readonly repairs: readonly Repair[]
  /** Tokens of what the program passed and does not keep in the log: system prompt, tools, texts. */
  readonly suppliedTokens: number
}

/**
 * Rebuilds one of the last hundred requests, as `chat.status()` lists them, and compares it with its
 * fingerprint. System prompt and tools are compared by the hashes of the record. Null if there is no such
 * request.
 *
 * @example
 * const { last } = await chat.status()
 * const rebuilt = last && (await rebuildRequest(chat, last.fingerprint))
 * console.log(rebuilt?.difference, rebuilt?.messages.length)
 */
export async function rebuildRequest(
  chat: ConversationHandle,
  fingerprint: string,
): Promise<RebuiltRequest | null> {
  const internals = await internalsOf(chat, 'rebuildRequest')
  const { store, id } = internals
  const recorded = (await loadRequests(store, { id, limit: keptRows.requests })) ?? []
  const record = recorded.find((each) => each.fingerprint === fingerprint)
  if (record === undefined) return null
  const { head } = record
  if (head === undefined) return notRebuilt(record, 'place-unknown')
  const view = await viewOf(internals, record)
  if (view === null) return notRebuilt(record, 'view-dropped')
  const snapshot = await pastSnapshot(internals, record, view, head)
  if (snapshot === null) return notRebuilt(record, 'messages-changed')
  let rebuilt: RebuiltRequest | null = null
  // Notes in a context name our tools where the program offers them.
  for (const tools of [[], recallToolSchemas()]) {
    const next = await rebuild(snapshot, tools, view, record, internals)
    rebuilt ??= next
    if (next.difference === null) return next
  }
  return rebuilt
}

function notRebuilt(record: RequestRecord, difference: RequestDifference): RebuiltRequest {
  const nothing = { messages: [], sections: [], omitted: [], repairs: [], suppliedTokens: 0 }
  return { request: useOf(record), difference, ...nothing }
}

/** The view of the epoch; null if it is no longer kept. */
async function viewOf({ store, id }: Internals, record: RequestRecord): Promise<View | null> {
  const { model, epoch, stubbed, leftOut } = record
  const versions = (await loadVersions(store, { id, model, limit: keptRows.versions })) ?? []
  const row = versions.find((each) => each.epoch === epoch)
  const kept = row && (await loadVersionedView(store, { id, version: row.version }))
  if (kept?.view) return kept.view
  // While every message is shown, no view is stored.
  return stubbed + leftOut === 0 ? { ...fullView, epoch, cause: 'first', basis: '' } : null
}

/** The state of the conversation when the request was made; null if the log is shorter today. */
async function pastSnapshot(
  { store, id, runtime }: Internals,
  { model }: RequestRecord,
  view: View,
  head: Seq,
): Promise<Snapshot | null> {
  const [meter, state] = await Promise.all([runtime.meter(model), loadState(store, { id, model })])
  const [newest] =
    head === 0 ? [] : ((await store.read({ id, span: { from: head - 1, to: head } })) ?? [])
  if (state === null || newest === undefined) return null
  const rows = await rowsOf(store, id, {
    kind: 'insert',
    key: insertsKey(model, view.insertsOf ?? view.epoch),
  })
  const pins = pinsIn(view.basis) ?? state.conversation.pins
  const conversation = {
    ...state.conversation,
    ...{ head, chain: newest.hashes.chain, pins: pins.filter((seq) => seq < head) },
  }
  const inserts = (rows ?? []).map((row) => bodyOf('insert', row))
  const past = { ...state, conversation, view, inserts }
  const hasWriter = runtime.styles.some(({ models }) => models.length > 0)
  return {
    ...{ store, id, meter, now: runtime.now(), pinned: null, attempts: noAttempts },
    request: checkRequest({ model }, 'rebuildRequest'),
    policy: policyFor(runtime.settings.policy, [model, meter.card.id], hasWriter),
    state: past,
    ledger: runtime.ledgers({ store, id }, past),
  }
}

/** A view names the pins that it was made for; null for a view of every message. */
function pinsIn(basis: string): readonly Seq[] | null {
  if (basis === '') return null
  const [, , pins] = JSON.parse(basis) as readonly [string, string, string]
  return pins === '' ? [] : pins.split(',').map(Number)
}

async function rebuild(
  snapshot: Snapshot,
  tools: readonly ToolSchema[],
  view: View,
  record: RequestRecord,
  { runtime }: Internals,
): Promise<RebuiltRequest> {
  const request = { ...snapshot.request, tools }
  // The cache of the newest messages must not be filled with those of the past.
  const tails = createTailCache(sha256)
  const loaded = await loadInputs({ ...snapshot, request }, { ...runtime, tails })
  const next = record.prefix.open === 'next' ? await appendedNext(snapshot) : null
  const inputs: ContextInputs = { ...loaded, next, writer: null }
  const shown = await render(inputs, view)
  const keys = shown.rendered.map((rendered) => shortKey(rendered, sha256))
  const stable = prefixOf(chainsOf(keys, sha256)(shown.stable), inputs, shown)
  const { system, tools: toolsHash } = record.prefix
  const prefix = { system, tools: toolsHash, chain: stable.chain }
  const isSame = fingerprintOf(prefix, keys.slice(shown.stable), inputs) === record.fingerprint
  return {
    request: useOf(record),
    difference: isSame ? null : differenceOf(record, stable, snapshot, runtime.settings.policyHash),
    messages: shown.rendered.map(({ message, size }) => ({ ...message, tokens: size.tokens })),
    sections: sections(shown, { tokens: 0, wire: 0 }, snapshot.meter),
    omitted: shown.omitted,
    repairs: shown.repairs,
    suppliedTokens: Math.max(0, record.tokens - shown.size.tokens),
  }
}

async function render(inputs: ContextInputs, view: View): Promise<RenderedRequest> {
  const messages = await readViewMessages(inputs.log, view)
  const all = inputs.next === null ? messages : [...messages, inputs.next]
  const { selected, messages: whole } = mergeNextMessage(view, all)
  const reduced = degrade(inputs, await measureFixedParts(inputs), view.degraded)
  return renderView(reduced.input, reduced.fixed, selected, whole)
}

/** The message that the program passed as `next`, which it appended later. */
async function appendedNext({ store, id, state }: Snapshot) {
  const head = state?.conversation.head ?? 0
  return (await store.read({ id, span: { from: head, to: head + 1 } }))?.[0] ?? null
}

type Hashes = Pick<RequestRecord['prefix'], 'rewrites' | 'profile' | 'retrieved' | 'memory'>

function differenceOf(
  { prefix }: RequestRecord,
  now: Hashes,
  { meter }: Snapshot,
  policyHash: string,
): RequestDifference {
  const policy = policyIn(basisOf(meter, [], policyHash))
  if (prefix.rewrites !== now.rewrites) return 'messages-changed'
  if (prefix.policy !== undefined && prefix.policy !== policy) return 'policy-changed'
  const isTextMissing =
    prefix.profile !== now.profile ||
    prefix.retrieved !== now.retrieved ||
    prefix.memory !== now.memory
  return isTextMissing ? 'texts-not-stored' : 'tools-not-stored'
}
