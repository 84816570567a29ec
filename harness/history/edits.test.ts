import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { plantedEdits } from './planted-edits.ts'
import { runEdits } from './run-edits.ts'

describe('messages that are edited and removed', () => {
  it('leave the same log as one appended that way, and nothing of the old text', async () => {
    const { findings, figures } = await runEdits({ seed: 3, runs: 12 })
    expect(findings).toEqual([])
    // The runs covered enough.
    expect(Math.min(...Object.values(figures))).toBeGreaterThan(0)
  })

  it.each(plantedEdits)('are checked for a store that $bug', async (planted) => {
    expect(await foundBug(planted)).not.toBeNull()
  })
})
