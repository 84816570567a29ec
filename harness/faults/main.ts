/** npm run test:faults: every model fault, with every policy that calls models. */
import { modelFaults } from '../fault-server.ts'
import { option, part, runHarness } from '../kernel/command.ts'
import { plantedPart } from '../kernel/planted.ts'
import { runOnThreads } from '../kernel/threads.ts'
import { type PlannedRun, plannedRun } from './planned-run.ts'
import { planted } from './planted.ts'
import { drawTable, type RunReport, runsAtOnce } from './tally.ts'

process.exitCode = await runHarness({
  script: 'test:faults',
  unnamed: ['faults'],
  parts: {
    faults: part(
      'Models that fail in every way, over real connections.',
      {
        ...{ runs: option.number(20, 'runs per fault'), seed: option.seed() },
        fault: option.text('only this fault', modelFaults),
        run: option.numberOrNone('only the run with this number'),
        threads: option.threads(),
      },
      async ({ runs: count, seed, fault, run, threads }, print) => {
        const faults = modelFaults.filter((name) => (fault ?? name) === name)
        const indexes = run === null ? Array.from({ length: count }, (_, index) => index) : [run]
        // Interleaves the faults, so that waiting runs leave the processor to others.
        const shares = indexes.flatMap((index) =>
          faults.map((name) => plannedRun(name, index, seed)),
        )
        const reports: RunReport[] = []
        const module = new URL('./tally.ts', import.meta.url).href
        await runOnThreads<PlannedRun, RunReport>(
          { module, run: 'reportRun', shares, threads, atOnce: runsAtOnce },
          (report) => {
            reports.push(report)
            if (reports.length % Math.ceil(shares.length / 10) === 0)
              print(`${reports.length} of ${shares.length} runs`)
          },
        )
        print(`\n${drawTable(reports)}\n`)
        return {
          findings: reports.flatMap(({ findings }) => findings),
          total: `${reports.length} runs`,
        }
      },
    ),
    planted: plantedPart(planted),
  },
})
