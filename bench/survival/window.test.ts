import { describe, expect, it } from 'vitest'
import { largestBelow } from './window.ts'

const sizeOf = (size: number) => size

describe('the search for a window', () => {
  it('finds an answer of nearly the requested size, never a larger one', async () => {
    for (const most of [300, 3_500, 45_000]) {
      const ask = async (window: number) => Math.floor(window / 3)
      const size = await largestBelow({ most, ask, sizeOf })
      expect(size).toBeLessThanOrEqual(most)
      expect(size).toBeGreaterThan(most * 0.97)
    }
  })

  it('returns everything if everything fits, with a single request', async () => {
    const asked: number[] = []
    const ask = async (window: number) => {
      asked.push(window)
      return 700
    }
    expect(await largestBelow({ most: 1_000, ask, sizeOf })).toBe(700)
    expect(asked).toHaveLength(1)
  })

  it('takes the best answer if sizes grow in steps', async () => {
    const ask = async (window: number) => (window < 2_000 ? 400 : 1_100)
    expect(await largestBelow({ most: 1_000, ask, sizeOf })).toBe(400)
  })

  it('tries larger windows too, which may show less', async () => {
    const ask = async (window: number) =>
      window < 5_000 ? 400 : window < 5_050 ? 1_100 : window < 5_200 ? 900 : 1_200
    expect(await largestBelow({ most: 1_000, ask, sizeOf })).toBe(900)
  })

  it('skips windows without an answer', async () => {
    const ask = async (window: number) => (window < 3_000 ? null : Math.floor(window / 4))
    const size = await largestBelow({ most: 1_000, ask, sizeOf })
    expect(size).toBeGreaterThan(970)
    expect(await largestBelow({ most: 10, ask, sizeOf })).toBe(null)
  })
})
