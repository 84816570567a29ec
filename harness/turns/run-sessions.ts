/** Runs sessions of one seed, one after the other. */
import { type Finding, sumFigures } from '../kernel/finding.ts'
import { playSession } from './play-session.ts'
import type { Planted } from './session-engine.ts'
import { noFigures, type SessionFigures, sessionPlan } from './session-plan.ts'

export interface SessionRuns {
  readonly seed: number
  /** The number of the first session, from 0. */
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
  const figures: SessionFigures[] = [noFigures]
  const findings: Finding[] = []
  for (let number = first; number < first + sessions; number += 1) {
    const played = await playSession(sessionPlan(`${seed}.${number}`), turns, planted)
    figures.push(played.figures)
    const rerun = `sessions --seed ${seed} --turns ${turns} --session ${number}`
    findings.push(...played.findings.map((each) => ({ ...each, rerun })))
    if (played.findings.some(({ rule }) => rule === until)) break
  }
  return { figures: sumFigures(figures), findings }
}
