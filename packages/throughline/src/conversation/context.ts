/**
 * Builds a context for a stored conversation: loads a snapshot, runs the engine, commits. If
 * another commit came first, all of it runs again, and summaries that were paid for are kept.
 */
import { defaults } from '../defaults-data.ts'
import { type ConversationState, recordRequest } from '../derived/state.ts'
import type { Context } from '../domain/context.ts'
import type { AskedCompaction } from '../domain/conversation.ts'
import type { DerivedBodies } from '../domain/derived-row.ts'
import type { Seq } from '../domain/ids.ts'
import { buildContext } from '../engine.ts'
import { ThroughlineError } from '../errors.ts'
import {
  type ContextInput,
  type ContextRequest,
  checkRequest,
} from '../flow/check/check-request.ts'
import type { ContextResult } from '../flow/project/records.ts'
import { hasFailed, summaryFailure } from '../flow/project/summary-outcome.ts'
import { digestedFrom, giantsIn, undigested } from '../flow/stub/giants.ts'
import type { SummarizeJob } from '../ports/queue.ts'
import {
  isRewritten,
  loadInputs,
  loadSnapshot,
  reloadSnapshot,
  type Snapshot,
  withPins,
} from './load-snapshot.ts'
import { persist } from './persist.ts'
import { checkModel, type Internals, type Runtime } from './runtime.ts'
import {
  stillValid,
  withEarlierCalls,
  withoutChanges,
  withPaidSummary,
  withUncommittedSummary,
  writerFor,
} from './summary-attempts.ts'
import type { SummaryLock } from './summary-locks.ts'

export async function contextOf(chat: Internals, input: ContextInput): Promise<Context> {
  const [{ context }] = await buildAndCommit(chat, checkRequest(input), null)
  return context
}

/** `compaction`: to be made now; if there is nothing to compact, the request leaves no trace. */
export async function buildAndCommit(
  { store, id, runtime }: Internals,
  request: ContextRequest,
  compaction: AskedCompaction | null,
): Promise<readonly [ContextResult, Snapshot]> {
  request.signal?.throwIfAborted()
  checkModel(request.model, runtime)
  const lock = runtime.locks.lockFor(runtime.tenant, id, request.signal)
  try {
    let snapshot = await loadSnapshot({ store, id, runtime }, request)
    if (await digestNewInput(snapshot, runtime)) snapshot = await reloadSnapshot(snapshot, runtime)
    for (let attempt = 1; attempt <= defaults.commitAttempts; attempt += 1) {
      if (attempt > 1) snapshot = await stillValid(await reloadSnapshot(snapshot, runtime))
      snapshot = await withPins(snapshot, runtime)
      const result = await buildFrom(snapshot, compaction, lock, runtime)
      snapshot = withPaidSummary(snapshot, result)
      if (result === null || result.outcome.superseded) request.signal?.throwIfAborted()
      else if (await commit(snapshot, result, compaction, runtime)) {
        reportWarnings(result.context, snapshot, runtime)
        return [result, snapshot]
      }
    }
  } finally {
    lock.end()
  }
  throw new ThroughlineError('STORE_BUSY', `other processes change conversation "${id}" too often`)
}

/** Where requests wait for summaries: digests of long messages that no request has contained yet. */
async function digestNewInput(
  { store, id, request, meter, policy, state }: Snapshot,
  runtime: Runtime,
): Promise<boolean> {
  const fromTokens = digestedFrom(policy, meter)
  if (fromTokens === null || state === null || policy.run.mode !== 'blocking') return false
  const { head, compaction } = state.conversation
  if ((compaction.mode ?? runtime.settings.compaction) !== 'on') return false
  const span = { from: Math.max(0, head - defaults.pageLookBack), to: head }
  const messages = (await store.read({ id, span })) ?? []
  const replied = messages.findLastIndex(({ role }) => role === 'assistant')
  const long = messages.slice(replied + 1).filter((each) => meter.message(each) > fromTokens)
  if (long.length === 0) return false
  const { runDigest } = await import('./run-jobs.ts')
  const signal = request.signal ?? new AbortController().signal
  const target = { kind: 'digest', tenant: runtime.tenant, conversation: id } as const
  for (const { seq } of long)
    await runDigest(store, { ...target, model: request.model, seq }, signal, runtime)
  return true
}

/** Null where the log was rewritten while it was read. */
async function buildFrom(
  snapshot: Snapshot,
  compaction: AskedCompaction | null,
  lock: SummaryLock,
  runtime: Runtime,
): Promise<ContextResult | null> {
  try {
    const inputs = await loadInputs(snapshot, runtime)
    return await buildContext({
      ...inputs,
      requestedCompaction: compaction ?? inputs.requestedCompaction,
      derived: withUncommittedSummary(inputs.derived, snapshot.attempts),
      writer: writerFor(snapshot, lock.take, runtime),
    })
  } catch (error) {
    if (await isRewritten(error, snapshot)) return null
    throw error
  }
}

