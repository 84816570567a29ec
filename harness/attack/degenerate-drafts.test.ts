import { expect, it } from 'vitest'
import { degenerateDrafts } from './degenerate-drafts.ts'

it('no policy accepts the output of a model that broke down', async () => {
  const { probes, findings } = await degenerateDrafts.run({ seed: 1, whole: false })
  expect(findings).toEqual([])
  expect(probes).toBeGreaterThan(20)
})
