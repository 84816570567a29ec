/** npm run test:history -- edits [--runs 5000] [--seed 1] */
import { runEdits } from './run-edits.ts'
import { tellFindings } from './tell-findings.ts'
import { timesAndSeed } from './times-and-seed.ts'

/** In shares, so that something is told now and then, and each can be run alone. */
const share = 500

export async function editsCommand(options: readonly string[]): Promise<number> {
  const asked = timesAndSeed(options, { option: 'runs', times: 500 })
  let found = 0
  for (let { times: left, seed } = asked; left > 0; seed += 1) {
    const started = performance.now()
    const runs = Math.min(left, share)
    const { findings, figures } = await runEdits({ seed, runs })
    left -= figures.rewrites
    found += tellFindings(`edits --runs ${runs} --seed ${seed}`, findings, figures, started)
  }
  return found
}
