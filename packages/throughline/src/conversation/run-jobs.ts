/**
 * The background jobs: `runSummarize` writes the summary of the next compaction, `runDigest` the
 * digest of one large message. A job may be old, repeated, or running in another process too, so
 * it first checks whether its result is still needed.
 *
 * A summary is committed to any later version, unless messages were edited, removed or purged. If
 * two jobs summarize the same messages, the first summary stays.
 */
import { defaults } from '../defaults-data.ts'
import { loadDigests } from '../derived/rows.ts'
import { type ConversationState, loadState } from '../derived/state.ts'
import { conversationId } from '../domain/ids.ts'
import { newAskState } from '../domain/model-calls.ts'
import { isRemoved } from '../domain/sealed-message.ts'
import { isBreakerOpen } from '../flow/decide/evaluate-view.ts'
import { type PreparedSummary, prepareSummary } from '../flow/epoch/prepare-summary.ts'
import { policyFor } from '../flow/measure/plan-budget.ts'
import { addSpent, costOfAll } from '../flow/summarize/ask-models.ts'
import { type SummarizedMessage, summarizeMessage } from '../flow/summarize/summarize-chunks.ts'
import type { DigestJob, SummarizeJob } from '../ports/queue.ts'
import type { TenantStore } from '../ports/store.ts'
import { commitWithRetry, messageAt } from './change-conversation.ts'
import { loadInputs, loadSnapshot, noAttempts, type Snapshot } from './load-snapshot.ts'
import type { Runtime } from './runtime.ts'
import {
  askStateWith,
  unlessRewritten,
  unlessSuperseded,
  withAttempt,
  writerFor,
} from './summary-attempts.ts'
import { conversationKey } from './summary-locks.ts'

export async function runSummarize(
  store: TenantStore,
  job: SummarizeJob,
  signal: AbortSignal,
  runtime: Runtime,
): Promise<void> {
  const id = conversationId(job.conversation)
  const lock = runtime.locks.lockFor(runtime.tenant, id, signal)
  try {
    const { system, tools, replyTokens, model } = job
    const request = { ...emptyRequest, model, system, tools, replyTokens, signal }
    const snapshot = await loadSnapshot({ store, id, runtime }, request)
    const { state } = snapshot
    if (state === null) return
    const prepared = await prepareSummary({
      ...(await loadInputs(snapshot, runtime)),
      recaller: null,
      writer: writerFor(snapshot, lock.take, runtime),
      // A requested compaction writes its own summary.
      requestedCompaction: null,
    })
    if (isEmptyJob(prepared))
      runtime.emptyJobs.set(conversationKey(runtime.tenant, id), state.conversation.head)
    if (prepared !== 'nothing' && prepared !== 'not-now')
      await commitSummary(snapshot, prepared, state, runtime)
  } finally {
    lock.end()
  }
}

const emptyRequest = { next: undefined, retrieved: [], profile: '', memory: null } as const

/** Whether the waiting compaction has nothing to summarize; it must then stop waiting for a job. */
function isEmptyJob(prepared: Awaited<ReturnType<typeof prepareSummary>>): boolean {
  if (prepared === 'nothing') return true
  if (prepared === 'not-now') return false
  const { decision, summarization } = prepared.written
  return decision.kind === 'compact' && summarization.why === 'nothing-to-summarize'
}

async function commitSummary(
  snapshot: Snapshot,
  { written, facts }: PreparedSummary,
  first: ConversationState,
  { now }: Runtime,
): Promise<void> {
  const { store, ledger, meter } = snapshot
  const { id: model } = meter.card
  const factsChange = facts && ledger.change(facts)
  const committed = await commitWithRetry(store, first, { model, now }, async (state, at) => {
    const rewrites = { before: first.conversation.rewrites, now: state.conversation.rewrites }
    const kept = await unlessSuperseded(snapshot, unlessRewritten(written, rewrites))
    const { record, summarization, decision } = kept
    const attempts = withAttempt(noAttempts, written, rewrites.now)
    const asking = askStateWith(state.asking, attempts, at) ?? written.state
    return {
      summarized: { record, summarization, decision, model, tokensAfter: null, asking },
      // The facts extend the ledger of `first`; a later version may have another ledger.
      ...(state === first && factsChange !== null && { facts: factsChange }),
    }
  })
  if (committed === first) ledger.committed(facts)
}

/**
 * Writes the digest of a message that is too large to show, unless the message has one already.
 * The current view stays the same; the next epoch uses the digest.
 */
export async function runDigest(
  store: TenantStore,
  job: DigestJob,
  signal: AbortSignal,
  runtime: Runtime,
): Promise<void> {
  const id = conversationId(job.conversation)
  const span = { from: job.seq, to: job.seq + 1 }
  const meter = await runtime.meter(job.model)
  const state = await loadState(store, { id, model: meter.card.id })
  if (state === null || (await loadDigests(store, { id, span }))?.length !== 0) return
  const message = await messageAt({ store, id }, job.seq)
  // A digest cannot conflict with a summary, so the job takes no lock.
  const take = async () => 'taken' as const
  const call = { id, state, request: { signal }, attempts: noAttempts, now: 0 }
  const writer = writerFor(call, take, runtime)
  if (message === undefined || isRemoved(message)) return
  if (writer === null || isBreakerOpen(writer)) return
  const { limits } = policyFor(runtime.settings.policy, [job.model, meter.card.id])
  // The limit is for one compaction. A large message may need more calls, but only once.
  const calls = limits.calls === 0 ? 0 : Math.max(limits.calls, defaults.digestCalls)
  const { tree } = runtime
  const summarized = await summarizeMessage({ message, tree, writer, limits: { ...limits, calls } })
  if (summarized !== null) await commitDigest(store, job, summarized, state, runtime)
}

async function commitDigest(
  store: TenantStore,
  { seq, model }: DigestJob,
  summarized: SummarizedMessage,
  first: ConversationState,
  { now }: Runtime,
): Promise<void> {
  const { id, rewrites } = first.conversation
  const { attempts, breaker } = summarized
  const figures = { seq, calls: attempts.length, costUsd: costOfAll(attempts) }
  await commitWithRetry(store, first, { model, now }, async ({ conversation, asking }, at) => {
    const known = await loadDigests(store, { id, span: { from: seq, to: seq + 1 } })
    const isSame = conversation.rewrites === rewrites
    // If another process was faster, its digest stays. A digest of old messages is not stored.
    const record = isSame && known?.length === 0 ? summarized.record : null
    // Added to the cost that other processes have recorded.
    const before = asking ?? newAskState
    const spent = addSpent(before.spent, attempts, at)
    return { digested: { ...figures, record, asking: { ...before, breaker, spent } } }
  })
}
