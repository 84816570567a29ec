/** npm run test:history -- undo [--chains 1000] [--seed 1] */
import { runUndo } from './run-undo.ts'
import { tellFindings } from './tell-findings.ts'
import { timesAndSeed } from './times-and-seed.ts'

export async function undoCommand(options: readonly string[]): Promise<number> {
  const { times: chains, seed } = timesAndSeed(options, { option: 'chains', times: 100 })
  const started = performance.now()
  const { findings, figures } = await runUndo({ seed, chains })
  return tellFindings(`undo --chains ${chains} --seed ${seed}`, findings, figures, started)
}
