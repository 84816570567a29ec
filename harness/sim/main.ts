/** npm run sim: simulates everything at once, in one process, from a seed. */
import { option, part, runHarness } from '../kernel/command.ts'
import { type Finding, figuresLine, type Print, sumFigures } from '../kernel/finding.ts'
import { searchBugs } from '../kernel/planted.ts'
import { withPostgres } from '../postgres/server.ts'
import { plantedBugs } from './planted-bugs.ts'
import { runSeed } from './run-seed.ts'
import type { SimDatabase } from './sim-store.ts'

const seed = option.seed(1)
const steps = option.number(60, 'steps per seed')

process.exitCode = await runHarness({
  script: 'sim',
  unnamed: ['seeds'],
  parts: {
    seeds: part(
      'Two engines on one store; all events are random, and every step is checked.',
      {
        ...{ seed, seeds: option.number(1, 'number of consecutive seeds'), steps },
        trace: option.flag('print every event'),
        postgres: option.flag('two engines on PostgreSQL, not in memory or on a file'),
      },
      (asked, print) =>
        asked.postgres
          ? withPostgres({}, ({ url }) => runSeeds(asked, url, print))
          : runSeeds(asked, null, print),
    ),
    planted: part(
      'Plants bugs, one at a time, and reports whether each is found.',
      { seed, seeds: option.number(60, 'seeds to try per bug'), steps },
      (asked, print) => searchBugs(plantedBugs(asked), print),
    ),
  },
})

async function runSeeds(
  asked: Readonly<Record<'seed' | 'seeds' | 'steps', number>> & { readonly trace: boolean },
  url: string | null,
  print: Print,
) {
  const findings: Finding[] = []
  const figures: Record<string, number>[] = []
  for (let at = asked.seed; at < asked.seed + asked.seeds; at += 1) {
    const database: SimDatabase | undefined =
      url === null ? undefined : { url, schema: `sim_${at}` }
    const report = await runSeed({
      ...{ seed: at, steps: asked.steps, database },
      ...(asked.trace && { print }),
    })
    if (asked.seeds === 1) print(`seed ${at}: trace ${report.hash}`)
    figures.push(Object.fromEntries(report.figures))
    const rerun = `--seed ${at} --steps ${report.step}${url === null ? '' : ' --postgres'}`
    findings.push(...report.findings.slice(0, 4).map((each) => ({ ...each, rerun })))
  }
  return { findings, total: `${asked.seeds} seeds: ${figuresLine(sumFigures(figures))}` }
}
