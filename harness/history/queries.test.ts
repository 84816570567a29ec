import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { plantedQueries } from './planted.ts'
import { runQueries } from './run-queries.ts'

it('answers any string, within its limits, the same from both stores', async () => {
  const { findings, figures } = await runQueries({ seed: 3, queries: 200 })
  expect(findings).toEqual([])
  // The queries covered enough.
  expect(figures.answered).toBeGreaterThan(60)
  expect(figures.anchors).toBeGreaterThan(30)
})

describe('the harness finds', () => {
  it.each(plantedQueries)('$bug', async (planted) => {
    expect(await foundBug(planted)).not.toBeNull()
  })
})
