/** npm run test:history -- queries [--queries 100000] [--seed 1] */
import { parseArgs } from 'node:util'
import { runQueries } from './run-queries.ts'
import { tellFindings } from './tell-findings.ts'

export async function queriesCommand(options: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      queries: { type: 'string', default: '2000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    },
  })
  const [queries, seed] = [Number(values.queries), Number(values.seed)]
  const started = performance.now()
  const { findings, figures } = await runQueries({ seed, queries })
  return tellFindings(`queries --queries ${queries} --seed ${seed}`, findings, figures, started)
}
