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
import type { TextPart } from '../domain/message.ts'
import type { RequestRecord } from '../domain/receipt.ts'
import type { View } from '../domain/view.ts'
import { measureProtected } from '../flow/assemble/fixed-texts.ts'
import { checkRequest } from '../flow/check/check-request.ts'
import { fingerprintOf, sections } from '../flow/describe/describe-context.ts'
import { chainsOf, contentHash, prefixOf, shortKey } from '../flow/describe/request-prefix.ts'
import { policyFor } from '../flow/measure/plan-budget.ts'
import { basisOf, policyIn } from '../flow/project/basis.ts'
import { degrade, measureFixedParts } from '../flow/project/fixed-parts.ts'
import type { ContextInputs, RenderedRequest } from '../flow/project/records.ts'
import { mergeNextMessage, readViewMessages, renderView } from '../flow/project/render-view.ts'
import { fullView } from '../flow/project/whole-log.ts'
import { sha256 } from '../system.ts'

/**
 * Why a rebuilt request is not the recorded one: its place in the log or its view is not kept, messages or
 * the policy changed since, or the program passed texts that are not stored. `prompt-not-stored`: its
 * messages are those that were sent, but its system prompt or tools are no longer kept.
 */
type RequestDifference =
  | 'place-unknown'
  | 'view-dropped'
  | 'messages-changed'
  | 'policy-changed'
  | 'texts-not-stored'
  | 'prompt-not-stored'
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
  /** As sent; null where they are no longer kept, or are larger than what is stored. */
  readonly system: readonly TextPart[] | null
  readonly tools: readonly ToolSchema[] | null
  /** Empty where the view or the place of the request is not known. */
  readonly messages: readonly RebuiltMessage[]
  readonly sections: readonly Section[]
  readonly omitted: readonly Omission[]
  readonly repairs: readonly Repair[]
  /** Tokens of what was sent and is not here. */
  readonly suppliedTokens: number
}

/**
 * Rebuilds one of the last hundred requests, as `chat.status()` lists them, with system prompt and tools, and
 * compares it with its fingerprint. Null if there is no such request.
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
  const prompt = await promptOf(internals, record)
  let rebuilt: RebuiltRequest | null = null
  // Notes in a context name our tools where the program offers them.
  for (const tools of prompt.tools === null ? [[], recallToolSchemas()] : [prompt.tools]) {
    const next = await rebuild({ snapshot, tools, view, record, prompt }, internals)
    rebuilt ??= next
    if (next.difference === null || next.difference === 'prompt-not-stored') return next
  }
  return rebuilt
}

type Prompt = Pick<RebuiltRequest, 'system' | 'tools'>

/** As they were stored with this or an earlier request; empty ones are not stored. */
async function promptOf({ store, id }: Internals, { prefix }: RequestRecord): Promise<Prompt> {
  const load = async <Kind extends 'system' | 'tools'>(kind: Kind) => {
    const [row] = (await rowsOf(store, id, { kind, key: prefix[kind], limit: 1 })) ?? []
    if (row !== undefined) return bodyOf(kind, row)
    return prefix[kind] === contentHash([], sha256) ? [] : null
  }
  const [system, tools] = await Promise.all([load('system'), load('tools')])
  return { system, tools }
}

function notRebuilt(record: RequestRecord, difference: RequestDifference): RebuiltRequest {
  const nothing = { messages: [], sections: [], omitted: [], repairs: [], suppliedTokens: 0 }
  return { request: useOf(record), difference, system: null, tools: null, ...nothing }
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

interface Recorded {
  readonly snapshot: Snapshot
  /** Those that were sent, as far as they are known. */
  readonly tools: readonly ToolSchema[]
  readonly view: View
  readonly record: RequestRecord
  readonly prompt: Prompt
}

async function rebuild(
  { snapshot, tools, view, record, prompt }: Recorded,
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
  const prefix = { ...record.prefix, chain: stable.chain }
  const isSame = fingerprintOf(prefix, keys.slice(shown.stable), inputs) === record.fingerprint
  const { meter } = snapshot
  // A stored system prompt also has what the policy merged into it.
  const sent = { system: prompt.system ?? shown.system, tools: prompt.tools ?? [] }
  const tokensOf = (of: typeof sent) => {
    const { system, tools: ofTools } = measureProtected(of, [], meter)
    return system.tokens + ofTools.tokens
  }
  const tokens = shown.size.tokens - tokensOf({ system: shown.system, tools }) + tokensOf(sent)
  const isWhole = prompt.system !== null && prompt.tools !== null
  const sameMessages = isWhole ? null : 'prompt-not-stored'
  return {
    request: useOf(record),
    difference: isSame
      ? sameMessages
      : differenceOf(record, stable, snapshot, runtime.settings.policyHash),
    ...prompt,
    messages: shown.rendered.map(({ message, size }) => ({ ...message, tokens: size.tokens })),
    sections: sections(
      { ...shown, system: sent.system },
      measureProtected(sent, [], meter).tools,
      meter,
    ),
    omitted: shown.omitted,
    repairs: shown.repairs,
    suppliedTokens: Math.max(0, record.tokens - tokens),
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
