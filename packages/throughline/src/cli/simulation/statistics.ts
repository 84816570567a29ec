/** The few statistics that measures report. */

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
