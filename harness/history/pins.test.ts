import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { plantedPins } from './planted-pins.ts'
import { runPins } from './run-pins.ts'

it('keeps pins exact, in order, once and counted, whatever a summarizer writes', async () => {
  const { findings, figures } = await runPins({ seed: 4, from: 0, to: 5, compactions: 4 })
  expect(findings).toEqual([])
  expect(figures['pin blocks']).toBeGreaterThan(5)
  expect(figures['contexts with lies']).toBeGreaterThan(0)
  expect(figures['requests to the lying model']).toBeGreaterThan(0)
})

describe('the harness finds', () => {
  it.each(plantedPins)('$bug', async (planted) => {
    expect(await foundBug(planted)).not.toBeNull()
  })
})
