import { describe, expect, it } from 'vitest'
import { largeRows, longRows, measureLoop } from './loop.ts'

describe('bench loop', () => {
  it('reports how long each change of a long conversation blocks the event loop', async () => {
    const rows = await longRows(2_000)
    const methods = [...new Set(rows.map(({ method }) => method))]
    expect(methods).toContain('edit at the start')
    expect(methods).toContain('purge a message')
    expect(rows).toHaveLength(methods.length * 3)
    expect(rows.every(({ value }) => value > 0)).toBe(true)
  })

  it('reports the same for large messages of several kinds', async () => {
    const rows = await largeRows(20_000)
    expect(new Set(rows.map(({ source }) => source)).size).toBe(4)
    await expect(measureLoop({ dataDir: '.' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
