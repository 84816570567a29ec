/** Statistics of the measurements. */
import { defaultRows } from '../../defaults-data.ts'
import type { Policy } from '../../index.ts'
import { sha256 } from '../../stores/index.ts'
import { readPolicy } from '../../toolkit/index.ts'

/** 0 for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.round(share * (sorted.length - 1))] ?? 0
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function countOne(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
}

/** Identifies a policy, to compare the figures of two runs. */
export function policyHash(policy: Policy = readPolicy('balanced')): string {
  return sha256(JSON.stringify([defaultRows().sort(), policy])).slice(0, 16)
}
