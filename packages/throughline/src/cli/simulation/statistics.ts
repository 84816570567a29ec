/** The few statistics that measures report. */
import { defaults } from '../../defaults-data.ts'
import type { Policy } from '../../index.ts'
import { sha256 } from '../../stores/index.ts'
import { readPolicy } from '../../toolkit/index.ts'

/** The value below which that share of the values lies; 0 for none. */
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

/** Names the shipped settings, so that figures of two runs can be told to be of the same policy. */
export function policyHash(policy: Policy = readPolicy('balanced')): string {
  const settings = [Object.entries(defaults).sort(), policy]
  return sha256(JSON.stringify(settings)).slice(0, 16)
}
