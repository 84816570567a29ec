import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { BenchReport } from './report.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const data = join(folder, 'talks')
mkdirSync(join(data, 'mine'), { recursive: true })
/** A talk slightly longer than 2,000 tokens. */
const messages = Array.from({ length: 40 }, (_, place) => ({
  role: place % 2 === 0 ? 'user' : 'assistant',
  content: `${place}: ${'so it goes on and on, '.repeat(12)}`,
}))
writeFileSync(join(data, 'mine', 'one.json'), JSON.stringify({ model: 'gpt-4o', messages }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(...words: readonly string[]) {
  const args = ['--conditions=throughline-source', join(import.meta.dirname, 'main.ts'), ...words]
  return spawnSync(process.execPath, args, { encoding: 'utf8' })
}

describe('npm run bench', () => {
  it('lists the measures', () => {
    const { stdout, status } = run()
    expect(status).toBe(0)
    expect(run('--help').stdout).toBe(stdout)
    expect(stdout).toMatch(/^cost +what conversations cost/m)
    expect(JSON.parse(run('--json').stdout)).toContainEqual({
      name: 'turn',
      shows: expect.stringContaining('turn') as string,
    })
  })

  it('prints a measure as JSON, with the requested sizes and methods', () => {
    const words = ['--data', data, '--sizes', '2000', '--methods', 'sliding,throughline', '--json']
    const report = JSON.parse(run('cost', ...words).stdout) as BenchReport
    expect(report.measure).toBe('cost')
    expect(new Set(report.rows.map(({ size }) => size))).toEqual(new Set([2_000]))
    const billed = report.rows.filter(({ unit }) => unit === 'tokens billed per request')
    expect(billed.map(({ method }) => method)).toEqual([
      'sliding',
      'throughline',
      'throughline, usage not reported',
    ])
  })

  it('prints costs in two tables, and other measures row by row', () => {
    const { stdout } = run('cost', '--data', data, '--sizes', '2000')
    expect(stdout).toMatch(
      /source +window +full +forget +summary +ours +ours\/forget +ours\/summary/,
    )
    expect(stdout.match(/^mine +2,000( +\d\.\d\d){6}$/gm)).toHaveLength(2)
    const drawn = run('transcripts', '--data', data).stdout
    expect(drawn).toContain('bench transcripts   policy ')
    expect(drawn).toMatch(/mine +throughline +1 +40 +messages +1/)
  })

  it('says what a measure needs if it finds nothing', () => {
    const { stdout, status } = run('edits', '--data', data)
    expect(status).toBe(0)
    expect(stdout).toContain('Nothing to measure was found. This measure needs file edits')
  })

  it('refuses unknown options with exit code 64', () => {
    const refused = (...words: readonly string[]) => {
      const { status, stderr } = run(...words)
      expect(status).toBe(64)
      return stderr
    }
    expect(refused('costs')).toContain('unknown measure "costs"')
    expect(refused('cost', '--loud')).toContain("Unknown option '--loud'")
    expect(refused('cost')).toContain('needs a folder of transcripts: --data DIR')
    expect(refused('turn', '--data', '.')).toContain('leave out --data')
    expect(refused('cost', '--data', '.', '--sizes', '8k')).toContain('not "8k"')
    expect(refused('cost', '--data', '.', '--methods', 'luck')).toContain('not "luck"')
    expect(refused('survival', '--data', '.', '--sizes', '1')).toContain('has no option --sizes')
    expect(run('cost', '--data', 'nowhere')).toMatchObject({ status: 66 })
  })
})
