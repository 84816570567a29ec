import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { observedSound, planted } from './planted.ts'
import { checkObserved } from './tally.ts'

describe('the harness finds', () => {
  it('nothing in a sound run', async () => {
    expect(checkObserved(await observedSound())).toEqual([])
  })

  it.each(planted)('$bug', async (bug) => {
    expect(await foundBug(bug)).not.toBeNull()
  })
})
