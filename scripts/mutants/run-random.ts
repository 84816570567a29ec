/**
 * Runs random mutants: for each, the tests that execute the changed line, fastest first. A mutant that
 * passes all of them has survived.
 */
import { type CoveringTests, coveringTests } from './covering-tests.ts'
import { mutatedRooms } from './listed-files.ts'
import { leftOut, type RandomMutant, randomMutants } from './random-mutants.ts'
import { runTests, type Tested } from './run-tests.ts'
import { ScratchCopy } from './scratch-copy.ts'

export interface RandomOptions {
  readonly seed: string
  readonly count: number
  /** How many of the drawn mutants to skip, to continue a run. */
  readonly from: number
  readonly rooms: readonly string[]
  /** Only tests with such a path. */
  readonly tests: RegExp
  readonly workers: number
  /** By `performance.now()`: no recording and no mutant starts later. */
  readonly endsAt: number
}

const home = 'packages/throughline'
/** The first seconds of tests notice most mutants. */
const firstMs = 10_000
/** A bug in these rooms must be noticed soon: all tests would take minutes for each survivor. */
const mostMs = 60_000
/** Added to four times the usual duration: a bug may cause an endless loop. */
const longestMs = 120_000

/** Whether each mutant was tried and noticed. */
export async function runRandom(root: string, options: RandomOptions): Promise<boolean> {
  const unknown = options.rooms.find((room) => mutatedRooms[room] === undefined)
  if (unknown !== undefined)
    throw new Error(`unknown room "${unknown}"; choose ${Object.keys(mutatedRooms).join(', ')}`)
  const started = performance.now()
  const waiting = randomMutants(root, options.rooms, options).slice(options.from)
  const survivors: RandomMutant[] = []
  let tried = 0
  const copies = Array.from({ length: options.workers }, () => new ScratchCopy(root))
  try {
    const covering = await coveringTests(root, copies[0]?.root ?? root, options)
    if (covering === null) return false
    await Promise.all(
      copies.map(async (copy) => {
        while (performance.now() < options.endsAt) {
          const mutant = waiting.shift()
          if (mutant === undefined) return
          const tested = await tryMutant(copy, mutant, covering)
          tried += 1
          if (tested.kind === 'passed') survivors.push(mutant)
          console.log(`${tested.kind === 'passed' ? 'SURVIVED' : 'noticed '}  ${lineOf(mutant)}`)
          if (tested.kind !== 'passed')
            console.log(`          ${tested.kind === 'failed' ? tested.test : tested.kind}`)
        }
      }),
    )
  } finally {
    for (const copy of copies) copy.remove()
  }
  const seconds = Math.round((performance.now() - started) / 1_000)
  console.log(`\n${tried - survivors.length} of ${tried} noticed, ${seconds} s`)
  for (const mutant of survivors) console.log(lineOf(mutant))
  if (waiting.length > 0) console.log(`continue with --from ${options.from + tried}`)
  return survivors.length === 0 && waiting.length === 0
}

async function tryMutant(
  copy: ScratchCopy,
  mutant: RandomMutant,
  covering: CoveringTests,
): Promise<Tested> {
  const all = covering.of(mutant)
  const within = (limitMs: number) =>
    all.filter((_, index) => covering.millisecondsOf(all.slice(0, index + 1)) < limitMs)
  const first = within(firstMs)
  const rest = within(mostMs).slice(first.length)
  copy.write(mutant.file, mutant.text)
  try {
    for (const some of [first, rest]) {
      if (some.length === 0) continue
      const tested = await runTests(copy.root, some, longestMs + 4 * covering.millisecondsOf(some))
      if (tested.kind !== 'passed') return tested
    }
    return { kind: 'passed' }
  } finally {
    copy.restore(mutant.file)
  }
}

function lineOf({ file, line, from, to }: RandomMutant): string {
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 60)
  return `${file.slice(`${home}/src/`.length)}:${line}  ${short(from)}  →  ${to === leftOut ? '(left out)' : short(to)}`
}
