import { expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { plantedIdentity, runIdentity } from './identity.ts'

it('merges no two conversations, and continues those that clients changed', async () => {
  const { findings, figures } = await runIdentity({ histories: 1000, seed: 1 })
  expect(findings.slice(0, 5)).toEqual([])
  expect(figures.merged).toBe(0)
  expect(figures.continued / figures.expected).toBeGreaterThanOrEqual(0.99)
  expect(figures.requests).toBeGreaterThan(5000)
})

it.each(plantedIdentity)('finds $bug', async (bug) => {
  expect(await foundBug(bug)).not.toBeNull()
})
