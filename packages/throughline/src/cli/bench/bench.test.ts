import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BenchReport } from '../../bench/index.ts'
import { type TestWorld, testWorld } from '../world.test-support.ts'

/** A talk that is a little too long for 2,000 tokens. */
function withTalk(world: TestWorld): string {
  const folder = join(world.folder, 'talks', 'mine')
  mkdirSync(folder, { recursive: true })
  const messages = Array.from({ length: 40 }, (_, place) => ({
    role: place % 2 === 0 ? 'user' : 'assistant',
    content: `${place}: ${'so it goes on and on, '.repeat(12)}`,
  }))
  writeFileSync(join(folder, 'one.json'), JSON.stringify({ model: 'gpt-4o', messages }))
  return join(world.folder, 'talks')
}

describe('throughline bench', () => {
  it('lists the measures', async () => {
    const { stdout, exitCode } = await testWorld().run('bench')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/ {2}cost +what conversations cost/)
    expect(await testWorld().json('bench')).toContainEqual({
      name: 'turn',
      shows: expect.stringContaining('turn') as string,
    })
  })

  it('takes a measure as JSON, at the sizes and by the methods that are asked for', async () => {
    const world = testWorld()
    const data = withTalk(world)
    const report = (await world.json(
      ...['bench', 'cost', '--data', data, '--sizes', '2000', '--methods', 'sliding,throughline'],
    )) as BenchReport
    expect(report.measure).toBe('cost')
    expect(new Set(report.rows.map(({ size }) => size))).toEqual(new Set([2_000]))
    const billed = report.rows.filter(({ unit }) => unit === 'tokens billed for a request')
    expect(billed.map(({ method }) => method)).toEqual(['sliding', 'throughline'])
  })

  it('draws costs in two tables, each within the width', async () => {
    const world = testWorld()
    const data = withTalk(world)
    const { stdout } = await world.run('bench', 'cost', '--data', data, '--sizes', '2000')
    expect(stdout).toMatch(
      /source +window +full +forget +summary +ours +ours\/forget +ours\/summary/,
    )
    expect(stdout.match(/^mine +2,000( +\d\.\d\d){6}$/gm)).toHaveLength(2)
    expect(stdout).toContain('cache writes at 1.25 and five-minute gaps')
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('draws rows of other measures', async () => {
    const world = testWorld()
    const { stdout } = await world.run('bench', 'transcripts', '--data', withTalk(world))
    expect(stdout).toContain('bench transcripts   policy ')
    expect(stdout).toMatch(/mine +throughline +1 +40 +messages +1/)
  })

  it('says what a measure wants where it finds nothing', async () => {
    const world = testWorld()
    const { stdout, exitCode } = await world.run('bench', 'edits', '--data', withTalk(world))
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Nothing to measure was found. This measure wants edits of files')
  })

  it('says what it does not take, with the exit code of wrong usage', async () => {
    const { run } = testWorld()
    const stderr = async (...words: string[]) => {
      const ran = await run('bench', ...words)
      expect(ran.exitCode).toBe(64)
      return ran.stderr
    }
    expect(await stderr('costs')).toContain('did you mean "cost"?')
    expect(await stderr('cost')).toContain('needs a folder of transcripts: --data DIR')
    expect(await stderr('turn', '--data', '.')).toContain('leave out --data')
    expect(await stderr('cost', '--data', '.', '--sizes', '8k')).toContain('not "8k"')
    expect(await stderr('cost', '--data', '.', '--methods', 'luck')).toContain('not "luck"')
    expect(await stderr('survival', '--data', '.', '--sizes', '1')).toContain('takes no --sizes')
    expect(await run('bench', 'cost', '--data', 'nowhere')).toMatchObject({ exitCode: 1 })
  })

  it('ends with Ctrl-C before the next file', async () => {
    const world = testWorld()
    const data = withTalk(world)
    world.interrupt.abort()
    expect(await world.run('bench', 'transcripts', '--data', data)).toMatchObject({ exitCode: 130 })
  })
})
