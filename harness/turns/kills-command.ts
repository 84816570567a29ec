/** npm run test:turns -- kills [--kills 50] [--seed 1] [--bug no-key] */
import { parseArgs } from 'node:util'
import { tellFindings } from '../history/tell-findings.ts'
import { killTurns } from './kill-turns.ts'

export async function killsCommand(options: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      kills: { type: 'string', default: '20' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      /** Put in: `no-key` or `ack-first`. */
      bug: { type: 'string' },
    },
  })
  const started = performance.now()
  const [kills, seed] = [Number(values.kills), Number(values.seed)]
  const { findings, figures } = await killTurns({ kills, seed, bug: values.bug })
  return tellFindings(`kills --seed ${seed}`, findings, figures, started)
}
