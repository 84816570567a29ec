import { describe, expect, it } from 'vitest'
import { busyRows } from './loop/busy.ts'
import { largeTexts } from './loop/large-texts.ts'
import { largeRows, longRows, measureLoop } from './loop.ts'

describe('bench loop', () => {
  it('reports how long each change of a long conversation blocks the event loop', async () => {
    const rows = await longRows(2_000)
    const methods = [...new Set(rows.map(({ method }) => method))]
    expect(methods).toContain('edit at the start')
    expect(methods).toContain('purge a message')
    expect(rows).toHaveLength(methods.length * 4)
    // A change may end between two samples of the delay, which is then 0.
    expect(rows.every(({ unit, value }) => (unit === 'ms in all' ? value > 0 : value >= 0))).toBe(
      true,
    )
    expect(rows.filter(({ unit }) => unit === 'ms in all')).toHaveLength(methods.length)
  })

  it('reports the same for many busy conversations beside a long one', async () => {
    const rows = await busyRows({ messages: 1_500, conversations: 6, characters: 20_000 })
    expect(rows.map(({ unit }) => unit)).toEqual([
      'ms in all',
      'ms of delay, p99',
      'ms of delay, maximum',
      'ms of CPU, longest turn of the loop',
    ])
    expect(rows.every(({ value }) => value > 0)).toBe(true)
  })

  it('reports the same for large messages of several kinds', async () => {
    const rows = await largeRows(20_000)
    expect(new Set(rows.map(({ source }) => source)).size).toBe(Object.keys(largeTexts).length)
    await expect(measureLoop({ dataDir: '.' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
