/** The report of a run: number of requests, fill, refusals, and findings. */

import type { Finding } from '../kernel/finding.ts'
import { availableIn } from './oracle.ts'

/** A finding with its window. */
export interface CaseFinding extends Violation {
  readonly windowTokens: number
}

export interface Report {
  readonly cases: number
  readonly requests: number
  readonly overflows: number
  /** As a share of the target; infinite if no history was long enough. */
  readonly leastFill: number
  /** The most tokens that were free beside the fixed parts of a refused request. */
  readonly roomiestRefusal: number
  readonly findings: readonly CaseFinding[]
}

export const nothingSeen: Report = {
  cases: 0,
  requests: 0,
  overflows: 0,
  leastFill: Number.POSITIVE_INFINITY,
  roomiestRefusal: 0,
  findings: [],
}

export function sumOf(reports: readonly Report[]): Report {
  return {
    cases: reports.reduce((sum, { cases }) => sum + cases, 0),
    requests: reports.reduce((sum, { requests }) => sum + requests, 0),
    overflows: reports.reduce((sum, { overflows }) => sum + overflows, 0),
    leastFill: Math.min(nothingSeen.leastFill, ...reports.map(({ leastFill }) => leastFill)),
    roomiestRefusal: Math.max(0, ...reports.map(({ roomiestRefusal }) => roomiestRefusal)),
    findings: reports.flatMap(({ findings }) => findings),
  }
}

export interface Tally {
  note(windowTokens: number, violations: readonly Violation[]): void
  wrote(requests: number): void
  filled(fill: number | null): void
  refused(windowTokens: number, heldTokens: number): void
  report(): Report
}

/** Tally of one case. */
export function createTally(seed: number): Tally {
  const findings: CaseFinding[] = []
  let [requests, overflows, roomiestRefusal] = [0, 0, 0]
  let leastFill = Number.POSITIVE_INFINITY
  return {
    note: (windowTokens, violations) => {
      const rerun = `--seed ${seed} --runs 1`
      findings.push(...violations.map((one) => ({ ...one, windowTokens, rerun })))
    },
    wrote: (count) => {
      requests += count
    },
    filled: (fill) => {
      leastFill = Math.min(leastFill, fill ?? leastFill)
    },
    refused: (windowTokens, heldTokens) => {
      overflows += 1
      roomiestRefusal = Math.max(roomiestRefusal, availableIn(windowTokens) - heldTokens)
    },
    report: () => ({ cases: 1, requests, overflows, leastFill, roomiestRefusal, findings }),
  }
}

/** A broken promise of a context. */
export type Violation = Finding<Rule>

export type Rule =
  | 'budget'
  | 'accepted'
  | 'pairs'
  | 'unicode'
  | 'same-bytes'
  | 'overflow'
  | 'fill'
  | 'sealed'
  | 'listed'
  | 'system-role'
  | 'pins'
  | 'prefix'
  | 'error'
  | 'expand'

export function violation(rule: Rule, detail: string): Violation {
  return { rule, detail }
}
