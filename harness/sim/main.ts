/** npm run sim -- [planted] [--seed 1] [--seeds 100] [--steps 60] [--trace] */
import { parseArgs } from 'node:util'
import { findPlanted } from './find-planted.ts'
import { plantedBugs } from './planted-bugs.ts'
import { runSeed } from './run-seed.ts'

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    steps: { type: 'string', default: '60' },
    trace: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const [first, steps] = [Number(values.seed), Number(values.steps)]
const isPlanted = positionals.includes('planted')
const seeds = Number(values.seeds ?? (isPlanted ? 60 : 1))
const started = performance.now()
const found = isPlanted ? await planted() : await sound()
const seconds = Math.round((performance.now() - started) / 1_000)
console.log(found.line, `${seconds} s`)
process.exitCode = found.isGood ? 0 : 1

interface Told {
  readonly line: string
  readonly isGood: boolean
}

async function sound(): Promise<Told> {
  const print = values.trace ? (line: string) => console.log(line) : undefined
  let findings = 0
  const figures = new Map<string, number>()
  for (let seed = first; seed < first + seeds; seed += 1) {
    const report = await runSeed({ seed, steps, print })
    if (seeds === 1) console.log(`seed ${seed}: trace ${report.hash}`)
    for (const [what, times] of report.figures) figures.set(what, (figures.get(what) ?? 0) + times)
    if (report.step === null) continue
    findings += 1
    for (const { rule, detail } of report.findings.slice(0, 4))
      console.log(`seed ${seed}, step ${report.step}: ${rule}: ${detail}`)
    console.log(`npm run sim -- --seed ${seed} --steps ${report.step}`)
  }
  const told = [...figures].sort(([left], [right]) => left.localeCompare(right))
  console.log(told.map(([what, times]) => `${times} ${what}`).join(', '))
  const line = `${seeds} seeds of ${steps} steps, ${findings} with findings,`
  return { line, isGood: findings === 0 }
}

async function planted(): Promise<Told> {
  let missed = 0
  for (const bug of plantedBugs) {
    const report = await findPlanted(bug, { seed: first, seeds, steps })
    if (report === null) missed += 1
    const where = report === null ? 'NOT FOUND' : `seed ${report.seed}, step ${report.step}`
    console.log(`${where.padEnd(20)} ${bug.rule.padEnd(10)} ${bug.bug}`)
  }
  const line = `${plantedBugs.length} bugs put in, ${missed} not found in ${seeds} seeds each,`
  return { line, isGood: missed === 0 }
}
