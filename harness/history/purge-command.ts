/** npm run test:history -- purge [--canaries 500] [--seed 1] */
import { purgeCanaries } from './purge-canaries.ts'
import { tellFindings } from './tell-findings.ts'
import { timesAndSeed } from './times-and-seed.ts'

export async function purgeCommand(options: readonly string[]): Promise<number> {
  const { times: canaries, seed } = timesAndSeed(options, { option: 'canaries', times: 100 })
  const started = performance.now()
  const { findings, figures } = await purgeCanaries({ seed, canaries })
  return tellFindings(`purge --canaries ${canaries} --seed ${seed}`, findings, figures, started)
}
