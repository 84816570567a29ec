import { expect, it } from 'vitest'
import { killedPurges } from './killed-purges.ts'

it('leaves no byte of purged text, whenever the purge was killed', {
  timeout: 120_000,
}, async () => {
  const { probes, findings } = await killedPurges.run({ seed: 1, whole: false })
  expect(probes).toBeGreaterThan(0)
  expect(findings).toEqual([])
})
