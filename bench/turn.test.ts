import { describe, expect, it } from 'vitest'
import { measureTurn, turnRows } from './turn.ts'

describe('bench turn', () => {
  it('times ours and the minimum at every size and window', async () => {
    const rows = await turnRows({
      sizes: [9, 30],
      windows: [8_192],
      turnsMeasured: 3,
      turnsToWarmUp: 1,
    })
    expect(rows.map(({ size }) => size)).toEqual([...Array(9).fill(9), ...Array(9).fill(30)])
    expect(rows.every(({ value, n }) => value > 0 && n === 3)).toBe(true)
    const shown = rows.filter(({ unit }) => unit === 'messages shown, average')
    // Two chats of 9, so that none grows to twice its size: 12, 15, 15.
    expect(shown[0]?.value).toBe(14)
  })

  it('generates its own turns', async () => {
    await expect(measureTurn({ dataDir: '.' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
