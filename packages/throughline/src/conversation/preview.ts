/**
 * What a compaction would do now, and nothing of it is done: the store stays as it is. Models
 * are asked only where that is wanted, and of what they say nothing is kept but what it has cost.
 */
import type { AskedCompaction } from '../domain/compaction.ts'
import type { Context } from '../domain/context.ts'
import type { Decision } from '../domain/decision.ts'
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Compacted } from '../domain/receipt.ts'
import type { Span } from '../domain/span.ts'
import type { View } from '../domain/view.ts'
import { type ContextResult, project } from '../engine.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import { type ContextInput, checkRequest } from '../flow/check/check-request.ts'
import { evaluateView } from '../flow/decide/evaluate-view.ts'
import { policyFor } from '../flow/measure/plan-budget.ts'
import { measureFixedParts } from '../flow/project/fixed-parts.ts'
import type { ContextInputs } from '../flow/project/records.ts'
import type { SummaryWriter } from '../flow/summarize/summary-writer.ts'
import type { ConversationState } from '../ports/state-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import { commitWithRetry } from './change-conversation.ts'
import { checkInstructions } from './compaction.ts'
import { checkReader, extensionContent } from './extension-content.ts'
import { storeRecaller } from './indexing.ts'
import { type ContextCall, projectingFrom } from './load-inputs.ts'
import type { Runtime } from './runtime.ts'
import { askStateWith, noAttempts, withAttempt, writerFor } from './summary-attempts.ts'
import type { SummaryLock } from './summary-locks.ts'

export interface PreviewInput extends ContextInput {
  /** Models write the summary, as they would; left out, it is told by what is known already. */
  readonly ask?: boolean | undefined
  /** As `compact` takes them: what the models that are asked are to dwell on. */
  readonly instructions?: string | undefined
}

export interface Preview {
  /** What the next context would decide by itself. */
  readonly decision: Decision
  /** Null, as the receipt is, where a compaction would change nothing. */
  readonly plan: PreviewPlan | null
  /** What would stand for the messages that are not shown. */
  readonly summary: string
  readonly ledger: string
  readonly files: string
  readonly receipt: Compacted | null
  /** As it would leave. */
  readonly context: Context
}

export interface PreviewPlan {
  /** What would go below the line. */
  readonly covered: Span
  readonly line: Seq
  /** Places below the line that would be shown all the same. */
  readonly keeps: readonly Seq[]
  /** Places of messages that would be shown as far as there is room for them. */
  readonly stubbed: readonly Seq[]
}

export async function previewOf(
  store: TenantStore,
  id: ConversationId,
  input: PreviewInput,
  front: Runtime,
): Promise<Preview> {
  const { ask = false, instructions, ...asked } = input ?? {}
  if (typeof ask !== 'boolean') throw invalidOption('preview: ask must be true or false')
  const request = checkRequest(asked, 'preview')
  request.signal?.throwIfAborted()
  const meter = await front.meter(request.model)
  const policy = policyFor(front.settings.policy, [request.model, meter.card.id])
  checkReader(request, policy, front.extension)
  const asking = { store, id, request, meter, policy, now: front.now() }
  const manual = { reason: 'manual', ...checkInstructions(instructions, 'preview') } as const
  const flight = ask ? front.flights.hold(front.tenant, id, request.signal) : null
  try {
    return await preview({ ...asking, manual }, flight, front)
  } finally {
    flight?.end()
  }
}

async function preview(
  asking: ContextCall & { readonly manual: AskedCompaction },
  flight: SummaryLock | null,
  front: Runtime,
): Promise<Preview> {
  const { store, id, meter, manual } = asking
  const state = await front.views.state(store, id, meter.card.id)
  const ledger = front.ledgers.of(store, id, state)
  const recaller = state === null ? null : storeRecaller(store, id, null)
  const extension = await extensionContent(asking, front.extension)
  const projecting = { ...projectingFrom({ ...asking, extension }, state, ledger, front), recaller }
  const decision = await decisionOn(projecting, writerOf(asking, state, noFlight, front))
  const writer = flight && writerOf(asking, state, flight, front)
  const projection = await project({ ...projecting, writer, wanted: manual })
  if (state !== null) await keepSpent(store, state, projection, meter.card.id, front)
  asking.request.signal?.throwIfAborted()
  const { context, compacted, view } = projection
  const { summary = '', ledger: entries = '', files = '' } = view?.past ?? {}
  const plan = compacted === null || view === null ? null : planOf(compacted, view)
  return { decision, plan, summary, ledger: entries, files, receipt: compacted, context }
}

async function decisionOn(
  projecting: Omit<ContextInputs, 'writer'>,
  writer: SummaryWriter | null,
): Promise<Decision> {
  const input = { ...projecting, writer }
  return (await evaluateView(input, await measureFixedParts(input))).decision
}

/** Of a writer that is only looked at. */
const noFlight: Pick<SummaryLock, 'take'> = { take: async () => 'waited' }

function writerOf(
  { id, request: { signal } }: ContextCall,
  state: ConversationState | null,
  flight: Pick<SummaryLock, 'take'>,
  front: Runtime,
): SummaryWriter | null {
  // Somebody else's summary would be another one: ours is only looked at.
  const take: SummaryLock['take'] = async (waitMs) => {
    const taken = await flight.take(waitMs)
    return taken === 'ended' ? 'waited' : taken
  }
  return writerFor(id, { asking: state?.asking ?? null, signal, take }, front)
}

async function keepSpent(
  store: TenantStore,
  first: ConversationState,
  { written }: ContextResult,
  model: string,
  { now }: Runtime,
): Promise<void> {
  if (written === null) return
  const asked = withAttempt(noAttempts, written, first.conversation.rewrites)
  await commitWithRetry({
    store,
    first,
    model,
    now,
    changesOf: async (state, at) => ({
      asking: askStateWith(state.asking, asked, at) ?? written.state,
    }),
  })
}

function planOf({ covered, line, keeps }: Compacted, { stubs }: View): PreviewPlan {
  return { covered, line, keeps, stubbed: stubs.map(({ seq }) => seq) }
}
