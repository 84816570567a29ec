/** What was spent in the last hour. */
import type { Spent } from '../domain/asking.ts'

const hourMs = 3_600_000

/** What is older than an hour counts no more, nor what a clock that was set back left behind. */
export function spentLately(spent: readonly Spent[], now: number): readonly Spent[] {
  return spent.filter(({ at }) => Math.abs(now - at) < hourMs)
}

export function sumUsd(spent: readonly Spent[]): number {
  return spent.reduce((sum, { usd }) => sum + usd, 0)
}
