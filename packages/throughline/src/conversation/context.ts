import type { Context } from '../domain/context.ts'
import type { ConversationId } from '../domain/ids.ts'
import { type Projection, project } from '../engine.ts'
import { ThroughlineError } from '../errors.ts'
import { type ContextInput, type ContextRequest, checkRequest } from '../flow/assemble/request.ts'
import { type PinnedSaid, pinSaid } from '../flow/epoch/pin-said.ts'
import { hasFailed, summaryFailed } from '../flow/epoch/summarize.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { policyFor } from '../flow/measure/policy-for.ts'
import type { ConversationState, RecordCommand } from '../ports/state-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import { type AskedSoFar, askedMore, askStateWith, nothingAsked } from './asked-so-far.ts'
import type { Flight } from './flights.ts'
import type { Front } from './front.ts'
import type { LedgerOfState } from './known-ledgers.ts'
import { withSummary } from './known-summary.ts'
import { unlessOvertaken } from './overtaken.ts'
import { persist } from './persist.ts'
import { type Asking, projectingFrom } from './projecting-from.ts'
import { checkMemory, memoryToTell } from './read-memory.ts'
import { storeLog } from './store-log.ts'
import { writerFor } from './summary-writer.ts'
import { isRewritten, unlessRewritten } from './unless-rewritten.ts'
import { noteIndexing, noteWork } from './work-behind.ts'

// Each failed attempt is a commit that somebody else made: so many in a row is no accident.
const attemptsMax = 20

export async function contextOf(
  store: TenantStore,
  id: ConversationId,
  input: ContextInput,
  front: Front,
): Promise<Context> {
  const request = checkRequest(input)
  request.signal?.throwIfAborted()
  const meter = await front.meter(request.model)
  const policy = policyFor(front.settings.policy, [request.model, meter.card.id])
  checkMemory(request, policy)
  const flight = front.flights.hold(front.tenant, id, request.signal)
  try {
    return await inAttempts({ store, id, request, meter, policy, flight, now: front.now() }, front)
  } finally {
    flight.end()
  }
}

interface Request extends Asking {
  readonly flight: Flight
}

interface Attempt extends Request {
  readonly ledger: LedgerOfState
}

async function inAttempts(asking: Request, front: Front): Promise<Context> {
  const { store, id, request, meter, policy, now } = asking
  let asked = nothingAsked
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const stored = await front.views.state(store, id, meter.card.id)
    const pinned = await pinnedSaid(asking, stored, front)
    const state = withPins(stored, pinned)
    const ledger = front.ledgers.of(store, id, state)
    asked = await asStored(store, id, asked, state)
    const projection: Projection | null = await projectFrom(
      { ...asking, ledger },
      state,
      asked,
      front,
    ).catch(async (error: unknown) => {
      if (await isRewritten(error, store, state, meter.card.id)) return null
      throw error
    })
    if (projection === null || projection.overtaken) {
      request.signal?.throwIfAborted()
      continue
    }
    asked = askedMore(asked, projection.written, rewritesOf(state))
    const ended = endOf(projection, policy, request)
    const durationMs = Math.max(0, front.now() - now)
    const made = ended === null ? accounted(projection, asked) : untouched(projection, state)
    if (
      !(await persist({ ...asking, ledger }, state, { ...made, asked, pinned, durationMs }, front))
    )
      continue
    // A request that nobody gets is not remembered: the next one goes on from the one before.
    if (ended !== null) throw ended.reason
    if (state !== null) {
      await store.record({ id, request: projection.record, ...recalledChange(projection, meter) })
      front.hindsight.notice(store, id, state)
    }
    noteWork(asking, state, projection, front)
    noteIndexing(asking, state, projection, front)
    return projection.context
  }
  throw new ThroughlineError('STORE_BUSY', `conversation "${id}" is changed by others all the time`)
}

async function projectFrom(
  attempt: Attempt,
  state: ConversationState | null,
  asked: AskedSoFar,
  front: Front,
): Promise<Projection> {
  const { id, request, flight, ledger, now } = attempt
  const asking = askStateWith(state?.asking ?? null, asked, now)
  const memory = await memoryToTell(attempt)
  const projecting = projectingFrom({ ...attempt, memory }, state, ledger, front)
  return project({
    ...projecting,
    past: withSummary(projecting.past, asked.written?.record ?? null),
    writer: writerFor(
      id,
      { asking, signal: request.signal, take: oncePaid(asked, flight.take) },
      front,
    ),
  })
}

/** What the policy pins of what came since: with the request, which knows how much that may be. */
function pinnedSaid(
  { store, id, request, meter, policy }: Asking,
  state: ConversationState | null,
  { tails }: Front,
): Promise<PinnedSaid | null> | null {
  if (state === null || policy.pinSaid === null) return null
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

/** In an attempt before somebody else was faster, perhaps with a summary too. */
async function asStored(
  store: TenantStore,
  id: ConversationId,
  asked: AskedSoFar,
  state: ConversationState | null,
): Promise<AskedSoFar> {
  if (asked.written === null) return asked
  const rewrites = { before: asked.rewrites, now: rewritesOf(state) }
  const written = unlessRewritten(asked.written, rewrites)
  return { ...asked, written: await unlessOvertaken(store, id, written) }
}

function rewritesOf(state: ConversationState | null): number {
  return state?.conversation.rewrites ?? 0
}

/**
 * A call that has a summary has no other one written: one that goes on from the first would
 * name a parent that nobody keeps, and what came since is told by rules, or the next time.
 */
function oncePaid({ written }: AskedSoFar, take: Flight['take']): Flight['take'] {
  const isTold =
    (written !== null && written.record !== null) || written?.summarization.why === 'overtaken'
  return isTold ? async () => 'waited' : take
}

function recalledChange({ inserts }: Projection, { card }: Meter): Pick<RecordCommand, 'recalled'> {
  return inserts.length === 0 ? {} : { recalled: { model: card.id, inserts } }
}

/** Why there is no context, though all went well until then. */
function endOf(
  { written }: Projection,
  { onFailure }: Asking['policy'],
  { signal }: ContextRequest,
): { readonly reason: unknown } | null {
  if (signal?.aborted) return { reason: signal.reason }
  return written !== null && onFailure === 'throw' && hasFailed(written)
    ? { reason: summaryFailed(written) }
    : null
}

/** A receipt tells of the calls that led to it, also where they were made in an attempt before. */
function accounted(projection: Projection, { written }: AskedSoFar): Projection {
  const { compacted } = projection
  if (compacted === null || written === null || projection.written !== null) return projection
  const { summarization } = written
  return { ...projection, compacted: { ...compacted, summarization } }
}

/** Only what was spent is kept. */
function untouched(projection: Projection, state: ConversationState | null): Projection {
  return { ...projection, view: state?.view ?? null, facts: null, compacted: null }
}
