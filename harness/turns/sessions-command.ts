/** npm run test:turns -- sessions [--sessions 1000] [--turns 200] [--seed 1] [--session 17] [--threads 2] */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { tellFindings } from '../history/tell-findings.ts'
import type { SessionsReport } from './run-sessions.ts'
import { runThreads } from './run-threads.ts'
import { sumOfFigures } from './session-figures.ts'

/** In shares, so that something is told now and then. */
const share = 10

export async function sessionsCommand(options: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      sessions: { type: 'string', default: '50' },
      turns: { type: 'string', default: '100' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      /** This one alone. */
      session: { type: 'string' },
      threads: { type: 'string', default: String(availableParallelism()) },
    },
  })
  const [seed, turns, sessions] = [values.seed, values.turns, values.sessions].map(Number) as [
    number,
    number,
    number,
  ]
  const started = performance.now()
  const reports: SessionsReport[] = []
  const shares =
    values.session === undefined
      ? Array.from({ length: Math.ceil(sessions / share) }, (_, index) => ({
          ...{ seed, turns, first: index * share },
          sessions: Math.min(share, sessions - index * share),
        }))
      : [{ seed, turns, first: Number(values.session), sessions: 1 }]
  await runThreads(shares, Number(values.threads), (report) => {
    reports.push(report)
    for (const { rule, detail } of report.findings.slice(0, 3)) console.log(`${rule}: ${detail}`)
    if (reports.length % 10 === 0)
      console.log(
        `${reports.length * share} sessions, ${Math.round((performance.now() - started) / 1_000)} s`,
      )
  })
  const findings = reports.flatMap((report) => report.findings)
  const figures = sumOfFigures(reports.map((report) => report.figures))
  return tellFindings(`sessions --seed ${seed} --turns ${turns}`, findings, figures, started)
}
