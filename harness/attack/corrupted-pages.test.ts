import { expect, it } from 'vitest'
import { corruptedPages } from './corrupted-pages.ts'

it('finds a coded error or a finding for every damage', { timeout: 120_000 }, async () => {
  const { probes, findings } = await corruptedPages.run({ seed: 1, whole: false })
  expect(probes).toBeGreaterThan(0)
  expect(findings).toEqual([])
})
