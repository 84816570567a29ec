/** npm run test:history -- purge [--canaries 500] [--seed 1] */
import { parseArgs } from 'node:util'
import { purgeCanaries } from './purge-canaries.ts'
import { tellFindings } from './tell-findings.ts'

export async function purgeCommand(options: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      canaries: { type: 'string', default: '100' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    },
  })
  const [canaries, seed] = [Number(values.canaries), Number(values.seed)]
  const started = performance.now()
  const { findings, figures } = await purgeCanaries({ seed, canaries })
  return tellFindings(`purge --canaries ${canaries} --seed ${seed}`, findings, figures, started)
}
