/**
 * Random mutants, one after the other: tests beside the changed file first, then those of the
 * engine, then all. What passes all of them has survived.
 */
import { dirname } from 'node:path'
import { mutatedRooms, type RandomMutant, randomMutants } from './random-mutants.ts'
import { runTests, type Tested } from './run-tests.ts'
import { ScratchCopy } from './scratch-copy.ts'

export interface RandomOptions {
  readonly seed: string
  readonly count: number
  readonly rooms: readonly string[]
  readonly workers: number
}

const home = 'packages/throughline'
const engineTests = [
  ...['src/flow', 'src/conversation', 'src/fit', 'src/stores', 'src/toolkit'],
  ...['test/stores', 'test/compaction', 'test/summaries', 'test/conformance', 'test/sweep'],
].map((path) => `${home}/${path}`)
const longestMs = 900_000

/** How many survived. */
export async function runRandom(root: string, options: RandomOptions): Promise<number> {
  const unknown = options.rooms.find((room) => mutatedRooms[room] === undefined)
  if (unknown !== undefined)
    throw new Error(`no room "${unknown}"; there are ${Object.keys(mutatedRooms).join(', ')}`)
  const started = performance.now()
  const drawn = randomMutants(root, options.rooms, options)
  const waiting = [...drawn]
  const survivors: RandomMutant[] = []
  const copies = Array.from({ length: options.workers }, () => new ScratchCopy(root))
  try {
    await Promise.all(
      copies.map(async (copy) => {
        for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
          const tested = await tryMutant(copy, mutant)
          if (tested.kind === 'passed') survivors.push(mutant)
          console.log(`${tested.kind === 'passed' ? 'SURVIVED' : 'noticed '}  ${lineOf(mutant)}`)
          if (tested.kind === 'failed') console.log(`          ${tested.test}`)
        }
      }),
    )
  } finally {
    for (const copy of copies) copy.remove()
  }
  const seconds = Math.round((performance.now() - started) / 1_000)
  console.log(`\n${drawn.length - survivors.length} of ${drawn.length} noticed, ${seconds} s`)
  for (const mutant of survivors) console.log(lineOf(mutant))
  return survivors.length
}

async function tryMutant(copy: ScratchCopy, mutant: RandomMutant): Promise<Tested> {
  copy.write(mutant.file, mutant.text)
  try {
    // A folder may have no tests of its own; then nothing fails there.
    for (const tests of [[dirname(mutant.file)], engineTests, []]) {
      const tested = await runTests(copy.root, tests, longestMs)
      if (tested.kind !== 'passed' && !(tested.kind === 'broken' && tested.isEmpty)) return tested
    }
    return { kind: 'passed' }
  } finally {
    copy.restore(mutant.file)
  }
}

function lineOf({ file, line, from, to }: RandomMutant): string {
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 60)
  return `${file.slice(`${home}/src/`.length)}:${line}  ${short(from)}  →  ${short(to) || '(left out)'}`
}
