/** npm run test:races: engines and processes that compete for one conversation. */
import { option, part, runHarness } from '../kernel/command.ts'
import { type Finding, figuresLine, sumFigures } from '../kernel/finding.ts'
import { plantedPart } from '../kernel/planted.ts'
import { runOnThreads, seededShares } from '../kernel/threads.ts'
import { plantedRaces } from './planted.ts'
import type { RaceReport, RaceRuns } from './run-races.ts'
import { runTwoProcesses } from './two-processes.ts'
import {
  chainPolicies,
  runChain,
  type WindowReport,
  type WindowRuns,
  windowSizes,
} from './windows.ts'

const runsAtOnce = 100
const [seed, threads] = [option.seed(), option.threads()]

const races = part(
  'Two or three actors append, ask, compact and crash, in random order.',
  {
    ...{ runs: option.number(500, 'plans, each with a schedule'), seed, threads },
    shrink: option.flag('find the smallest plan that shows the first finding, which takes long'),
  },
  async (asked, print) => {
    const until = asked.shrink ? 'any' : 'end'
    const shares = seededShares(asked.seed, asked.runs, runsAtOnce).map(
      (share): RaceRuns => ({ ...share, shrink: asked.shrink, until }),
    )
    const reports: RaceReport[] = []
    const work = { module: addressOf('./run-races.ts'), run: 'runRaces', shares }
    await runOnThreads<RaceRuns, RaceReport>(
      { ...work, threads: asked.threads },
      (report, share) => {
        const rerun = `races --seed ${share.seed} --runs ${share.runs}`
        reports.push({ ...report, findings: report.findings.map((each) => ({ ...each, rerun })) })
        if (report.example !== null) print(report.example)
        if (reports.length % 4 === 0) print(`${reports.length} of ${shares.length} shares`)
      },
    )
    const figures = sumFigures(reports.map((report) => report.figures))
    return { findings: findingsOf(reports), total: figuresLine(figures) }
  },
)

const windows = part(
  'Summarizers whose window differs from the chat model.',
  { histories: option.number(50, 'conversations that fill their windows'), seed, threads },
  async (asked, print) => {
    const pairs = windowSizes.flatMap((chat) => windowSizes.map((other) => [chat, other] as const))
    const runs = Math.max(1, Math.round(asked.histories / pairs.length))
    // Largest first, so that no thread waits for one of them at the end.
    const shares = pairs.toReversed().map((pair) => ({ seed: asked.seed, runs, pair }))
    const reports: WindowReport[] = []
    const work = { module: addressOf('./windows.ts'), run: 'runWindows', shares }
    await runOnThreads<WindowRuns, WindowReport>({ ...work, threads: asked.threads }, (report) => {
      const { findings, pair, ...figures } = report
      reports.push(report)
      print(`chat ${pair[0]}, summarizer ${pair[1]}: ${figuresLine(figures)}`)
    })
    const sums = sumFigures(
      reports.map(({ findings, pair, ...figures }) => figures),
      ['fullest'],
    )
    const { histories, contexts, requests, fullest } = sums
    return {
      findings: findingsOf(reports),
      total:
        `${histories} histories, ${contexts} contexts, ${requests} requests to summarizers, ` +
        `the largest took ${fullest.toFixed(2)} of its window`,
    }
  },
)

const chains = part(
  'Fifty compactions in a row, with every policy and window.',
  {},
  async (_, print) => {
    const found: Finding[] = []
    for (const policy of chainPolicies)
      for (const window of windowSizes) {
        const { findings, ...figures } = await runChain(policy, window)
        found.push(...findings)
        print(`${policy}, summarizer ${window}: ${figuresLine(figures)}`)
      }
    return { findings: found, total: `${chainPolicies.length * windowSizes.length} chains` }
  },
)

const processes = part(
  'Two processes that compact one conversation in one file.',
  { compactions: option.number(100, 'compactions per process') },
  async ({ compactions }) => {
    const { findings, ...figures } = await runTwoProcesses(compactions)
    return { findings, total: figuresLine(figures) }
  },
)

process.exitCode = await runHarness({
  script: 'test:races',
  unnamed: ['races', 'windows', 'chains', 'processes'],
  parts: { races, windows, chains, processes, planted: plantedPart(plantedRaces) },
})

function addressOf(file: string): string {
  return new URL(file, import.meta.url).href
}

function findingsOf(
  reports: readonly { readonly findings: readonly Finding[] }[],
): readonly Finding[] {
  return reports.flatMap(({ findings }) => findings)
}
