import { expect, it } from 'vitest'
import { runSeeds } from './run-seeds.ts'

it('keeps every promise of a context for any history, window and provider', async () => {
  const seeds = Array.from({ length: 24 }, (_, index) => index + 1)
  const report = await runSeeds(seeds)
  expect(report.findings).toEqual([])
  expect(report.requests).toBeGreaterThan(800)
})
