import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BenchRow } from './report.ts'
import { survivalFiles } from './survival/files.ts'
import { claudeSession, madeFile } from './survival.test-support.ts'
import { measureSurvival, survivalRows } from './survival.ts'

const session = claudeSession({ seed: 'rows', steps: 50, compactedBefore: 36 })

describe('bench survival', () => {
  let rows: readonly BenchRow[] = []
  beforeAll(async () => {
    rows = await survivalRows([madeFile('one.jsonl', session)])
  })

  it('has a row for each method, size and kind of cut', () => {
    const methods = (unit: string, size: number) =>
      rows.filter((row) => row.unit === unit && row.size === size).map(({ method }) => method)
    const common = ['tail', 'list', 'tail+list', 'throughline', 'throughline, 5 times']
    const real = rows.find(({ method }) => method === 'claude')
    expect(methods('survival, at real compactions', real?.size ?? 0)).toEqual(['claude', ...common])
    for (const size of [6_000, 15_000, 45_000]) {
      expect(methods('survival, at cuts', size)).toEqual(common)
      expect(methods('precision, at cuts', size)).toEqual(common)
    }
    for (const { unit, value } of rows)
      if (!unit.startsWith('characters')) expect(value >= 0 && value <= 1, unit).toBe(true)
    const ours = rows.filter(({ method }) => method.startsWith('throughline'))
    for (const { value, size, unit } of ours)
      if (unit.startsWith('characters')) expect(value).toBeLessThanOrEqual(size)
    expect(ours.filter(({ unit }) => unit.startsWith('share verbatim')).length).toBeGreaterThan(0)
  })

  it('counts a figure that a cut lacks as 0', () => {
    const shares = rows.filter(
      ({ method, size, unit }) =>
        method === 'throughline' &&
        size === 6_000 &&
        /^share(?! derived as (?:summary|files))/.test(unit),
    )
    expect(shares.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(1)
    expect(new Set(shares.map(({ n }) => n)).size).toBe(1)
  })

  it('cuts other transcripts in the middle, and skips those without an assistant', async () => {
    const message = (role: string, text: string) => ({ role, content: text })
    const names = 'src/one.ts src/two.ts src/three.ts'
    const filler = 'word '.repeat(800)
    const messages = [message('user', names), message('assistant', filler), message('user', 'On.')]
    const after = [
      message('assistant', names),
      message('user', 'And?'),
      message('assistant', 'Done.'),
    ]
    const request = (all: readonly object[]) => JSON.stringify({ model: 'm', messages: all })
    const others = await survivalRows([
      madeFile('one.json', request([...messages, ...after]), 'agents'),
      madeFile('two.json', request([...messages, message('user', names)]), 'people'),
    ])
    expect(others.find(({ method }) => method === 'tail')).toEqual({
      source: 'agents',
      method: 'tail',
      size: 3_500,
      value: 0,
      unit: 'survival, in the middle',
      n: 1,
    })
    expect(others.find(({ method }) => method === 'list')?.value).toBe(1)
    expect(others.some(({ source }) => source === 'people')).toBe(false)
    expect(others.some(({ method }) => method === 'claude')).toBe(false)
  })

  it('treats the files of a folder as one source', () => {
    const folder = mkdtempSync(join(tmpdir(), 'throughline-survival-'))
    try {
      for (const name of ['one.jsonl', 'two.jsonl']) writeFileSync(join(folder, name), session)
      const sources = survivalFiles({ dataDir: folder }, 'survival').map(({ source }) => source)
      expect(sources).toEqual([basename(folder), basename(folder)])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('needs a folder', async () => {
    const asked = measureSurvival({ dataDir: null })
    await expect(asked).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
