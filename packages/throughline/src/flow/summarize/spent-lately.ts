/** What was spent in the last hour, and what is left for a compaction. */
import type { AskLimits, ModelAttempt, Spent } from '../../domain/model-calls.ts'

const hourMs = 3_600_000

/** What is older than an hour counts no more, nor what a clock that was set back left behind. */
export function spentLately(spent: readonly Spent[], now: number): readonly Spent[] {
  return spent.filter(({ at }) => Math.abs(now - at) < hourMs)
}

export function sumUsd(spent: readonly Spent[]): number {
  return spent.reduce((sum, { usd }) => sum + usd, 0)
}

/** Null where there is no limit. */
export function usdLeft(
  { usd }: Pick<AskLimits, 'usd'>,
  attempts: readonly ModelAttempt[],
): number | null {
  if (usd === null) return null
  return attempts.reduce((left, { chargedUsd }) => left - chargedUsd, usd)
}

/** What attempts count for against the limits of an hour. */
export function spentOn(attempts: readonly ModelAttempt[]): readonly Spent[] {
  return attempts.map(({ startedAt, chargedUsd }) => ({ at: startedAt, usd: chargedUsd }))
}

/** What attempts have cost together; null where that is not known of each. */
export function costOfAll(attempts: readonly ModelAttempt[]): number | null {
  let usd = 0
  for (const { costUsd } of attempts) {
    if (costUsd === null) return null
    usd += costUsd
  }
  return usd
}
