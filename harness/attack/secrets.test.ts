import { expect, it } from 'vitest'
import { secrets } from './secrets.ts'

it('leaves no secret in anything that is derived, and clean text as it is', async () => {
  const { probes, findings } = await secrets.run({ seed: 1, whole: false })
  expect(findings).toEqual([])
  expect(probes).toBeGreaterThan(1_000)
})
