/** npm run test:turns: random agent sessions, and a process that is killed while it writes. */
import { option, part, runHarness } from '../kernel/command.ts'
import { figuresLine, sumFigures } from '../kernel/finding.ts'
import { plantedPart } from '../kernel/planted.ts'
import { runOnThreads } from '../kernel/threads.ts'
import { killTurns } from './kill-turns.ts'
import { plantedBugs } from './planted.ts'
import type { SessionRuns, SessionsReport } from './run-sessions.ts'

/** Sessions per share; progress is printed after every ten shares. */
const sessionsAtOnce = 10
const seed = option.seed()

process.exitCode = await runHarness({
  script: 'test:turns',
  unnamed: [],
  parts: {
    sessions: part(
      'Runs random sessions of agents; each turn is remembered and checked.',
      {
        sessions: option.number(50, 'sessions'),
        turns: option.number(100, 'turns of each session'),
        session: option.numberOrNone('only this session'),
        ...{ seed, threads: option.threads() },
      },
      async ({ sessions, turns, session, seed: given, threads }, print) => {
        const [first, end] = session === null ? [0, sessions] : [session, session + 1]
        const shares: SessionRuns[] = []
        for (let from = first; from < end; from += sessionsAtOnce)
          shares.push({
            ...{ seed: given, turns, first: from },
            sessions: Math.min(sessionsAtOnce, end - from),
          })
        const reports: SessionsReport[] = []
        const module = new URL('./run-sessions.ts', import.meta.url).href
        await runOnThreads<SessionRuns, SessionsReport>(
          { module, run: 'runSessions', shares, threads },
          (report) => {
            reports.push(report)
            if (reports.length % 10 === 0) print(`${reports.length} of ${shares.length} shares`)
          },
        )
        return {
          findings: reports.flatMap(({ findings }) => findings),
          total: figuresLine(sumFigures(reports.map(({ figures }) => figures))),
        }
      },
    ),
    kills: part(
      'Kills a process with SIGKILL while it stores turns.',
      {
        kills: option.number(20, 'kills'),
        seed,
        bug: option.text('a bug of the process', ['no-key', 'ack-first']),
      },
      async ({ kills, seed: given, bug }) => {
        const report = await killTurns({ kills, seed: given, bug: bug ?? undefined })
        return { findings: report.findings, total: figuresLine(report.figures) }
      },
    ),
    planted: plantedPart(plantedBugs),
  },
})
