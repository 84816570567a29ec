/**
 * npm run compare -- [--only work,rules,faults,times] [--methods NAME,NAME] [--data DIR] [--out DIR] [--full]
 *
 * Runs Throughline and its peers on the same conversations, and writes JSON, tables and plots: into
 * docs/benchmarks.md, or into a folder. Parts that are not run keep their figures.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { policyHash } from '../packages/throughline/src/cli/simulation/statistics.ts'
import { installPeers, peerVersions } from './install.ts'
import { methods } from './methods.ts'
import type { Run } from './plan.ts'
import { type Part, parts, stepsOf } from './plans.ts'
import { markdownOf } from './report/markdown.ts'
import { plotsOf } from './report/plots.ts'
import { figuresOf, machineName, merged, type Results, stoppedIn } from './report/results.ts'
import { runStep, type Step } from './run-plans.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
  readonly version: string
}
const docs = join(import.meta.dirname, '../docs')
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: parts.join(',') },
    methods: { type: 'string', default: '' },
    data: { type: 'string' },
    out: { type: 'string' },
    full: { type: 'boolean', default: false },
  },
})
const only = listOf(values.only, parts, '--only') as readonly Part[]
const chosen = listOf(
  values.methods,
  methods.map(({ name }) => name),
  '--methods',
)
const missing = installPeers()
if (missing !== null) {
  console.error(missing)
  process.exit(1)
}
const limitSeconds = values.full
  ? { timed: 900, other: 3_600 }
  : // Of a few seconds on a quiet machine; a busy one must not lose a figure that is no time.
    { timed: 100, other: 600 }
const steps = stepsOf({ only, methods: chosen, full: values.full, data: values.data ?? null })
const runs = await runAll(steps)
writeResults({
  version,
  policyHash: policyHash(),
  node: process.version,
  machine: machineName(),
  date: new Date().toISOString().slice(0, 10),
  versions: peerVersions(),
  full: values.full,
  figures: figuresOf(runs),
  stopped: stoppedIn(runs),
})

function listOf(text: string, known: readonly string[], name: string): readonly string[] {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const unknown = words.find((word) => !known.includes(word))
  if (unknown === undefined) return words
  console.error(`${name} must be among ${known.join(', ')}; not "${unknown}"`)
  process.exit(64)
}

/** Times are measured alone; other parts use two processes at once. */
async function runAll(all: readonly Step[]): Promise<readonly Run[]> {
  const done: Run[] = []
  const isTimed = ({ plan }: Step) => plan.part === 'times'
  const untimed = all.filter((step) => !isTimed(step)).values()
  const worker = async () => {
    for (const step of untimed) await runOne(step, done)
  }
  await Promise.all([worker(), worker()])
  for (const step of all.filter(isTimed)) if (!isTooSlowBefore(done, step)) await runOne(step, done)
  return done
}

async function runOne(step: Step, done: Run[]): Promise<void> {
  const started = performance.now()
  const limit = step.plan.part === 'times' ? limitSeconds.timed : limitSeconds.other
  const found = await runStep(step, limit * 1000)
  done.push(...found)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const bad = found.find(({ stopped }) => stopped !== null)
  const end = bad === undefined ? '' : ` ${bad.stopped}: ${bad.reason}`
  console.log(`${step.method}: ${nameOf(step)} ${seconds} s${end}`)
}

/** What was too slow once is not tried again, nor with more messages. */
function isTooSlowBefore(done: readonly Run[], { method, plan }: Step): boolean {
  return done.some(
    (run) =>
      run.stopped !== null &&
      run.method === method &&
      run.plan.part === 'times' &&
      plan.part === 'times' &&
      run.plan.messages <= plan.messages,
  )
}

function nameOf({ plan }: Step): string {
  return Object.values(plan)
    .filter((value) => value !== null)
    .join(' ')
}

function writeResults(now: Results): void {
  const folder = values.out ?? join(docs, 'benchmarks')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'compare.json')
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : null
  const results = merged(before, now)
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
  for (const [name, svg] of plotsOf(results)) writeFileSync(join(folder, name), svg)
  const text = markdownOf(results)
  if (values.out !== undefined) writeFileSync(join(folder, 'compare.md'), `${text}\n`)
  else writeSection(text)
  console.log(`wrote ${folder}`)
}

/** Between the markers of the page. */
function writeSection(text: string): void {
  const page = join(docs, 'benchmarks.md')
  const [begin, end] = ['<!-- npm run compare -->', '<!-- end of npm run compare -->']
  const before = readFileSync(page, 'utf8')
  const [from, to] = [before.indexOf(begin), before.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${page} has no markers for the comparison`)
  writeFileSync(page, `${before.slice(0, from + begin.length)}\n\n${text}\n${before.slice(to)}`)
}
