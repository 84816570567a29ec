import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BenchProgress, bench, measures } from './index.ts'
import { table } from './table.ts'

let dataDir = ''
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  mkdirSync(join(dataDir, 'requests'))
  const messages = [
    { role: 'user', content: 'hello' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
  ]
  writeFileSync(join(dataDir, 'requests/one.json'), JSON.stringify({ model: 'gpt-4o', messages }))
})
afterAll(() => rmSync(dataDir, { recursive: true }))

describe('a measure', () => {
  it('returns rows with its name and the name of the policy', async () => {
    const report = await bench('transcripts', { dataDir })
    expect(report).toMatchObject({
      measure: 'transcripts',
      policyHash: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    })
    const base = { source: 'requests', method: 'throughline', size: 1, n: 1 }
    expect(report.rows.slice(0, 3)).toEqual([
      { ...base, value: 1, unit: 'conversations' },
      { ...base, value: 2, unit: 'messages' },
      { ...base, value: 1, unit: 'tool calls' },
    ])
    expect(table(report)).toMatch(/requests +throughline +1 +2 +messages +1/)
  })

  it('reports each file that it opens, and stops if the callback throws', async () => {
    const reported: BenchProgress[] = []
    await bench('transcripts', { dataDir, progress: (progress) => reported.push(progress) })
    expect(reported).toEqual([{ done: 0, total: 1, file: 'requests/one.json' }])
    const stop = () => {
      throw new Error('enough')
    }
    await expect(bench('transcripts', { dataDir, progress: stop })).rejects.toThrow('enough')
  })

  it('skips files that are not transcripts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
    try {
      writeFileSync(join(folder, 'package.json'), '{"name":"something","version":"1.0.0"}')
      const { rows } = await bench('transcripts', { dataDir: folder })
      expect(rows.find(({ unit }) => unit === 'problems')?.value).toBe(1)
      expect(await bench('cost', { dataDir: folder })).toMatchObject({ rows: [] })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('refuses options that it does not support', async () => {
    const refused = (options: object, measure = 'transcripts') =>
      expect(bench(measure as 'transcripts', { dataDir, ...options })).rejects
    await refused({ sizes: [8_000] }).toThrow('bench transcripts has no option "sizes"')
    await refused({ methods: ['full'] }).toThrow('bench transcripts has no method "full"')
    await refused({ methods: ['luck'] }, 'cost').toThrow('bench cost has no method "luck"')
    await refused({ size: 8_000 }).toThrow('bench has no option "size"')
    await refused({}, 'luck').toThrow('unknown measure "luck"')
  })

  it.each(['survival', 'edits', 'refetch'] as const)('%s needs a folder', async (measure) => {
    // One exchange has nothing that could be cut.
    expect(await bench(measure, { dataDir })).toMatchObject({ measure, rows: [] })
    const withoutFolder = measures[measure].take({ dataDir: null })
    await expect(withoutFolder).rejects.toThrow(`bench ${measure} needs a folder`)
  })
})