/** False if another commit was faster. Throws after an abort, or if the policy needs a summary. */
async function commit(
  snapshot: Snapshot,
  result: ContextResult,
  compaction: AskedCompaction | null,
  runtime: Runtime,
): Promise<boolean> {
  const { store, id, meter, state, attempts } = snapshot
  const failure = failureOf(result, snapshot)
  const isIdle = compaction !== null && result.compacted === null
  const hasChanges = failure === null && !isIdle
  const committed = hasChanges ? withEarlierCalls(result, attempts) : withoutChanges(result, state)
  if (!(await persist(snapshot, committed, runtime))) return false
  // A request that is not sent is not recorded: the next one is compared with the last sent one.
  if (failure !== null) throw failure.reason
  if (isIdle) return true
  if (state !== null) {
    const { inserts } = result.outcome
    const recalled = inserts.length === 0 ? {} : { recalled: { model: meter.card.id, inserts } }
    const prompt = newPrompt(result, state)
    await recordRequest(store, { id, request: result.sent, prompt, ...recalled })
    runtime.enqueueFollowUp(snapshot, state)
  }
  enqueueJobs(snapshot, result, runtime)
  return true
}

/** System prompt and tools, unless the request before has stored them. A change of messages drops them. */
function newPrompt(
  { context: { system, tools }, sent: { prefix } }: ContextResult,
  { last }: ConversationState,
): Pick<DerivedBodies, 'system' | 'tools'> {
  const isSame = (part: 'system' | 'tools') =>
    last?.prefix[part] === prefix[part] && last.prefix.rewrites === prefix.rewrites
  return { system: isSame('system') ? [] : system, tools: isSame('tools') ? [] : tools }
}

function failureOf(
  { outcome }: ContextResult,
  { policy, request: { signal } }: Snapshot,
): { readonly reason: unknown } | null {
  if (signal?.aborted) return { reason: signal.reason }
  const failure = summaryFailure(policy, outcome)
  return failure && { reason: failure }
}

function reportWarnings(
  { warnings }: Context,
  { id, request: { model } }: Snapshot,
  { reportEvent, now }: Runtime,
): void {
  for (const warning of warnings)
    reportEvent({ kind: 'context-warning', model, warning, at: now() }, id)
}

/** Enqueues jobs after a request: facts and index of new messages, digests, summaries. */
function enqueueJobs(
  snapshot: Snapshot,
  result: ContextResult,
  { tenant, queue, summaryAhead, styles, indexing }: Runtime,
): void {
  const { store, id, request, meter, policy, state } = snapshot
  const { hasMoreToSummarize, context, sent, outcome } = result
  const { view } = outcome
  if (state === null) return
  if (
    view === null
      ? sent.tokens >= context.budget.triggerTokens * prepareShare
      : isDue(snapshot, result)
  )
    indexing.prepare(store, id, policy.recall === null ? null : state.conversation.head)
  if (styles.every(({ models }) => models.length === 0)) return
  const { model, system, tools, replyTokens } = request
  const target = { tenant, conversation: id, model } as const
  // Digests of messages too large for this epoch are written for the next one.
  for (const seq of messagesToDigest(snapshot, result))
    queue.add({ kind: 'digest', ...target, seq })
  if (policy.run.mode === 'blocking') return
  const job: SummarizeJob = { kind: 'summarize', ...target, system, tools, replyTokens }
  if (hasMoreToSummarize) queue.add(job)
  const { triggerTokens } = context.budget
  const { compactedAt } = sent.triggers
  summaryAhead.sent({ job, meter, policy, tokens: sent.tokens, triggerTokens, compactedAt })
}

/** Most conversations never need facts and an index; from here on it is likely. */
const prepareShare = 0.5

/**
 * Whether the next request may need the facts or the index of new messages: it may compact, or search
 * what this one has hidden. The others wait for that, because a batch costs little more than a message.
 */
function isDue({ state }: Snapshot, { context, sent, outcome }: ContextResult): boolean {
  const seen = state?.last?.head ?? 0
  const newest = outcome.shown.rendered.filter(({ message }) => (message.seq ?? -1) >= seen)
  const newTokens = newest.reduce((sum, { size }) => sum + size.tokens, 0)
  const grownTokens = sent.tokens + newTokens * growthMargin
  if (grownTokens >= context.budget.triggerTokens || (outcome.view?.line ?? 0) > seen) return true
  const head = state?.conversation.head ?? 0
  return Math.floor(head / preparedAtOnce) > Math.floor(seen / preparedAtOnce)
}

/** The next turn may be that much larger than this one. */
const growthMargin = 1.25
/** A request that compacts earlier than expected extracts at most so many messages. */
const preparedAtOnce = 12

function messagesToDigest(
  { policy, meter, state }: Snapshot,
  { context: { messages }, outcome }: ContextResult,
): readonly Seq[] {
  const { view } = outcome
  const fromTokens = digestedFrom(policy, meter)
  if (fromTokens === null) return view === null || view === state?.view ? [] : giantsIn(view, meter)
  // Models that have just failed are asked again with the next request.
  if (hasFailed(outcome)) return []
  const shown = messages.map((message) => ({ seq: message.seq, tokens: meter.message(message) }))
  return undigested(shown, view?.stubs ?? [], fromTokens)
}
