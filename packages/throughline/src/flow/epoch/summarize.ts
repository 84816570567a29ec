/** The rules' digest fits already; a model's summary replaces it only where it fits too. */
import { defaults } from '../../defaults-data.ts'
import type { Decision } from '../../domain/decision.ts'
import type { Policy } from '../../domain/policy.ts'
import { ThroughlineError } from '../../errors.ts'
import { mayAskNow } from '../decide/evaluate-view.ts'
import { describeContext } from '../describe/describe-context.ts'
import type { ContextInputs, FixedParts, SelectedView, ViewOutcome } from '../project/records.ts'
import type {
  ConversationSoFar,
  SummaryOutcome,
  WriteSummary,
} from '../summarize/summary-writer.ts'
import { writeSummary } from '../summarize/write-summary.ts'

export async function summarize(
  inputs: ContextInputs,
  selection: SelectedView,
  decision: Decision,
  inForce: ViewOutcome | null,
): Promise<SelectedView> {
  const { fixed, selected, facts, summaryTokens } = selection
  if (facts === null || decision.kind === 'trim' || !mayAskNow(inputs.policy, decision))
    return selection
  const written = await askForSummary(inputs, fixed, {
    decision,
    line: selected.line,
    ledger: facts.ledger,
    summaryTokens,
    waitMs: waitOf(inputs, decision),
    inForce,
  })
  if (written === 'superseded') return { ...selection, superseded: true }
  if (written === null || written.record === null) return { ...selection, written }
  return { ...((await selection.withSummary(written.record)) ?? selection), written }
}

/**
 * What is left of the wait: a compaction by request waits for its summary, an oversized request only for a
 * moment, and not at all after a failure.
 */
function waitOf(
  { policy: { run }, writer, now }: ContextInputs,
  { reason }: Decision,
): number | null {
  if (run.mode === 'blocking' || reason === 'manual' || writer === null) return null
  if (writer.state.breaker.ineffective > 0) return 0
  return Math.max(0, run.waitMs - (writer.clock.now() - now))
}

export function hasFailed({ written }: Pick<ViewOutcome, 'written'>): boolean {
  return (
    written !== null &&
    written.record === null &&
    written.summarization.why !== 'nothing-to-summarize' &&
    written.summarization.why !== 'aborted'
  )
}

/** The error for a policy that wants no context then; null where there is one. */
export function failureFor(
  { onFailure }: Pick<Policy, 'onFailure'>,
  { written }: Pick<ViewOutcome, 'written'>,
): ThroughlineError | null {
  if (written === null || onFailure !== 'throw' || !hasFailed({ written })) return null
  const { why, attempts } = written.summarization
  const last = attempts.at(-1)?.outcome
  const told =
    last === undefined || last.kind === 'accepted'
      ? ''
      : `; the last said: ${last.kind === 'failed' ? last.message : last.reasons.join(', ')}`
  return new ThroughlineError(
    'SUMMARY_FAILED',
    `no model brought a summary (${why}, ${attempts.length} calls)${told}`,
    { details: { why, calls: attempts.length } },
  )
}

/**
 * One summary from the last one to a line. `superseded`: another process wrote one meanwhile.
 * Null: not needed.
 */
export async function askForSummary(
  input: ContextInputs,
  fixed: FixedParts,
  asked: Pick<WriteSummary, 'decision' | 'line' | 'ledger' | 'summaryTokens'> & {
    /** The longest that somebody waits for it; null for as long as the policy's limits say. */
    readonly waitMs: number | null
    /** What the conversation's model has seen last; null where no view is in force. */
    readonly inForce: ViewOutcome | null
  },
): Promise<SummaryOutcome | 'superseded' | null> {
  const { writer, policy, log, coveredTo, request, meter, derived, sha256 } = input
  const { waitMs, inForce, ...wanted } = asked
  const { decision, line, summaryTokens } = wanted
  if (writer === null || summaryTokens < defaults.summaryLeastTokens.value) return null
  const parent = await derived.summaryBefore(line)
  const manual = input.wanted?.reason === 'manual' ? input.wanted : null
  const base = manual?.afresh === true ? null : parent
  const told = Math.max(base?.covers.to ?? 0, coveredTo)
  // Who only makes a view anew does not pay for a few messages, and who waits not for them either.
  const isPatient = decision.kind === 'compact' && (waitMs === null || decision.reason === 'manual')
  if (waitMs === 0 || line - told < (isPatient ? 1 : leastRenewed)) return null
  const startedAt = writer.clock.now()
  const taken = await writer.take(waitMs)
  if (taken === 'ended') return 'superseded'
  // Another process is still writing it, and the wait is over.
  if (taken === 'waited') return null
  const { timeMs } = policy.limits
  const leftMs = waitMs === null ? timeMs : waitMs - (writer.clock.now() - startedAt)
  return writeSummary({
    ...wanted,
    ...{ writer, log, request, meter, sha256, base, parent },
    limits: { ...policy.limits, timeMs: Math.max(1, Math.min(timeMs, leftMs)) },
    pinned: fixed.pinned,
    instructions: manual?.instructions ?? null,
    soFar: () => conversationSoFar(input, fixed, decision, inForce),
  })
}

export const leastRenewed = 10

// The shortest life of a cache: that of Anthropic, and of OpenAI when it is busy.
const cacheLivesMs = 5 * 60_000

/**
 * What the conversation would send next if nothing were compacted. It begins with the request before;
 * null where no cache of the provider has that, or where it would not fit itself.
 */
async function conversationSoFar(
  input: ContextInputs,
  fixed: FixedParts,
  decision: Decision,
  inForce: ViewOutcome | null,
): Promise<ConversationSoFar | null> {
  const { last, now } = input
  if (inForce === null || last === null || now - last.at > cacheLivesMs) return null
  if (fixed.plan.hard(inForce.shown.size) > fixed.plan.hardTokens) return null
  const { context } = await describeContext(input, fixed, inForce, decision)
  if (context.prefixOf === null) return null
  const { view } = inForce
  return {
    // A cache is read where the request before ended; what is new here is never read again.
    context: { ...context, breakpoints: [last.prefix.messages - 1] },
    line: view?.line ?? 0,
    stubbed: new Set(view?.stubs.map(({ seq }) => seq)),
    summaryId: view?.past?.written?.id ?? null,
    sentTokens: Math.min(last.expectedTokens, context.tokens),
  }
}
