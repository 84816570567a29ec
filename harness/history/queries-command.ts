/** npm run test:history -- queries [--queries 100000] [--seed 1] */
import { runQueries } from './run-queries.ts'
import { tellFindings } from './tell-findings.ts'
import { timesAndSeed } from './times-and-seed.ts'

export async function queriesCommand(options: readonly string[]): Promise<number> {
  const { times: queries, seed } = timesAndSeed(options, { option: 'queries', times: 2_000 })
  const started = performance.now()
  const { findings, figures } = await runQueries({ seed, queries })
  return tellFindings(`queries --queries ${queries} --seed ${seed}`, findings, figures, started)
}
