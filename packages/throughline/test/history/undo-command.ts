/** npm run test:history -- undo [--chains 1000] [--seed 1] */
import { parseArgs } from 'node:util'
import { runUndo } from './run-undo.ts'
import { tellFindings } from './tell-findings.ts'

export async function undoCommand(options: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      chains: { type: 'string', default: '100' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    },
  })
  const [chains, seed] = [Number(values.chains), Number(values.seed)]
  const started = performance.now()
  const { findings, figures } = await runUndo({ seed, chains })
  return tellFindings(`undo --chains ${chains} --seed ${seed}`, findings, figures, started)
}
