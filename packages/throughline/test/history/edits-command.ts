/** npm run test:history -- edits [--runs 5000] [--seed 1] */
import { parseArgs } from 'node:util'
import { runEdits } from './run-edits.ts'
import { tellFindings } from './tell-findings.ts'

/** In shares, so that something is told now and then, and each can be run alone. */
const share = 500

export async function editsCommand(options: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      runs: { type: 'string', default: '500' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    },
  })
  let found = 0
  for (let left = Number(values.runs), seed = Number(values.seed); left > 0; seed += 1) {
    const started = performance.now()
    const { findings, figures } = await runEdits({ seed, runs: Math.min(left, share) })
    left -= figures.rewrites
    found += tellFindings(`edits --runs ${share} --seed ${seed}`, findings, figures, started)
  }
  return found
}
