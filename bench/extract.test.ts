import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upkeepOf } from './extract/upkeep.ts'
import { extractRows } from './extract.ts'
import { turnMessages } from './turn/messages.ts'

const small = { sliceTokens: 2_000, slices: 2, runs: 1 }

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'throughline-extract-'))
  mkdirSync(join(folder, 'requests'))
  const messages = Array.from({ length: 200 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${at} is about src/file-${at}.ts and what has to be done with it.`,
  }))
  writeFileSync(join(folder, 'requests/one.json'), JSON.stringify({ model: 'gpt-4o', messages }))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('bench extract', () => {
  it('has rows for each generated shape', async () => {
    const rows = await extractRows({ dataDir: null }, small)
    const sources = new Set(rows.map(({ source }) => source))
    expect(sources.size).toBeGreaterThan(5)
    expect(rows).toHaveLength(sources.size * 5)
    expect(rows.every(({ value }) => Number.isFinite(value))).toBe(true)
    expect(rows.every(({ size, n }) => size > 1_000 && size <= 2_000 && n > 0)).toBe(true)
  })

  it('has rows for each source of a folder, up to the number of slices', async () => {
    const rows = await extractRows({ dataDir: folder }, small)
    expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(['requests']))
    expect(rows[0]?.size).toBeGreaterThan(3_000)
    expect(rows[0]?.size).toBeLessThanOrEqual(4_000)
  })

  it('touches no facts in a turn without a compaction', async () => {
    const messages = Array.from({ length: 20 }, (_, turn) => turnMessages(turn)).flat()
    expect(await upkeepOf(messages)).toEqual({ turns: 59, touches: 0 })
  })
})
