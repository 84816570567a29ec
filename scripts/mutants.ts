/**
 * npm run mutants -- random [--count 100] [--from 0] [--seed 1] [--rooms select,stores] [--tests 'src/(flow|stores)']
 *     [--minutes 6] [--workers 2]
 * npm run mutants -- turns [--only theme] [--workers 2]
 *
 * Plants one bug after the other in a copy of the repository and runs the tests that should notice it.
 * `random` draws small code changes in the most critical rooms and prints those that no test notices.
 * The other lists are in harness/mutants, one per module, written by hand.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, mutantLists, mutated } from '../harness/mutants/mutant.ts'
import { mutatedRooms } from './mutants/listed-files.ts'
import { runRandom } from './mutants/run-random.ts'
import { runTests, type Tested } from './mutants/run-tests.ts'
import { ScratchCopy } from './mutants/scratch-copy.ts'

const root = join(import.meta.dirname, '..')

const { values, positionals } = parseArgs({
  options: {
    /** Only mutants whose name or file contains this text. */
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: '2' },
    count: { type: 'string', default: '100' },
    /** Skips this many of the drawn mutants, to continue a run. */
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    rooms: { type: 'string', default: Object.keys(mutatedRooms).join() },
    /** A regular expression: only tests with such a path are run, and recorded. */
    tests: { type: 'string', default: '' },
    /** Starts nothing more after this time, and prints how to continue. */
    minutes: { type: 'string', default: 'Infinity' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowPositionals: true,
})

const usage = `npm run mutants -- random [--count 100] [--from 0] [--seed 1] [--rooms ${Object.keys(mutatedRooms).join()}] [--tests 'src/(flow|stores)'] [--minutes 6]
npm run mutants -- <list> [--only text] [--workers 2]

  list       one of ${Object.keys(mutantLists).join(', ')}
  --only     only mutants with this text in their name or file
  --workers  number of mutants to run in parallel`

const [module = ''] = positionals
const list = Object.hasOwn(mutantLists, module) ? mutantLists[module] : undefined
if (values.help) console.log(usage)
else if (module === 'random') process.exitCode = (await random()) ? 0 : 1
else if (list === undefined) {
  console.error(usage)
  process.exitCode = 64
} else process.exitCode = await run(list)

function random(): Promise<boolean> {
  const { seed, count, from, rooms, tests, workers, minutes } = values
  return runRandom(root, {
    seed,
    count: Number(count),
    from: Number(from),
    rooms: rooms.split(','),
    tests: new RegExp(tests),
    workers: Number(workers),
    endsAt: performance.now() + Number(minutes) * 60_000,
  })
}

async function run(all: readonly Mutant[]): Promise<number> {
  const started = performance.now()
  const asked = all.filter(({ name, file }) => `${name} ${file}`.includes(values.only))
  const stale = asked.filter((mutant) => mutated(sourceOf(mutant), mutant) === null)
  for (const { name, file } of stale)
    console.log(`STALE     ${name}: its text is not in ${file} exactly once`)
  const waiting = asked.filter((mutant) => !stale.includes(mutant))
  const copies = Array.from(
    { length: Math.max(1, Number(values.workers)) },
    () => new ScratchCopy(root),
  )
  let unnoticed = stale.length
  try {
    const unchanged = await runTests(copies[0]?.root ?? root, testsOf(waiting))
    if (unchanged.kind !== 'passed') {
      console.log(`the tests fail without any mutant: ${detailOf(unchanged)}`)
      return 2
    }
    await Promise.all(
      copies.map(async (copy) => {
        for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
          const tested = await tryOne(copy, mutant)
          const isNoticed = tested.kind === 'failed' || tested.kind === 'hung'
          if (!isNoticed) unnoticed += 1
          console.log(
            `${isNoticed ? 'noticed ' : 'SURVIVED'}  ${mutant.name}\n          ${detailOf(tested)}`,
          )
        }
      }),
    )
  } finally {
    for (const copy of copies) copy.remove()
  }
  const seconds = Math.round((performance.now() - started) / 1_000)
  console.log(`\n${module}: ${asked.length - unnoticed} of ${asked.length} noticed, ${seconds} s`)
  return unnoticed === 0 ? 0 : 1
}

async function tryOne(copy: ScratchCopy, mutant: Mutant): Promise<Tested> {
  const file = mutant.file
  copy.write(file, mutated(sourceOf(mutant), mutant) ?? '')
  try {
    return await runTests(copy.root, testsOf([mutant]))
  } finally {
    copy.restore(file)
  }
}

function sourceOf({ file }: Mutant): string {
  return readFileSync(join(root, file), 'utf8')
}

function testsOf(mutants: readonly Mutant[]): readonly string[] {
  return [...new Set(mutants.flatMap(({ tests }) => tests))]
}

function detailOf(tested: Tested): string {
  switch (tested.kind) {
    case 'passed':
      return 'all tests pass'
    case 'failed':
      return tested.test
    case 'broken':
      return `no test failed: ${tested.output.slice(0, 2_000)}`
    case 'hung':
      return 'the tests timed out'
  }
}
