import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { plantedEdits } from './planted-edits.ts'
import { runEdits } from './run-edits.ts'

describe('messages that are edited and removed', () => {
  it('leave what a log has that was appended so, and nothing of what they were', async () => {
    const { findings, figures } = await runEdits({ seed: 3, runs: 12 })
    expect(findings).toEqual([])
    // The runs were worth something.
    expect(Math.min(...Object.values(figures))).toBeGreaterThan(0)
  })

  it.each(plantedEdits)('are not as they should be where a store $bug', async (planted) => {
    expect(await foundBug(planted)).not.toBeNull()
  })
})
