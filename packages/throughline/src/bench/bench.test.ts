import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { measures } from './measures.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  mkdirSync(join(folder, 'requests'))
  const messages = [
    { role: 'user', content: 'hello' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
  ]
  writeFileSync(join(folder, 'requests/one.json'), JSON.stringify({ model: 'gpt-4o', messages }))
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(...words: readonly string[]) {
  const main = join(import.meta.dirname, 'main.ts')
  return spawnSync(process.execPath, ['--conditions=throughline-source', main, ...words], {
    encoding: 'utf8',
  })
}

describe('the bench command', () => {
  it('prints one JSON object with the measure, the policy and rows', () => {
    const { stdout, status } = run('transcripts', '--data', folder, '--json')
    expect(status).toBe(0)
    const report = JSON.parse(stdout) as {
      measure: string
      policyHash: string
      rows: readonly object[]
    }
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
  })

  it('prints a table for people', () => {
    const { stdout } = run('transcripts', '--data', folder)
    expect(stdout).toContain('bench transcripts   policy ')
    expect(stdout).toMatch(/requests +throughline +1 +2 +messages +1/)
  })

  it.each(['survival', 'edits', 'refetch'] as const)('takes the measure of %s', async (measure) => {
    const { stdout, status } = run(measure, '--data', folder, '--json')
    expect(status).toBe(0)
    // One exchange has nothing that could be cut.
    expect(JSON.parse(stdout)).toMatchObject({ measure, rows: [] })
    const withoutFolder = measures[measure].take({ dataDir: null })
    await expect(withoutFolder).rejects.toThrow(`bench ${measure} needs a folder`)
  })

  it('says what there is when asked for something else, with an exit code', () => {
    expect(run('speed')).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('transcripts') as string,
    })
    expect(run('transcripts', '--dta', 'x')).toMatchObject({ status: 64 })
    expect(run('transcripts')).toMatchObject({
      status: 78,
      stderr: expect.stringContaining('CONFIG_INVALID') as string,
    })
  })
})
