/** Asks a model for a summary of hidden messages; it replaces the text by rules if it fits. */
import { defaults } from '../../defaults-data.ts'
import type { Decision } from '../../domain/decision.ts'
import { maySummarizeNow } from '../decide/evaluate-view.ts'
import { describeContext } from '../describe/describe-context.ts'
import type { ContextInputs, FixedParts, SelectedView, ViewOutcome } from '../project/records.ts'
import { minMessagesToSummarize } from '../project/summary-outcome.ts'
import { countedPerToken } from '../summarize/summary-meter.ts'
import type { ConversationSoFar, SummaryOutcome, SummaryTask } from '../summarize/summary-writer.ts'

export async function summarize(
  inputs: ContextInputs,
  selection: SelectedView,
  decision: Decision,
  inForce: ViewOutcome | null,
): Promise<SelectedView> {
  const { fixed, selected, facts, summaryTokens } = selection
  if (facts === null || decision.kind === 'trim' || !maySummarizeNow(inputs.policy, decision))
    return selection
  const summaryOutcome = await askForSummary(inputs, fixed, {
    decision,
    line: selected.line,
    ledger: facts.ledger,
    summaryTokens,
    waitMs: remainingWaitMs(inputs, decision),
    inForce,
  })
  if (summaryOutcome === 'superseded') return { ...selection, superseded: true }
  const record = summaryOutcome?.record ?? null
  if (record === null) return { ...selection, summaryOutcome }
  return { ...((await selection.withSummary(record)) ?? selection), summaryOutcome }
}

/**
 * A manual compaction waits as long as the limits allow (null). A request that does not fit waits
 * `run.waitMs`, and not at all after a failure.
 */
function remainingWaitMs({ policy: { run }, writer, now }: ContextInputs, { reason }: Decision) {
  if (run.mode === 'blocking' || reason === 'manual' || writer === null) return null
  if (writer.state.breaker.ineffective > 0) return 0
  return Math.max(0, run.waitMs - (writer.clock.now() - now))
}

/**
 * Asks for one summary of the messages from the last summary to a line. `superseded`: another
 * process wrote one meanwhile. Null: no summary is needed, or the wait is over.
 */
export async function askForSummary(
  input: ContextInputs,
  fixed: FixedParts,
  task: Pick<SummaryTask, 'decision' | 'line' | 'ledger' | 'summaryTokens'> & {
    /** How long the request may wait; null for as long as the policy's limits allow. */
    readonly waitMs: number | null
    /** The current view, rendered; null if there is none. */
    readonly inForce: ViewOutcome | null
  },
): Promise<SummaryOutcome | 'superseded' | null> {
  const { writer, policy, log, coveredTo, request, meter, derived, sha256 } = input
  const { waitMs, inForce, ...summaryTask } = task
  const { decision, line, summaryTokens } = summaryTask
  if (writer === null || summaryTokens < defaults.summaryLeastTokens) return null
  const parent = await derived.summaryBefore(line)
  const { requestedCompaction } = input
  const manual = requestedCompaction?.reason === 'manual' ? requestedCompaction : null
  const base = manual?.afresh === true ? null : parent
  const coveredBefore = Math.max(base?.covers.to ?? 0, coveredTo)
  // A renewed view, or a request with a short wait, does not pay for a summary of a few messages.
  const isPatient = decision.kind === 'compact' && (waitMs === null || decision.reason === 'manual')
  if (waitMs === 0 || line - coveredBefore < (isPatient ? 1 : minMessagesToSummarize)) return null
  const startedAt = writer.clock.now()
  const lock = await writer.takeLock(waitMs)
  if (lock === 'ended') return 'superseded'
  // The wait is over, and another process is still writing the summary.
  if (lock === 'waited') return null
  const { timeMs } = policy.limits
  const leftMs = waitMs === null ? timeMs : waitMs - (writer.clock.now() - startedAt)
  // Only a program with a model that writes summaries loads the code for them.
  const { writeSummary } = await import('../summarize/write-summary.ts')
  return writeSummary({
    ...summaryTask,
    summaryTokens: Math.floor(summaryTokens / countedPerToken(meter)),
    writer,
    log,
    request,
    meter,
    sha256,
    base,
    parent,
    limits: { ...policy.limits, timeMs: Math.max(1, Math.min(timeMs, leftMs)) },
    pinned: fixed.pinned,
    instructions: manual?.instructions ?? null,
    soFar: () => conversationSoFar(input, fixed, decision, inForce),
  })
}

// The shortest lifetime of a prompt cache: Anthropic's default, and OpenAI's at busy times.
const cacheLifetimeMs = 5 * 60_000

/**
 * The request that would be sent without the compaction; the summarizer reuses its cached prefix.
 * Null if the provider's cache cannot contain that prefix, or the request would not fit.
 */
async function conversationSoFar(
  input: ContextInputs,
  fixed: FixedParts,
  decision: Decision,
  inForce: ViewOutcome | null,
): Promise<ConversationSoFar | null> {
  const { lastRequest: last, now } = input
  if (inForce === null || last === null || now - last.at > cacheLifetimeMs) return null
  if (fixed.plan.tokensAgainstLimit(inForce.shown.size) > fixed.plan.limitTokens) return null
  const { context } = await describeContext(input, fixed, inForce, decision)
  if (context.prefixOf === null) return null
  const { view } = inForce
  return {
    // Only the prefix of the previous request is cached; later requests never reuse the rest.
    context: { ...context, breakpoints: [last.prefix.messages - 1] },
    line: view?.line ?? 0,
    stubbed: new Set(view?.stubs.map(({ seq }) => seq)),
    summaryId: view?.history?.written?.id ?? null,
    sentTokens: Math.min(last.expectedTokens, context.tokens),
  }
}
