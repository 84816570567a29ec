/** A secret that was found: where it stands and what it is. */
import type { ScannedText } from './scanned-text.ts'

export interface Finding {
  readonly from: number
  readonly to: number
  readonly kind: string
  /** Told by its own form, or only by the place where it stands. */
  readonly by: 'form' | 'place'
}

/** In the order of the text; those of one finder do not overlap. */
export type Finder = (scanned: ScannedText) => readonly Finding[]

/**
 * One list in order. Of findings that overlap everything is covered, so that no end of a
 * secret stays; the kind is that of the one that is told by its form, then of the longest.
 */
export function merged(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2) return findings
  const result: Finding[] = []
  for (const finding of findings.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1)
    if (last === undefined || finding.from >= last.to) result.push(finding)
    else result[result.length - 1] = union(last, finding)
  }
  return result
}

function union(one: Finding, other: Finding): Finding {
  const to = Math.max(one.to, other.to)
  return { ...(isBetter(other, one) ? other : one), from: one.from, to }
}

function isBetter(one: Finding, other: Finding): boolean {
  if (one.by !== other.by) return one.by === 'form'
  return one.to - one.from > other.to - other.from
}
