import { describe, expect, it } from 'vitest'
import { withdrawSummaries } from './undo-path.ts'

/** `ab`: b was made from a. In capitals: withdrawn. */
function records(...pairs: readonly string[]) {
  return pairs.map((pair) => {
    const [parent = '', id = ''] = pair
    const parentId = parent === '-' ? null : parent.toLowerCase()
    return { id: id.toLowerCase(), parentId, withdrawn: id !== id.toLowerCase() }
  })
}

describe('summaries of a restored view', () => {
  it('are withdrawn where the undone views showed them, with what was made from them', () => {
    const chain = records('-a', 'ab', 'bc', 'cd')
    expect(withdrawSummaries(chain, { undone: ['c', 'b', null], restored: 'a' })).toEqual({
      withdrawn: ['b', 'c', 'd'],
      returned: [],
    })
    expect(withdrawSummaries(chain, { undone: ['a'], restored: null }).withdrawn.length).toBe(4)
  })

  it('stay where the restored view was made from them, and where nobody has undone them', () => {
    const chain = records('-a', 'ab', '-x')
    expect(withdrawSummaries(chain, { undone: ['a'], restored: 'b' })).toEqual({
      withdrawn: [],
      returned: [],
    })
  })

  it('come back with the view that shows them, and those that it was made from', () => {
    const chain = records('-a', 'aB', 'bC', 'cD')
    expect(withdrawSummaries(chain, { undone: ['a'], restored: 'c' })).toEqual({
      withdrawn: [],
      returned: ['b', 'c'],
    })
  })

  it('are looked at once where somebody has tied them in a circle', () => {
    expect(
      withdrawSummaries(records('ba', 'ab'), { undone: ['a'], restored: null }).withdrawn,
    ).toEqual(['a', 'b'])
  })
})
