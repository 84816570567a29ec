import { expect, it } from 'vitest'
import { secrets } from './secrets.ts'

it('leaves no secret in anything derived, and does not change clean text', async () => {
  const { probes, findings } = await secrets.run({ seed: 1, whole: false })
  expect(findings).toEqual([])
  expect(probes).toBeGreaterThan(1_000)
})
