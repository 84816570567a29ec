/**
 * A context for a conversation in a store: its state read, the engine asked, what changed kept. Where
 * somebody else has committed meanwhile, all of it once more; what models were paid for is not lost.
 */
import { defaults } from '../defaults.ts'
import type { Context } from '../domain/context.ts'
import type { ConversationId } from '../domain/ids.ts'
import { type ContextResult, project } from '../engine.ts'
import { ThroughlineError } from '../errors.ts'
import {
  type ContextInput,
  type ContextRequest,
  checkRequest,
} from '../flow/check/check-request.ts'
import { failureFor } from '../flow/epoch/summarize.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { policyFor } from '../flow/measure/plan-budget.ts'
import { type PinnedSaid, pinSaid } from '../flow/project/pin-user-messages.ts'
import type { ConversationState, RecordCommand } from '../ports/state-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import { enqueueIndexing, enqueueJobs } from './enqueue-jobs.ts'
import { checkReader, extensionContent } from './extension-content.ts'
import type { LedgerOfState } from './ledger-cache.ts'
import { type ContextCall, isRewritten, projectingFrom, storeLog } from './load-inputs.ts'
import { persist } from './persist.ts'
import type { Runtime } from './runtime.ts'
import {
  accounted,
  askStateWith,
  noAttempts,
  oncePaid,
  rewritesOf,
  type SummaryAttempts,
  stillValid,
  untouched,
  withAttempt,
  withUncommittedSummary,
  writerFor,
} from './summary-attempts.ts'
import type { SummaryLock } from './summary-locks.ts'

export async function contextOf(
  store: TenantStore,
  id: ConversationId,
  input: ContextInput,
  front: Runtime,
): Promise<Context> {
  const request = checkRequest(input)
  request.signal?.throwIfAborted()
  const meter = await front.meter(request.model)
  const policy = policyFor(front.settings.policy, [request.model, meter.card.id])
  checkReader(request, policy, front.extension)
  const flight = front.flights.hold(front.tenant, id, request.signal)
  try {
    const now = front.now()
    return await inAttempts({ store, id, request, meter, policy, flight, now }, front)
  } finally {
    flight.end()
  }
}

interface HeldCall extends ContextCall {
  readonly flight: SummaryLock
}

/** What one attempt goes by: the state as it was read, and what was asked of models before. */
interface Attempt extends HeldCall {
  readonly state: ConversationState | null
  readonly pinned: PinnedSaid | null
  readonly ledger: LedgerOfState
  readonly asked: SummaryAttempts
}

async function inAttempts(call: HeldCall, front: Runtime): Promise<Context> {
  let asked = noAttempts
  for (let attempts = 0; attempts < defaults.commitAttempts.value; attempts += 1) {
    const attempt = await beginAttempt(call, asked, front)
    const projection = await projectFrom(attempt, front)
    asked = withAttempt(attempt.asked, projection?.written ?? null, rewritesOf(attempt.state))
    if (projection === null || projection.overtaken) call.request.signal?.throwIfAborted()
    else if (await keep({ ...attempt, asked }, projection, front)) return projection.context
  }
  throw new ThroughlineError(
    'STORE_BUSY',
    `conversation "${call.id}" is changed by others all the time`,
  )
}

async function beginAttempt(
  call: HeldCall,
  asked: SummaryAttempts,
  front: Runtime,
): Promise<Attempt> {
  const { store, id, meter } = call
  const stored = await front.views.state(store, id, meter.card.id)
  const pinned = await pinnedSaid(call, stored, front)
  const state = withPins(stored, pinned)
  const ledger = front.ledgers.of(store, id, state)
  return { ...call, state, pinned, ledger, asked: await stillValid(asked, store, id, state) }
}

/** Null where the log was rewritten while it was read. */
async function projectFrom(attempt: Attempt, front: Runtime): Promise<ContextResult | null> {
  const { store, id, meter, request, flight, state, ledger, asked, now } = attempt
  const asking = askStateWith(state?.asking ?? null, asked, now)
  const take = oncePaid(asked, flight.take)
  try {
    const extension = await extensionContent(attempt, front.extension)
    const projecting = projectingFrom({ ...attempt, extension }, state, ledger, front)
    return await project({
      ...projecting,
      past: withUncommittedSummary(projecting.past, asked.written?.record ?? null),
      writer: writerFor(id, { asking, signal: request.signal, take }, front),
    })
  } catch (error) {
    if (await isRewritten(error, store, state, meter.card.id)) return null
    throw error
  }
}

/** False where somebody else was faster. Throws where all went well and there is no context. */
async function keep(attempt: Attempt, projection: ContextResult, front: Runtime): Promise<boolean> {
  const { store, id, meter, policy, request, state, pinned, asked, now } = attempt
  const ended = endOf(projection, policy, request)
  const durationMs = Math.max(0, front.now() - now)
  const made = ended === null ? accounted(projection, asked) : untouched(projection, state)
  if (!(await persist(attempt, state, { ...made, asked, pinned, durationMs }, front))) return false
  // A request that nobody gets is not remembered: the next one goes on from the one before.
  if (ended !== null) throw ended.reason
  if (state !== null) {
    await store.record({ id, request: projection.sent, ...recalledChange(projection, meter) })
    front.hindsight.notice(store, id, state)
  }
  enqueueJobs(attempt, state, projection, front)
  enqueueIndexing(attempt, state, projection, front)
  return true
}

/** What the policy pins of what came since: with the request, which knows how much that may be. */
async function pinnedSaid(
  { store, id, request, meter, policy }: ContextCall,
  state: ConversationState | null,
  { tails }: Runtime,
): Promise<PinnedSaid | null> {
  if (state === null || policy.pinUserMessages === null) return null
  const { conversation, calibration } = state
  const log = storeLog(store, id, state, tails)
  return pinSaid({ log, pinnedTo: conversation.pinnedTo, request, meter, policy, calibration })
}

function withPins(
  state: ConversationState | null,
  pinned: PinnedSaid | null,
): ConversationState | null {
  if (state === null || pinned === null) return state
  return { ...state, conversation: { ...state.conversation, ...pinned } }
}

function recalledChange(
  { inserts }: ContextResult,
  { card }: Meter,
): Pick<RecordCommand, 'recalled'> {
  return inserts.length === 0 ? {} : { recalled: { model: card.id, inserts } }
}

/** Why there is no context, though all went well until then. */
function endOf(
  { written }: ContextResult,
  policy: ContextCall['policy'],
  { signal }: ContextRequest,
): { readonly reason: unknown } | null {
  if (signal?.aborted) return { reason: signal.reason }
  const failure = failureFor(policy, written)
  return failure && { reason: failure }
}
