/** npm run test:prop: contexts for random histories, checked against every promise. */
import { fit } from 'throughline'
import { option, part, runHarness } from '../kernel/command.ts'
import { plantedPart } from '../kernel/planted.ts'
import { runOnThreads, type SeededRuns } from '../kernel/threads.ts'
import { planted } from './planted.ts'
import { randomCase } from './random-case.ts'
import { shrink } from './shrink.ts'
import { type Report, sumOf } from './tally.ts'

const runsAtOnce = 20

process.exitCode = await runHarness({
  script: 'test:prop',
  unnamed: ['histories'],
  parts: {
    histories: part(
      'Any history, in any window, for any provider.',
      {
        runs: option.number(1_000, 'histories, each with its own seed'),
        ...{ seed: option.seed(), threads: option.threads() },
        shrink: option.flag('print the smallest case that shows the first finding of each rule'),
      },
      async ({ runs, seed, threads, shrink: isShrunk }, print) => {
        const shares: SeededRuns[] = []
        for (let from = 0; from < runs; from += runsAtOnce)
          shares.push({ seed: seed + from, runs: Math.min(runsAtOnce, runs - from) })
        const reports: Report[] = []
        const module = new URL('./run-seeds.ts', import.meta.url).href
        await runOnThreads<SeededRuns, Report>(
          { module, run: 'runSeeds', shares, threads },
          (report) => reports.push(report),
        )
        const report = sumOf(reports)
        if (isShrunk) for (const line of await smallestCases(report)) print(line)
        return { findings: report.findings, total: totalOf(report) }
      },
    ),
    planted: plantedPart(planted),
  },
})

async function smallestCases({ findings }: Report): Promise<readonly string[]> {
  const lines: string[] = []
  for (const [rule, [first]] of Map.groupBy(findings, (finding) => finding.rule)) {
    const seed = Number(/--seed (\d+)/.exec(first?.rerun ?? '')?.[1])
    const { windows, asked, messages } = await shrink(await randomCase(seed), rule, fit)
    lines.push(`${rule}, windows ${windows.join()}, ${JSON.stringify({ asked, messages })}`)
  }
  return lines
}

function totalOf({ cases, requests, overflows, roomiestRefusal, leastFill }: Report): string {
  return (
    `${cases} histories, ${requests} requests checked, ` +
    `${overflows} refused (at most ${roomiestRefusal} tokens free beside the fixed parts), ` +
    (Number.isFinite(leastFill)
      ? `minimum fill ${leastFill.toFixed(2)} of the target`
      : 'fill not measured')
  )
}
