import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { observedHealthy, planted } from './planted.ts'
import { checkObserved } from './tally.ts'

describe('the harness finds', () => {
  it('nothing in a healthy run', async () => {
    expect(checkObserved(await observedHealthy())).toEqual([])
  })

  it.each(planted)('$bug', async (bug) => {
    expect(await foundBug(bug)).not.toBeNull()
  })
})
