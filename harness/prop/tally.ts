/** What a run has seen: how many requests, how full, how often refused, and what was wrong. */

import type { Finding } from '../kernel/finding.ts'
import { availableIn } from './oracle.ts'

/** With the window that it was found in. */
export interface CaseFinding extends Violation {
  readonly windowTokens: number
}

export interface Report {
  readonly cases: number
  readonly requests: number
  readonly overflows: number
  /** Of the target; infinite where no history was long enough. */
  readonly leastFill: number
  /** The most tokens that were left beside what is held where a request was refused. */
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

/** Of one case. */
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

/** A promise of a context that was not kept. */
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
