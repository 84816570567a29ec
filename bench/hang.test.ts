import { describe, expect, it } from 'vitest'
import { hangRows, measureHang } from './hang.ts'

describe('the measure of a model that hangs', () => {
  it('times what goes on without it, and what waits for it', async () => {
    const rows = await hangRows({
      windowTokens: 8_192,
      soft: 1,
      requestsBehind: 1,
      hard: 2,
      waitMs: 200,
    })
    const figure = (unit: string) => rows.find((row) => row.unit === unit)?.value ?? -1
    expect(figure('contexts that went on without their summary')).toBeGreaterThan(0)
    // Both have waited, and neither for ever.
    expect(figure('ms per context, most')).toBeGreaterThanOrEqual(190)
    expect(rows.every(({ value }) => Number.isFinite(value))).toBe(true)
  })

  it('makes its own conversations', async () => {
    await expect(measureHang({ dataDir: '.' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
