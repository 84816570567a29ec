import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { runUndo } from './run-undo.ts'
import { plantedUndo } from './undo-planted.ts'

it('restores the same bytes in both directions, with an unchanged log', async () => {
  const { findings, figures } = await runUndo({ seed: 115, chains: 5 })
  expect(findings).toEqual([])
  // The chains covered enough.
  const { compared, undone, restored, edited, forced, withdrawn, previews } = figures
  expect(Math.min(undone, restored, edited, forced, withdrawn, previews)).toBeGreaterThan(0)
  expect(compared).toBeGreaterThan(10)
})

describe('the harness finds', () => {
  it.each(plantedUndo)('$bug', async (planted) => {
    expect(await foundBug(planted)).not.toBeNull()
  })
})
