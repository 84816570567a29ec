import { describe, expect, it } from 'vitest'
import { withdrawSummaries } from './undo-path.ts'

/** `ab`: b was made from a. Capitals: withdrawn. */
function records(...pairs: readonly string[]) {
  return pairs.map((pair) => {
    const [parent = '', id = ''] = pair
    const parentId = parent === '-' ? null : parent.toLowerCase()
    return { id: id.toLowerCase(), parentId, withdrawn: id !== id.toLowerCase() }
  })
}

describe('summaries of a restored view', () => {
  it('are withdrawn if an undone view showed them, with all summaries made from them', () => {
    const chain = records('-a', 'ab', 'bc', 'cd')
    expect(withdrawSummaries(chain, { undone: ['c', 'b', null], restored: 'a' })).toEqual({
      withdrawn: ['b', 'c', 'd'],
      returned: [],
    })
    expect(withdrawSummaries(chain, { undone: ['a'], restored: null }).withdrawn.length).toBe(4)
  })

  it('stay if the restored view builds on them, or no undone view does', () => {
    const chain = records('-a', 'ab', '-x')
    expect(withdrawSummaries(chain, { undone: ['a'], restored: 'b' })).toEqual({
      withdrawn: [],
      returned: [],
    })
  })

  it('become valid again with the view that shows them, and so does their chain', () => {
    const chain = records('-a', 'aB', 'bC', 'cD')
    expect(withdrawSummaries(chain, { undone: ['a'], restored: 'c' })).toEqual({
      withdrawn: [],
      returned: ['b', 'c'],
    })
  })

  it('are visited once if their parents form a cycle', () => {
    expect(
      withdrawSummaries(records('ba', 'ab'), { undone: ['a'], restored: null }).withdrawn,
    ).toEqual(['a', 'b'])
  })
})
