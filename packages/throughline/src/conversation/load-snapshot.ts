import { defaults } from '../defaults-data.ts'
import { loadDigests, loadFacts, loadRequests, loadSummaryBefore } from '../derived/rows.ts'
import { type ConversationState, loadState } from '../derived/state.ts'
import { isCoreSlot } from '../domain/context.ts'
import type { AskedCompaction } from '../domain/conversation.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import { keptRows } from '../domain/kept-rows-data.ts'
import type { Message } from '../domain/message.ts'
import type { Spent } from '../domain/model-calls.ts'
import type { Policy } from '../domain/policy.ts'
import type { Span } from '../domain/span.ts'
import { isThroughlineError, ThroughlineError } from '../errors.ts'
import { sealMessage, unstoredMessage } from '../flow/append/seal-message.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import type { ContextRequest } from '../flow/check/check-request.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { policyFor } from '../flow/measure/plan-budget.ts'
import { basisOf } from '../flow/project/basis.ts'
import { type PolicyPins, pinUserMessages } from '../flow/project/pin-user-messages.ts'
import type { ContextInputs } from '../flow/project/records.ts'
import type { DerivedReader, LogReader } from '../flow/read/readers.ts'
import { createMeaning } from '../flow/recall/meaning.ts'
import type { SummaryOutcome } from '../flow/summarize/summary-writer.ts'
import type { ContextExtension, ExtensionContent } from '../ports/context-extension.ts'
import type { TenantStore } from '../ports/store.ts'
import { nextTurn, sha256, systemTimer } from '../system.ts'
import type { FactsCache } from './facts-cache.ts'
import { type ReadSpan, requestedAtOnce, storeRecaller } from './indexing.ts'
import type { LedgerOfState } from './ledger-cache.ts'
import type { TailCache } from './message-cache.ts'
import type { Internals, Runtime } from './runtime.ts'

/** A request and the state of its conversation; changes are committed to its version. */
export interface Snapshot {
  readonly store: TenantStore
  readonly id: ConversationId
  readonly request: ContextRequest
  readonly meter: Meter
  readonly policy: Policy
  readonly now: number
  readonly state: ConversationState | null
  readonly ledger: LedgerOfState
  /** Pins that the policy sets with this request; null for none. */
  readonly pinned: PolicyPins | null
  /** Summaries of earlier attempts of this call, and their cost. */
  readonly attempts: SummaryAttempts
}

export interface SummaryAttempts {
  readonly written: SummaryOutcome | null
  readonly spent: readonly Spent[]
  /** How often the conversation had been rewritten when the summary was requested. */
  readonly rewrites: number
}

export const noAttempts: SummaryAttempts = { written: null, spent: [], rewrites: 0 }

export async function loadSnapshot(
  { store, id, runtime }: Internals,
  request: ContextRequest,
): Promise<Snapshot> {
  const meter = await runtime.meter(request.model)
  const names = [request.model, meter.card.id]
  const hasWriter = runtime.styles.some(({ models }) => models.length > 0)
  const policy = policyFor(runtime.settings.policy, names, hasWriter)
  checkReader(request, policy, runtime.extension)
  const now = runtime.now()
  return reloadSnapshot({ store, id, request, meter, policy, now, attempts: noAttempts }, runtime)
}

/** Loads the state again after another process committed. */
export async function reloadSnapshot(
  call: Omit<Snapshot, 'state' | 'ledger' | 'pinned'>,
  { views, ledgers }: Runtime,
): Promise<Snapshot> {
  const state = await views.state(call, call.meter.card.id)
  return { ...call, state, ledger: ledgers(call, state), pinned: null }
}

/** Adds the pins that the policy sets now: how many depends on the room in this request. */
export async function withPins(snapshot: Snapshot, { tails, ledgers }: Runtime): Promise<Snapshot> {
  const { request, meter, policy, state } = snapshot
  if (state === null || policy.pinUserMessages === null) return snapshot
  const { conversation, calibration } = state
  const log = storeLog(snapshot, tails)
  const { pinnedTo } = conversation
  const pinned = await pinUserMessages({ log, pinnedTo, request, meter, policy, calibration })
  if (pinned === null) return snapshot
  const marked = { ...state, conversation: { ...conversation, ...pinned } }
  return { ...snapshot, pinned, state: marked, ledger: ledgers(snapshot, marked) }
}

/** The inputs of the engine without a summarizer, which the caller adds. */
export async function loadInputs(
  snapshot: Snapshot,
  runtime: Runtime,
): Promise<Omit<ContextInputs, 'writer'>> {
  const { store, id, request, meter, policy, state, now } = snapshot
  // Read after the state, so that it covers no less than the state does.
  const extension = await extensionContent(snapshot, runtime.extension)
  const { settings, tails } = runtime
  const { pins = [], head = 0, compaction } = state?.conversation ?? {}
  const log = storeLog(snapshot, tails)
  const read: ReadSpan = (span) => log.read(span, [])
  const { messageBytesMax, embedder } = settings
  const meaning = createMeaning(embedder, systemTimer)
  const sealing =
    request.next === undefined
      ? null
      : sealMessage(request.next, 'next', { sha256, now: runtime.now(), messageBytesMax })
  const files = new Map(sealing?.sealed.files.map((file) => [file.sha256, file.bytes]))
  return {
    log:
      files.size === 0 ? log : { ...log, file: async (hash) => files.get(hash) ?? log.file(hash) },
    derived: storeDerived(snapshot, runtime.factRows),
    request,
    next: sealing && unstoredMessage(sealing, id, head),
    extension,
    coveredTo: Math.min(extension?.coveredTo ?? 0, head),
    view: state?.view ?? null,
    inserts: state?.inserts ?? [],
    recaller:
      state === null
        ? null
        : storeRecaller(snapshot, {
            indexing: runtime.indexing,
            meaning,
            read,
            atOnce: requestedAtOnce,
          }),
    calibration: state?.calibration ?? null,
    lastRequest: state?.last ?? null,
    findRequest: async (fingerprint) => {
      const requests = (await loadRequests(store, { id, limit: keptRows.requests })) ?? []
      return requests.find((request) => request.fingerprint === fingerprint) ?? null
    },
    meter,
    warnings: runtime.modelWarnings(request.model),
    policy,
    mode: compaction?.mode ?? settings.compaction,
    styles: runtime.styles.map(({ style }) => style),
    suspended: compaction?.suspended.some(({ model }) => model === meter.card.id) ?? false,
    requestedCompaction: requestedCompactionOf(state, meter),
    basis: basisOf(meter, pins, settings.policyHash),
    sha256,
    now,
  }
}

