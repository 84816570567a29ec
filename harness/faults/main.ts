/** npm run test:faults -- --runs 200 [--seed 1] [--fault lies] [--run 17] [--threads 2] */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { modelFaults } from '../fault-server.ts'
import { plannedRun } from './planned-run.ts'
import { runThreads } from './run-threads.ts'
import { drawTable } from './table.ts'
import type { RunReport } from './tally.ts'

const { values } = parseArgs({
  options: {
    /** Of each fault. */
    runs: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    /** This fault alone. */
    fault: { type: 'string' },
    /** This run of it alone. */
    run: { type: 'string' },
    threads: { type: 'string', default: String(availableParallelism()) },
  },
})

const [seed, threads] = [Number(values.seed), Number(values.threads)]
const faults = modelFaults.filter((fault) => (values.fault ?? fault) === fault)
const indexes =
  values.run === undefined
    ? Array.from({ length: Number(values.runs) }, (_, index) => index)
    : [Number(values.run)]
if (faults.length === 0 || indexes.length === 0 || !Number.isSafeInteger(seed))
  throw new Error('nothing to run: see the options in the first line of this file')

// Fault after fault and not run after run: those that wait leave the processor to the others.
const runs = indexes.flatMap((index) => faults.map((fault) => plannedRun(fault, index, seed)))
console.log(`seed ${seed}, ${faults.length} faults × ${indexes.length} runs, ${threads} threads`)
const started = performance.now()
const reports: RunReport[] = []
await runThreads(runs, threads, (report) => {
  reports.push(report)
  for (const { check, detail } of report.findings.slice(0, 3)) {
    const { fault, name, policy, api } = report.run
    const index = name.split(':')[1]
    console.log(`${check}: ${detail.slice(0, 300)}`)
    console.log(`  --seed ${seed} --fault ${fault} --run ${index} (${policy}, ${api})`)
  }
  if (reports.length % Math.ceil(runs.length / 10) === 0)
    console.log(`${reports.length} of ${runs.length} runs, ${seconds()} s`)
})
console.log(`\n${drawTable(reports)}\n`)
const findings = reports.flatMap((report) => report.findings)
const missing = runs.length - reports.length
for (const [check, found] of Map.groupBy(findings, (finding) => finding.check))
  console.log(`${check}: ${found.length} times`)
console.log(
  `${reports.length} runs, ${missing} missing, ${findings.length} findings, ${seconds()} s`,
)
process.exitCode = findings.length + missing === 0 ? 0 : 1

function seconds(): number {
  return Math.round((performance.now() - started) / 1_000)
}
