import { describe, expect, it } from 'vitest'
import { foundBug } from '../kernel/planted.ts'
import { checkObserved } from './check-observed.ts'
import { observedSound, planted } from './planted.ts'

describe('the harness finds', () => {
  it('nothing in a sound run', async () => {
    expect(checkObserved(await observedSound())).toEqual([])
  })

  it.each(planted)('$bug', async (bug) => {
    expect(await foundBug(bug)).not.toBeNull()
  })
})