/** A compaction that was requested for one model is for that model only. */
export function requestedCompactionOf(
  state: ConversationState | null,
  { card }: Meter,
): AskedCompaction | null {
  const asked = state?.conversation.compaction.asked ?? null
  return asked?.reason === 'provider-overflow' && asked.model !== card.id ? null : asked
}

const emptyConversation = { head: 0, chain: '', pins: [], rewrites: 0 }

/** Reads the log as of the state: messages that are appended later belong to the next request. */
function storeLog({ store, id, state }: Snapshot, tails: TailCache): LogReader {
  const { head, chain, pins, rewrites } = state?.conversation ?? emptyConversation
  const readSpan = async (span: Span, except: readonly Seq[]) =>
    check(await store.read({ id, span, except }))
  const check = (messages: readonly Message[] | null): readonly Message[] => {
    const newest = messages?.at(-1)
    // The conversation was purged, and perhaps created again under the same id.
    if (messages === null || (newest?.seq === head - 1 && newest.hashes.chain !== chain))
      throw new ThroughlineError('CONVERSATION_REPLACED', `conversation "${id}" was replaced`)
    return messages
  }
  let readSinceTurn = 0
  const known = async (span: Span, except: readonly Seq[]) => {
    if (state === null) return []
    if (readSinceTurn >= defaults.pageMessages) {
      readSinceTurn = 0
      // A long log is read and analysed page by page, and nothing else would run meanwhile.
      await nextTurn()
    }
    const query = { span, except, head, chain, rewrites, read: readSpan }
    const messages = await tails.read(state.serial, query)
    readSinceTurn += messages.length
    return messages
  }
  return {
    head,
    rewrites,
    pins,
    read: async (span, except) => {
      if (span.from >= Math.min(span.to, head)) return []
      return known({ from: span.from, to: Math.min(span.to, head) }, except)
    },
    readBack: async (before, limit) => {
      const to = Math.min(before, head)
      return to === 0 ? [] : known({ from: Math.max(0, to - limit), to }, [])
    },
    file: (sha256) => store.bytes({ id, sha256 }),
  }
}

/** Whether a read failed because the conversation was rewritten, and not replaced by another. */
export async function isRewritten(
  error: unknown,
  { store, id, state: before, meter }: Snapshot,
): Promise<boolean> {
  if (before === null || !isThroughlineError(error)) return false
  if (error.code !== 'CONVERSATION_REPLACED') return false
  const state = await loadState(store, { id, model: meter.card.id })
  if (state?.serial !== before.serial) return false
  return state.conversation.rewrites !== before.conversation.rewrites
}

function storeDerived({ store, id, state, ledger }: Snapshot, factRows: FactsCache): DerivedReader {
  return {
    ledger: () => ledger.read(),
    summaryBefore: (place) => loadSummaryBefore(store, { id, place }),
    digests: async (span) => (await loadDigests(store, { id, span })) ?? [],
    rowsBefore: async (before, limit, trust) => {
      const known = await ledger.read()
      // Until all facts are extracted, rows are added between those that are known.
      if (state !== null && known !== null && known.from === undefined)
        return factRows.read({ store, id }, state, { before, limit, trust })
      const only = trust === null ? {} : { trust }
      const query = { id, span: { from: 0, to: before }, newestFirst: true, limit, ...only }
      return (await loadFacts(store, query)) ?? []
    },
    rowsIn: async (span) => (state === null ? [] : factRows.readSpan({ store, id }, state, span)),
    maxCharacters: defaults.requestCharacters,
  }
}

/** A reader that would not be used is refused rather than ignored. */
function checkReader(
  { memory }: Pick<ContextRequest, 'memory'>,
  policy: Pick<Policy, 'name' | 'slots'>,
  { slots }: Pick<ContextExtension, 'slots'>,
): void {
  if (memory === null || slotsOf(policy).size > 0) return
  throw invalidOption(
    `memory: policy "${policy.name}" has no slot for it; use the policy turn-memory, or add one of the slots ${slots.join(', ')}`,
  )
}

/** Null where the policy has no slot for it. */
async function extensionContent(
  { store, id, request, policy }: Snapshot,
  extension: ContextExtension,
): Promise<ExtensionContent | null> {
  const slots = slotsOf(policy)
  if (slots.size === 0) return null
  const reader = request.memory ?? 'full'
  const content = await extension.content({ store, id, policy, reader })
  return { ...content, pieces: content.pieces.filter(({ slot }) => slots.has(slot)) }
}

function slotsOf({ slots }: Pick<Policy, 'slots'>): ReadonlySet<string> {
  return new Set(slots.map(({ kind }) => kind).filter((kind) => !isCoreSlot(kind)))
}
