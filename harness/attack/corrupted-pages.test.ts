import { expect, it } from 'vitest'
import { corruptedPages } from './corrupted-pages.ts'

it('ends every damaged read in a coded error or a doctor finding', {
  timeout: 120_000,
}, async () => {
  const { probes, findings } = await corruptedPages.run({ seed: 1, whole: false })
  expect(probes).toBeGreaterThan(0)
  expect(findings).toEqual([])
})
