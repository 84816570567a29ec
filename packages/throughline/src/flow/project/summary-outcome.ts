/** The outcome of a summary; apart from `epoch/`, which only a request that makes a view loads. */
import type { Policy } from '../../domain/policy.ts'
import { ThroughlineError } from '../../errors.ts'
import type { ViewOutcome } from './records.ts'

/** Fewer hidden messages are not worth a call. */
export const minMessagesToSummarize = 10

export function hasFailed({ summaryOutcome }: Pick<ViewOutcome, 'summaryOutcome'>): boolean {
  return (
    summaryOutcome !== null &&
    summaryOutcome.record === null &&
    summaryOutcome.summarization.why !== 'nothing-to-summarize' &&
    summaryOutcome.summarization.why !== 'aborted'
  )
}

/** The error to throw if the policy does not accept a context without a summary; otherwise null. */
export function summaryFailure(
  { onFailure }: Pick<Policy, 'onFailure'>,
  { summaryOutcome }: Pick<ViewOutcome, 'summaryOutcome'>,
): ThroughlineError | null {
  if (summaryOutcome === null || onFailure !== 'throw' || !hasFailed({ summaryOutcome }))
    return null
  const { why, attempts } = summaryOutcome.summarization
  const last = attempts.at(-1)?.outcome
  const lastError =
    last === undefined || last.kind === 'accepted'
      ? ''
      : `; last attempt: ${last.kind === 'failed' ? last.message : last.reasons.join(', ')}`
  return new ThroughlineError(
    'SUMMARY_FAILED',
    `no model wrote a usable summary (${why}, ${attempts.length} calls)${lastError}`,
    { details: { why, calls: attempts.length } },
  )
}
