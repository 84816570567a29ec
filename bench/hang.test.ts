import { describe, expect, it } from 'vitest'
import { hangRows, measureHang } from './hang.ts'

describe('bench hang', () => {
  it('times requests that continue without the model, and those that wait for it', async () => {
    const rows = await hangRows({
      windowTokens: 8_192,
      soft: 1,
      requestsAfter: 1,
      hard: 2,
      waitMs: 200,
    })
    const figure = (unit: string) => rows.find((row) => row.unit === unit)?.value ?? -1
    expect(figure('contexts without their pending summary')).toBeGreaterThan(0)
    // Both have waited, but not forever.
    expect(figure('ms per context, maximum')).toBeGreaterThanOrEqual(190)
    expect(rows.every(({ value }) => Number.isFinite(value))).toBe(true)
  })

  it('generates its own conversations', async () => {
    await expect(measureHang({ dataDir: '.' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
