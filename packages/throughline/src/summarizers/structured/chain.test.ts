import { describe, expect, it } from 'vitest'
import { nextLink } from './chain.ts'
import { nextPass } from './second-pass.ts'

describe('the chain of summaries', () => {
  it('S1-034, S1-035, S1-090: goes one deeper, and names its parent', () => {
    expect(nextLink(null, 3)).toEqual({ depth: 0, generation: 0, parentId: null })
    expect(nextLink({ id: 'a', depth: 0, generation: 0 }, 3)).toEqual({
      depth: 1,
      generation: 0,
      parentId: 'a',
    })
  })

  it('X1-1, X1-9: is begun anew at the cap, never stopped', () => {
    expect(nextLink({ id: 'c', depth: 2, generation: 4 }, 3)).toEqual({
      depth: 0,
      generation: 5,
      parentId: 'c',
    })
  })

  it.each([1, 2, 3, 7])('S1-012: never goes as deep as a cap of %i, for ever', (mostDepth) => {
    let last: Parameters<typeof nextLink>[0] = null
    for (let index = 0; index < 50; index += 1) {
      const link = nextLink(last, mostDepth)
      expect(link.depth).toBeLessThan(mostDepth)
      expect(link.generation).toBe(Math.floor(index / mostDepth))
      last = { ...link, id: `s${index}` }
    }
  })
})

describe('a context that is still too large', () => {
  const after = { depth: 0, mostDepth: 3, tailMessages: 6, tailWasHalved: false }

  it('S1-062: gets a second pass one deeper, as long as the chain may grow', () => {
    expect(nextPass(after)).toEqual({ kind: 'again', depth: 1 })
    expect(nextPass({ ...after, depth: 1 })).toEqual({ kind: 'again', depth: 2 })
  })

  it('S1-063: then half of the tail, once, and never fewer than 2 messages', () => {
    const deep = { ...after, depth: 2 }
    expect(nextPass(deep)).toEqual({ kind: 'shorter-tail', tailMessages: 3 })
    expect(nextPass({ ...deep, tailMessages: 3 })).toEqual({
      kind: 'shorter-tail',
      tailMessages: 2,
    })
    expect(nextPass({ ...deep, tailMessages: 2 })).toEqual({ kind: 'no-more' })
    expect(nextPass({ ...deep, tailWasHalved: true })).toEqual({ kind: 'no-more' })
  })
})
