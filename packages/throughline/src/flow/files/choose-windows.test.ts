import { describe, expect, it } from 'vitest'
import { chooseWindows, type WorthLines } from './render-files.ts'

function lines(worths: readonly number[], size = 20): WorthLines {
  return { worths: Float64Array.from(worths), sizes: worths.map(() => size), headCharacters: 10 }
}

const flat = (length: number, peaks: Readonly<Record<number, number>>) =>
  Array.from({ length }, (_, at) => peaks[at] ?? 0.1)

describe('windows of lines', () => {
  it('are around what is worth most, in the order of the pieces', () => {
    const pieces = [lines(flat(50, { 40: 9, 41: 9 })), lines(flat(50, { 3: 9 }))]
    expect(chooseWindows(pieces, 80)).toEqual([
      { piece: 0, from: 40, to: 42 },
      { piece: 1, from: 3, to: 4 },
    ])
  })

  it('are not torn apart by a line between that is worth little', () => {
    const [window] = chooseWindows([lines(flat(50, { 10: 9, 12: 9 }))], 80)
    expect(window).toEqual({ piece: 0, from: 10, to: 13 })
  })

  it('are a part of lines that are all worth the same', () => {
    expect(chooseWindows([lines(flat(50, {}))], 110)).toEqual([{ piece: 0, from: 0, to: 5 }])
  })

  it('are none where nothing fits, and none of what is worth nothing', () => {
    expect(chooseWindows([lines(flat(50, { 10: 9 }))], 15)).toEqual([])
    expect(chooseWindows([lines([0, 0, 0])], 1_000)).toEqual([])
  })

  it('take time in proportion to the lines', () => {
    const many = lines(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 101))
    const started = performance.now()
    expect(chooseWindows([many], 10_000).length).toBeGreaterThan(0)
    expect(performance.now() - started).toBeLessThan(1_500)
  })
})
