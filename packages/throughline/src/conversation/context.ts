/** A context for a conversation in a store: its state read, the engine asked, what changed kept. */
import type { AskedCompaction } from '../domain/compaction.ts'
import type { Context } from '../domain/context.ts'
import type { ConversationId } from '../domain/ids.ts'
import { type Projection, project } from '../engine.ts'
import { ThroughlineError } from '../errors.ts'
import { basisOf } from '../flow/basis.ts'
import type { Meter } from '../flow/measure.ts'
import { policyFor } from '../flow/policy-for.ts'
import type { NextMessage } from '../flow/projecting.ts'
import { type ContextInput, type ContextRequest, checkRequest } from '../flow/request.ts'
import { sealMessage } from '../flow/seal-message.ts'
import { unplacedMessage } from '../flow/unsealed-message.ts'
import type { ConversationChanges, ConversationState, TenantStore } from '../ports/store.ts'
import { sha256 } from '../system.ts'
import type { Front } from './front.ts'
import type { LedgerOfState } from './known-ledgers.ts'
import { receiptChange } from './receipts.ts'
import { storeLog } from './store-log.ts'
import { storePast } from './store-past.ts'

// Each failed attempt is a commit that somebody else made: so many in a row is no accident.
const attemptsMax = 20

export async function contextOf(
  store: TenantStore,
  id: ConversationId,
  input: ContextInput,
  front: Front,
): Promise<Context> {
  const request = checkRequest(input)
  const meter = await front.meter(request.model)
  const policy = policyFor(front.settings.policy, [request.model, meter.card.id])
  const now = front.now()
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const state = await front.views.state(store, id, meter.card.id)
    const ledger = front.ledgers.of(store, id, state)
    const projection = await project({
      log: storeLog(store, id, state, front.tails),
      past: storePast(store, id, ledger),
      request,
      next: nextMessage(request, id, state, front),
      view: state?.view ?? null,
      calibration: state?.calibration ?? null,
      last: state?.last ?? null,
      meter,
      policy,
      mode: state?.conversation.compaction.mode ?? front.settings.compaction,
      asked: askedOf(state, meter),
      basis: basisOf(meter, state?.conversation.pins ?? [], front.settings.policyHash),
      now,
    })
    const durationMs = Math.max(0, front.now() - now)
    if (
      !(await persist(store, id, state, { ...projection, ledger, front, meter, now, durationMs }))
    )
      continue
    if (state !== null) front.hindsight.notice(store, id, state)
    return projection.context
  }
  throw new ThroughlineError('STORE_BUSY', `conversation "${id}" is changed by others all the time`)
}

/** False where somebody else was faster: what we know is old. */
async function persist(
  store: TenantStore,
  id: ConversationId,
  state: ConversationState | null,
  made: Projection & {
    readonly ledger: LedgerOfState
    readonly front: Front
    readonly meter: Meter
    readonly now: number
    readonly durationMs: number
  },
): Promise<boolean> {
  // Before its first message there is nothing to keep a view of.
  if (state === null) return true
  const { version, compaction } = state.conversation
  const { recorded } = state
  const isWaiting = state.hindsightDue !== null
  const changes: ConversationChanges = {
    ...(made.view !== state.view && { view: { model: made.meter.card.id, view: made.view } }),
    ...factsChange(made),
    ...receiptChange(made, { at: made.now, durationMs: made.durationMs, recorded, isWaiting }),
    ...(askedOf(state, made.meter) !== null && { compaction: { ...compaction, asked: null } }),
  }
  if (Object.keys(changes).length > 0) {
    const outcome = await store.commit({ id, expectedVersion: version, changes, at: made.now })
    if (outcome.kind === 'version-moved') return false
    if (outcome.kind === 'committed') {
      made.ledger.committed(made.facts)
      const known = { version: version + 1, serial: state.serial, view: made.view }
      made.front.views.committed(store, id, made.meter.card.id, known)
    }
  }
  await store.record({ id, request: made.record })
  return true
}

function factsChange({
  facts,
  ledger,
}: Pick<Projection, 'facts'> & { readonly ledger: LedgerOfState }): Pick<
  ConversationChanges,
  'facts'
> {
  return facts === null || facts.rows.length === 0 ? {} : { facts: ledger.change(facts) }
}

/** One that was asked for because of a model is for that model. */
function askedOf(state: ConversationState | null, { card }: Meter): AskedCompaction | null {
  const asked = state?.conversation.compaction.asked ?? null
  return asked?.reason === 'provider-overflow' && asked.model !== card.id ? null : asked
}

function nextMessage(
  { next }: ContextRequest,
  id: ConversationId,
  state: ConversationState | null,
  { now, settings }: Front,
): NextMessage | null {
  if (next === undefined) return null
  const sealed = sealMessage(next, 'next', {
    sha256,
    now: now(),
    messageBytesMax: settings.messageBytesMax,
  })
  const seq = state?.conversation.head ?? 0
  const message = unplacedMessage(sealed, id, seq)
  return { message, files: new Map(sealed.files.map((file) => [file.sha256, file.bytes])) }
}
