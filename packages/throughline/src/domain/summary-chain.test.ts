import { describe, expect, it } from 'vitest'
import { nextLink } from './summary.ts'

describe('the chain of summaries', () => {
  it('S1-034, S1-035, S1-090: goes one deeper, and names its parent', () => {
    expect(nextLink(null, 3)).toEqual({ depth: 0, generation: 0, parentId: null })
    expect(nextLink({ id: 'a', depth: 0, generation: 0 }, 3)).toEqual({
      depth: 1,
      generation: 0,
      parentId: 'a',
    })
  })

  it('X1-1, X1-9: restarts at the cap and never stops', () => {
    expect(nextLink({ id: 'c', depth: 2, generation: 4 }, 3)).toEqual({
      depth: 0,
      generation: 5,
      parentId: 'c',
    })
  })

  it.each([1, 2, 3, 7])('S1-012: never reaches the depth of a cap of %i', (mostDepth) => {
    let last: Parameters<typeof nextLink>[0] = null
    for (let index = 0; index < 50; index += 1) {
      const link = nextLink(last, mostDepth)
      expect(link.depth).toBeLessThan(mostDepth)
      expect(link.generation).toBe(Math.floor(index / mostDepth))
      last = { ...link, id: `s${index}` }
    }
  })
})
