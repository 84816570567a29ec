/** A dry run of a compaction: it changes no rows; of models' calls, only the cost is kept. */
import type { ConversationState } from '../derived/state.ts'
import type { Context } from '../domain/context.ts'
import type { AskedCompaction } from '../domain/conversation.ts'
import type { Decision } from '../domain/decision.ts'
import type { Seq } from '../domain/ids.ts'
import type { Compacted } from '../domain/receipt.ts'
import type { View } from '../domain/view.ts'
import { buildContext } from '../engine.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import { type ContextInput, checkRequest } from '../flow/check/check-request.ts'
import { evaluateView } from '../flow/decide/evaluate-view.ts'
import { measureFixedParts } from '../flow/project/fixed-parts.ts'
import type { SummaryOutcome } from '../flow/summarize/summary-writer.ts'
import { commitWithRetry } from './change-conversation.ts'
import { storeRecaller } from './indexing.ts'
import { loadInputs, loadSnapshot, noAttempts, type Snapshot } from './load-snapshot.ts'
import { checkInstructions } from './requested-compaction.ts'
import { checkModel, type Internals, type Runtime } from './runtime.ts'
import { askStateWith, withAttempt, writerFor } from './summary-attempts.ts'
import type { SummaryLock } from './summary-locks.ts'

/** The input of `chat.preview`. */
export interface PreviewInput extends ContextInput {
  /** Asks models for the summary; by default only stored summaries and rules are used. */
  readonly ask?: boolean | undefined
  /** What the summary is to focus on, as for `compact`. */
  readonly instructions?: string | undefined
}

/** What a compaction would do now. */
export interface Preview {
  /** The decision of the next context without a requested compaction. */
  readonly decision: Decision
  /** Null, like the receipt, where a compaction would change nothing. */
  readonly plan: PreviewPlan | null
  /** The user's words in place of their messages; the digest or summary of the others. */
  readonly requests: string
  readonly summary: string
  readonly ledger: string
  readonly files: string
  readonly receipt: Compacted | null
  readonly context: Context
}

interface PreviewPlan extends Pick<Compacted, 'covered' | 'line' | 'keeps'> {
  /** Places of messages that would be shortened. */
  readonly stubbed: readonly Seq[]
}

export async function previewOf(chat: Internals, input: PreviewInput): Promise<Preview> {
  const { id, runtime } = chat
  const { ask = false, instructions, ...asked } = input ?? {}
  if (typeof ask !== 'boolean') throw invalidOption('preview: ask must be true or false')
  const request = checkRequest(asked, 'preview')
  request.signal?.throwIfAborted()
  checkModel(request.model, runtime)
  const requestedCompaction = {
    reason: 'manual',
    ...checkInstructions(instructions, 'preview'),
  } as const
  const lock = ask ? runtime.locks.lockFor(runtime.tenant, id, request.signal) : null
  try {
    return await preview(await loadSnapshot(chat, request), requestedCompaction, lock, runtime)
  } finally {
    lock?.end()
  }
}

async function preview(
  snapshot: Snapshot,
  requestedCompaction: AskedCompaction,
  lock: SummaryLock | null,
  runtime: Runtime,
): Promise<Preview> {
  const { request, state } = snapshot
  // Without indexing: the store stays as it is.
  const loaded = await loadInputs(snapshot, runtime)
  const { meaning = null } = loaded.recaller ?? {}
  const recaller = state === null ? null : storeRecaller(snapshot, { indexing: null, meaning })
  const inputs = { ...loaded, recaller }
  const withoutModels = { ...inputs, writer: writerOf(snapshot, noLock, runtime) }
  const fixed = await measureFixedParts(withoutModels)
  const { decision } = await evaluateView(withoutModels, fixed)
  const writer = lock && writerOf(snapshot, lock, runtime)
  const result = await buildContext({ ...inputs, writer, requestedCompaction })
  const { context, compacted, outcome } = result
  const { view, summaryOutcome } = outcome
  if (state !== null && summaryOutcome !== null)
    await recordSpent(snapshot, state, summaryOutcome, runtime)
  request.signal?.throwIfAborted()
  const { requests = '', summary = '', ledger = '', files = '' } = view?.history ?? {}
  const plan = compacted && view && planOf(compacted, view)
  return { decision, plan, requests, summary, ledger, files, receipt: compacted, context }
}

const noLock: Pick<SummaryLock, 'take'> = { take: async () => 'waited' }

function writerOf(snapshot: Snapshot, lock: Pick<SummaryLock, 'take'>, runtime: Runtime) {
  // A dry run does not use the summary that another process has just written.
  const take: SummaryLock['take'] = async (waitMs) => {
    const taken = await lock.take(waitMs)
    return taken === 'ended' ? 'waited' : taken
  }
  return writerFor(snapshot, take, runtime)
}

async function recordSpent(
  { store, meter }: Snapshot,
  first: ConversationState,
  written: SummaryOutcome,
  { now }: Runtime,
): Promise<void> {
  const attempts = withAttempt(noAttempts, written, first.conversation.rewrites)
  const changesOf = async ({ asking }: ConversationState, at: number) => ({
    asking: askStateWith(asking, attempts, at) ?? written.state,
  })
  await commitWithRetry(store, first, { model: meter.card.id, now }, changesOf)
}

function planOf({ covered, line, keeps }: Compacted, { stubs }: View): PreviewPlan {
  return { covered, line, keeps, stubbed: stubs.map(({ seq }) => seq) }
}
