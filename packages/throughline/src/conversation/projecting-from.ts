/** A conversation as its store has it, made ready for the engine: for a request, a preview and a job alike. */
import type { AskedCompaction } from '../domain/compaction.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import { sealMessage, unplacedMessage } from '../flow/append/seal-message.ts'
import type { ContextRequest } from '../flow/check/check-request.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { basisOf } from '../flow/project/basis.ts'
import type { NextMessage, Projecting } from '../flow/project/projecting.ts'
import type { ExtensionContent } from '../ports/context-extension.ts'
import { keptRows } from '../ports/kept-rows.ts'
import type { ConversationState } from '../ports/state-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import { sha256 } from '../system.ts'
import type { Front } from './front.ts'
import type { ReadSpan } from './indexing.ts'
import type { LedgerOfState } from './known-ledgers.ts'
import { storeLog } from './store-log.ts'
import { storePast } from './store-past.ts'
import { storeRecaller } from './store-recaller.ts'

export interface ContextCall {
  readonly store: TenantStore
  readonly id: ConversationId
  readonly request: ContextRequest
  readonly meter: Meter
  readonly policy: Policy
  readonly now: number
}

export interface ExtendedCall extends ContextCall {
  /** Read after the state, so that it covers no less than the state does. */
  readonly extension: ExtensionContent | null
}

/** Without anybody to ask: the caller says who writes summaries, if anybody does. */
export function projectingFrom(
  { store, id, request, meter, policy, extension, now }: ExtendedCall,
  state: ConversationState | null,
  ledger: LedgerOfState,
  front: Front,
): Omit<Projecting, 'writer'> {
  const { settings, tails } = front
  const { pins = [], head = 0, compaction } = state?.conversation ?? {}
  const log = storeLog(store, id, state, tails)
  const read: ReadSpan = (span) => log.read(span, [])
  return {
    log,
    past: storePast(store, id, ledger),
    request,
    next: nextMessage(request, id, state, front),
    extension,
    coveredTo: Math.min(extension?.coveredTo ?? 0, head),
    view: state?.view ?? null,
    inserts: state?.inserts ?? [],
    recaller: state === null ? null : storeRecaller(store, id, front.indexing, read),
    calibration: state?.calibration ?? null,
    last: state?.last ?? null,
    findRequest: async (fingerprint) => {
      const requests = (await store.requests({ id, limit: keptRows.requests })) ?? []
      return requests.find((request) => request.fingerprint === fingerprint) ?? null
    },
    meter,
    policy,
    mode: compaction?.mode ?? settings.compaction,
    styles: settings.styles.map(({ style }) => style),
    suspended: compaction?.suspended.some(({ model }) => model === meter.card.id) ?? false,
    wanted: wantedOf(state, meter),
    basis: basisOf(meter, pins, settings.policyHash),
    sha256,
    now,
  }
}

/** One that was asked for because of a model is for that model. */
export function wantedOf(state: ConversationState | null, { card }: Meter): AskedCompaction | null {
  const wanted = state?.conversation.compaction.asked ?? null
  return wanted?.reason === 'provider-overflow' && wanted.model !== card.id ? null : wanted
}

function nextMessage(
  { next }: ContextRequest,
  id: ConversationId,
  state: ConversationState | null,
  { now, settings }: Front,
): NextMessage | null {
  if (next === undefined) return null
  const sealing = sealMessage(next, 'next', {
    sha256,
    now: now(),
    messageBytesMax: settings.messageBytesMax,
  })
  const seq = state?.conversation.head ?? 0
  const message = unplacedMessage(sealing, id, seq)
  return { message, files: new Map(sealing.sealed.files.map((file) => [file.sha256, file.bytes])) }
}
