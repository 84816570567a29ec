/**
 * npm run test:races -- [races] [windows] [chains] [processes] [--runs 10000] [--seed 1]
 *   [--histories 500] [--compactions 1000] [--threads 2] [--shrink]
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { chainPolicies, runChain } from './chain.ts'
import type { Finding } from './finding.ts'
import { lineOf, type RaceFigures, type RaceReport, sumOf } from './run-races.ts'
import { runThreads, shared } from './run-threads.ts'
import { runTwoProcesses } from './two-processes.ts'
import { type WindowReport, windowSizes } from './windows.ts'

const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '500' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    histories: { type: 'string', default: '50' },
    compactions: { type: 'string', default: '100' },
    threads: { type: 'string', default: String(availableParallelism()) },
    /** To the smallest plan that shows the first finding, which takes long. */
    shrink: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const [seed, threads] = [Number(values.seed), Number(values.threads)]
const parts = { races, windows, chains, processes }
const names = Object.keys(parts) as readonly (keyof typeof parts)[]
const asked = names.filter((name) => positionals.length === 0 || positionals.includes(name))
const findings: Finding[] = []
console.log(`seed ${seed}, ${threads} threads: ${asked.join(', ')}`)
for (const name of asked) {
  const started = performance.now()
  const found = await parts[name]()
  findings.push(...found)
  for (const [rule, same] of Map.groupBy(found, (finding) => finding.rule))
    console.log(`${rule}: ${same.length} times, such as ${same[0]?.detail}`)
  const seconds = Math.round((performance.now() - started) / 1_000)
  console.log(`${name}: ${found.length} findings, ${seconds} s\n`)
}
process.exitCode = findings.length === 0 ? 0 : 1

async function races(): Promise<readonly Finding[]> {
  const shares = shared(seed, Number(values.runs), 100).map((share) => ({
    kind: 'races' as const,
    ...share,
    shrink: values.shrink,
    until: values.shrink ? 'any' : 'end',
  }))
  const reports: RaceReport[] = []
  await runThreads<RaceReport>(shares, threads, (report, share) => {
    reports.push(report)
    for (const finding of report.findings.slice(0, 2))
      console.log(`races --seed ${share.seed} --runs ${share.runs}: ${lineOf(finding)}`)
    if (report.example !== null) console.log(report.example)
    if (reports.length % 4 === 0 || reports.length === shares.length)
      console.log(drawFigures(sumOf(reports.map(({ figures }) => figures))))
  })
  return reports.flatMap((report) => report.findings)
}

function drawFigures(figures: RaceFigures): string {
  return Object.entries(figures)
    .map(([name, figure]) => `${figure} ${name}`)
    .join(', ')
}

async function windows(): Promise<readonly Finding[]> {
  const pairs = windowSizes.flatMap((chat) => windowSizes.map((other) => [chat, other] as const))
  const runs = Math.max(1, Math.round(Number(values.histories) / pairs.length))
  // The largest first: nobody waits for one of them in the end.
  const shares = pairs.toReversed().map((pair) => ({ kind: 'windows' as const, seed, runs, pair }))
  const reports: WindowReport[] = []
  await runThreads<WindowReport>(shares, threads, (report) => {
    const { findings: found, pair, ...figures } = report
    reports.push(report)
    console.log(`chat ${pair[0]}, summarizer ${pair[1]}: ${JSON.stringify(figures)}`)
  })
  const histories = reports.reduce((sum, each) => sum + each.histories, 0)
  const requests = reports.reduce((sum, each) => sum + each.requests, 0)
  const contexts = reports.reduce((sum, each) => sum + each.contexts, 0)
  const fullest = Math.max(...reports.map((each) => each.fullest))
  console.log(
    `${histories} histories, ${contexts} contexts, ${requests} requests to summarizers, ` +
      `the largest ${fullest.toFixed(2)} of its window`,
  )
  return reports.flatMap((report) => report.findings)
}

async function chains(): Promise<readonly Finding[]> {
  const found: Finding[] = []
  for (const policy of chainPolicies)
    for (const window of windowSizes) {
      const { findings: own, ...figures } = await runChain(policy, window)
      found.push(...own)
      console.log(`${policy}, summarizer ${window}: ${JSON.stringify(figures)}`)
    }
  return found
}

async function processes(): Promise<readonly Finding[]> {
  const { findings: found, ...figures } = await runTwoProcesses(Number(values.compactions))
  console.log(JSON.stringify(figures))
  return found
}
