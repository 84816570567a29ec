/** npm run test:history -- [undo] [--seed 1] [--chains 1000] */
import { parseArgs } from 'node:util'
import type { Finding } from '../races/finding.ts'
import { runUndo } from './run-undo.ts'

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    chains: { type: 'string', default: '100' },
  },
  allowPositionals: true,
})

const seed = Number(values.seed)

/** Each tells its figures, and gives what it has found. */
const commands = { undo }

const names = Object.keys(commands) as readonly (keyof typeof commands)[]
const asked = names.filter((name) => positionals.length === 0 || positionals.includes(name))
console.log(`seed ${seed}: ${asked.join(', ')}`)
for (const name of asked) {
  const started = performance.now()
  const findings = await commands[name]()
  for (const [rule, same] of Map.groupBy(findings, (finding) => finding.rule))
    console.log(`${rule}: ${same.length} times, such as ${same[0]?.detail}`)
  const seconds = Math.round((performance.now() - started) / 1_000)
  console.log(`${name}: ${findings.length} findings, ${seconds} s\n`)
  if (findings.length > 0) process.exitCode = 1
}

async function undo(): Promise<readonly Finding[]> {
  const { findings, figures } = await runUndo({ seed, chains: Number(values.chains) })
  console.log(JSON.stringify(figures))
  return findings
}
