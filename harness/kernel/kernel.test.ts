import { memory } from 'throughline/stores/memory'
import { describe, expect, it } from 'vitest'
import { chanceOf } from './chance.ts'
import { option, part, runHarness } from './command.ts'
import { type Finding, sumFigures } from './finding.ts'
import { foundBug, searchBugs, storeWithBug } from './planted.ts'
import { runOnThreads, type SeededRuns, seededShares } from './threads.ts'

const broken: Finding = { rule: 'lost', detail: 'message 3', rerun: 'edits --seed 7' }

async function run(words: readonly string[], findings: readonly Finding[] = []) {
  const lines: string[] = []
  const seen: unknown[] = []
  const options = {
    ...{ runs: option.number(5, 'runs'), seed: option.seed(1), only: option.numberOrNone('one') },
    ...{ kind: option.text('kind', ['a', 'b']), trace: option.flag('prints') },
  }
  const edits = part('Edits.', options, async (values) => {
    seen.push(values)
    return { findings, total: 'done' }
  })
  const pins = part('Pins.', { seed: option.seed(1) }, async () => ({
    findings: [],
    total: 'done',
  }))
  const command = { script: 'test:history', unnamed: ['edits'], parts: { edits, pins } }
  const exitCode = await runHarness(command, words, (line) => lines.push(line))
  return { exitCode, output: lines.join('\n'), seen }
}

describe('a command', () => {
  it('checks its options and fills in the rest', async () => {
    const { exitCode, seen } = await run(['--runs', '9', '--kind', 'b', '--trace'])
    expect(seen).toEqual([{ runs: 9, seed: 1, only: null, kind: 'b', trace: true }])
    expect(exitCode).toBe(0)
  })

  it.each([
    [['--runs', 'many'], '--runs must be a whole number'],
    [['--runs', '1.5'], '--runs must be a whole number'],
    [['--runs', ''], '--runs must be a whole number'],
    [['--kind', 'c'], '--kind must be one of a, b'],
    [['--rums', '9'], "Unknown option '--rums'"],
    [['pins', '--runs', '9'], "Unknown option '--runs'"],
    [['undo'], 'unknown part "undo"'],
  ])('refuses %j', async (words, why) => {
    const { exitCode, output, seen } = await run(words)
    expect(output).toContain(why)
    expect(output).toContain('npm run test:history -- pins [options]')
    expect({ exitCode, seen }).toEqual({ exitCode: 64, seen: [] })
  })

  it('prints its options with --help', async () => {
    const { exitCode, output } = await run(['--help'])
    expect(output).toMatch(/--runs N +runs \(5\)\n/)
    expect(exitCode).toBe(0)
  })

  it('prints findings by rule, with the command that reproduces them, and exits with 1', async () => {
    const other = { rule: 'lost', detail: 'message 4' }
    const { exitCode, output } = await run([], [broken, other])
    expect(output).toContain(
      'lost: 2 times\n  message 3\n  npm run test:history -- edits --seed 7\n',
    )
    expect(output).toContain('  message 4\n  npm run test:history -- --runs 5 --seed 1\n')
    expect(output).toMatch(/\ndone, 2 findings, \d+ s$/)
    expect(exitCode).toBe(1)
  })
})

describe('threads', () => {
  it('do every share once, and report which share is done', async () => {
    const shares = seededShares(5, 7, 2)
    const sums: number[] = []
    const work = {
      module: import.meta.url.replace('.test.ts', '.test-support.ts'),
      shares,
      threads: 2,
    }
    await runOnThreads<SeededRuns, number>({ ...work, run: 'sum', atOnce: 2 }, (report, share) => {
      expect(report).toBe(share.seed + share.runs)
      sums.push(report)
    })
    expect(sums.toSorted((one, other) => one - other)).toEqual([7, 8, 9, 9])
    await expect(runOnThreads({ ...work, run: 'fail' }, () => {})).rejects.toThrow('put in')
  })
})

describe('a planted bug', () => {
  const bug = { bug: 'a store that loses', rule: 'lost', find: async () => [broken] }

  it('is found only by its rule and its text', async () => {
    expect(await foundBug(bug)).toBe(broken)
    expect(await foundBug({ ...bug, says: 'message 9' })).toBeNull()
    const lines: string[] = []
    const { findings } = await searchBugs([bug, { ...bug, rule: 'torn' }], (line) =>
      lines.push(line),
    )
    expect(lines.map((line) => line.slice(0, 9).trim())).toEqual(['found', 'NOT FOUND'])
    expect(findings).toHaveLength(1)
  })

  it('replaces some commands of a store, once per tenant', () => {
    let made = 0
    const store = storeWithBug(() => {
      made += 1
      return { read: async () => null }
    })(memory())
    expect(store.tenant('a' as never)).toBe(store.tenant('a' as never))
    expect(made).toBe(1)
  })
})

it('draws the same from the same seed, and sums figures by name', () => {
  const draw = (name: string) => chanceOf(name).times(20, () => chanceOf(name).below(1_000))
  expect(draw('a')).toEqual(draw('a'))
  expect(draw('a')).not.toEqual(draw('b'))
  expect(
    sumFigures(
      [
        { a: 1, most: 5 },
        { a: 2, most: 3 },
      ],
      ['most'],
    ),
  ).toEqual({ a: 3, most: 5 })
})
