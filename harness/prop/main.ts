/** npm run test:prop -- --runs 10000 [--seed 1] [--threads 2] [--shrink] */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { fit } from 'throughline'
import { randomCase } from './random-case.ts'
import { runThreads } from './run-threads.ts'
import { shrink } from './shrink.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    threads: { type: 'string', default: String(availableParallelism()) },
    /** Shows the smallest case that the first finding of each rule can be made from. */
    shrink: { type: 'boolean', default: false },
  },
})

const [runs, seed, threads] = [Number(values.runs), Number(values.seed), Number(values.threads)]
console.log(`seed ${seed}, ${runs} histories, ${threads} threads`)
const started = performance.now()
const report = await runThreads({ seed, runs, threads })
for (const [rule, found] of Map.groupBy(report.findings, (finding) => finding.rule)) {
  console.log(`\n${rule}: ${found.length} times`)
  for (const { seed: at, windowTokens, detail } of found.slice(0, 8))
    console.log(`  --seed ${at} --runs 1 (window ${windowTokens}): ${detail.slice(0, 400)}`)
}
if (values.shrink)
  for (const [rule, [first]] of Map.groupBy(report.findings, (finding) => finding.rule)) {
    if (first === undefined) continue
    const { windows, asked, messages } = await shrink(await randomCase(first.seed), rule, fit)
    console.log(`\n${rule}, windows ${windows.join()}, ${JSON.stringify({ asked, messages })}`)
  }
const seconds = Math.round((performance.now() - started) / 1_000)
console.log(
  `\n${report.cases} histories, ${report.requests} requests checked, ` +
    `${report.overflows} refused (at most ${report.roomiestRefusal} tokens beside what is held), ` +
    `least fill ${report.leastFill.toFixed(2)} of the target, ` +
    `${report.findings.length} findings, ${seconds} s`,
)
process.exitCode = report.findings.length === 0 ? 0 : 1
