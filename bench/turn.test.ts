import { describe, expect, it } from 'vitest'
import { bench } from './index.ts'
import { turnTables } from './turn/tables.ts'
import { measureTurn, turnRows } from './turn.ts'

const cell = { turnTokens: 300, windowTokens: 8_192, durability: 'normal' } as const

describe('bench turn', () => {
  it('times ours and the minimum in every cell, in a process of its own', () => {
    const cells = [9, 30].map((messages) => ({ ...cell, messages }))
    const rows = turnRows(cells, { turnsMeasured: 3, turnsToWarmUp: 1 })
    expect(new Set(rows.map(({ size }) => size))).toEqual(new Set([9, 30]))
    const zeroable = ['compactions', 'CPU µs in the background, mean']
    expect(rows.every(({ value, unit }) => value > 0 || zeroable.includes(unit))).toBe(true)
    const shown = rows.filter(({ unit }) => unit === 'messages shown, mean')
    // One turn warms up: 15, 18 and 21 messages.
    expect(shown[0]?.value).toBe(18)
    const [ours, minimum] = turnTables(rows)
    expect(ours?.rows.map((line) => line.length)).toEqual([15, 15])
    expect(minimum?.rows.map((line) => line[1])).toEqual(['9', '30'])
  })

  it('generates its own turns, and refuses unknown choices', async () => {
    await expect(measureTurn({ dataDir: '.' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    const choices = { windows: ['9'] }
    await expect(bench('turn', { dataDir: null, choices })).rejects.toThrow('not "9"')
  })
})
