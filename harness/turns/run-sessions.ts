/** Sessions of one seed, one behind the other. */
import type { Finding } from '../races/finding.ts'
import { playSession } from './play-session.ts'
import type { Planted } from './session-engine.ts'
import { noFigures, type SessionFigures, sumOfFigures } from './session-figures.ts'
import { sessionPlan } from './session-plan.ts'

export interface SessionRuns {
  readonly seed: number
  /** The number of the first one, from 0. */
  readonly first: number
  readonly sessions: number
  readonly turns: number
  readonly planted?: Planted | undefined
  /** Ends with the first finding of this rule. */
  readonly until?: string | undefined
}

export interface SessionsReport {
  readonly figures: SessionFigures
  readonly findings: readonly Finding[]
}

export async function runSessions(runs: SessionRuns): Promise<SessionsReport> {
  const { seed, first, sessions, turns, planted, until } = runs
  let figures = noFigures
  const findings: Finding[] = []
  for (let number = first; number < first + sessions; number += 1) {
    const played = await playSession(sessionPlan(`${seed}.${number}`), turns, planted)
    figures = sumOfFigures([figures, played.figures])
    findings.push(...played.findings)
    if (played.findings.some(({ rule }) => rule === until)) break
  }
  return { figures, findings }
}
