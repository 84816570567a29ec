import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { plantedPins } from './planted-pins.ts'
import { runPins } from './run-pins.ts'

it('whatever a summarizer says, pins stand to the letter, in order, once and counted', async () => {
  const { findings, figures } = await runPins({ seed: 4, from: 0, to: 3, compactions: 4 })
  expect(findings).toEqual([])
  expect(figures['of them blocks']).toBeGreaterThan(5)
  expect(figures['contexts with lies']).toBeGreaterThan(0)
  expect(figures['requests to the liar']).toBeGreaterThan(0)
})

describe('the harness finds', () => {
  it.each(plantedPins)('$bug', async (planted) => {
    expect(await foundBug(planted)).not.toBeNull()
  })
})
