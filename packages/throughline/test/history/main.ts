/** npm run test:history -- [edits] [purge] [--runs 5000] [--canaries 500] [--seed 1] */
import { parseArgs } from 'node:util'
import type { Finding } from '../races/finding.ts'
import { purgeCanaries } from './purge-canaries.ts'
import { runEdits } from './run-edits.ts'

const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '500' },
    canaries: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
  allowPositionals: true,
})

const seed = Number(values.seed)
const share = 500
const parts = { edits, purge }
const names = Object.keys(parts) as readonly (keyof typeof parts)[]
const asked = names.filter((name) => positionals.length === 0 || positionals.includes(name))
let found = 0
console.log(`seed ${seed}: ${asked.join(', ')}`)
for (const name of asked) {
  const started = performance.now()
  const findings = await parts[name]()
  found += findings.length
  for (const [rule, same] of Map.groupBy(findings, (finding) => finding.rule))
    console.log(`${rule}: ${same.length} times, such as ${same[0]?.detail}`)
  const seconds = Math.round((performance.now() - started) / 1_000)
  console.log(`${name}: ${findings.length} findings, ${seconds} s\n`)
}
process.exitCode = found === 0 ? 0 : 1

/** In shares, so that something is told now and then, and each can be run alone. */
async function edits(): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (let left = Number(values.runs), at = seed; left > 0; at += 1) {
    const report = await runEdits({ seed: at, runs: Math.min(left, share) })
    left -= report.figures.rewrites
    findings.push(...report.findings)
    for (const { rule, detail, seed: name } of report.findings.slice(0, 2))
      console.log(`${name}: ${rule}: ${detail}`)
    console.log(`--seed ${at} --runs ${share}: ${JSON.stringify(report.figures)}`)
  }
  return findings
}

async function purge(): Promise<readonly Finding[]> {
  const { findings, figures } = await purgeCanaries({ seed, canaries: Number(values.canaries) })
  console.log(JSON.stringify(figures))
  return findings
}
