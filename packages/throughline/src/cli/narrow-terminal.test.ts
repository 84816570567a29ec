/** In a narrow terminal, no line is longer than the terminal is wide. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { widthOf } from './screen/cells.ts'
import { sessionOf, type TestWorld, testWorld } from './world.test-support.ts'

const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

async function filled(width: number): Promise<TestWorld> {
  const test = testWorld({ screen: { isTerminal: true, redraws: false, width, unicode: true } })
  await test.engine(async (tl) => {
    const chat = tl.conversation(id)
    await tl.begin(id, { title: 'A title that is long enough to be cut in every terminal' })
    await chat.append(sessionOf(40))
    await chat.pin('#2')
    for (let round = 0; round < 3; round += 1) {
      await chat.append(sessionOf(4))
      await chat.compactNextRequest()
      await chat.context({ model: 'gpt-4[8k]' })
    }
    await tl.conversation('second').append(sessionOf(1))
  })
  writeFileSync(join(test.folder, 'talk.json'), '[{"role":"user","content":"hello"}]')
  return test
}

/** Commands that draw tables, labelled rows or bars. */
const commands: readonly (readonly string[])[] = [
  ...[['list'], ['receipt', id, '--all'], ['config'], ['doctor']],
  ...[['status'], ['status', id], ['context', id, '--window', '8000']],
  ...[
    ['show', id, '0-3'],
    ['recall', id, 'limit', 'part-17'],
    ['expand', id, '4'],
  ],
  ['replay', id, '--window', '8000', '--quiet'],
]

describe.each([40, 50, 59])('in a terminal of %i columns', (width) => {
  it('no line of a table is wider', async () => {
    const test = await filled(width)
    for (const words of commands) {
      const { stdout, exitCode } = await test.run(...words)
      // A path is not cut, so that it can be copied.
      const lines = stdout.split('\n').filter((line) => !line.includes(test.store))
      const wider = lines.filter((line) => widthOf(line) > width)
      expect({ words, exitCode, wider }).toEqual({ words, exitCode: 0, wider: [] })
    }
    const overview = await test.run()
    // A command is not cut, so that it can be copied.
    const wider = overview.stdout
      .split('\n')
      .filter((line) => widthOf(line) > width && !/^ {2}throughline/.test(line))
    expect(wider).toEqual([])
  })
})

describe('a table in a narrow terminal', () => {
  it('keeps the columns id, messages and title', async () => {
    const { stdout } = await (await filled(40)).run('list')
    expect(stdout.trimEnd().split('\n')).toEqual([
      'conversation  messages  title',
      'second               4',
      '7c9e6679           208  A title that is…',
    ])
  })

  it('has all columns if they fit', async () => {
    const { stdout } = await (await filled(60)).run('list')
    expect(stdout.split('\n')[0]).toMatch(/^conversation +messages +last active +title$/)
  })

  it('is complete in a pipe', async () => {
    const test = await filled(40)
    Object.assign(test.world.stdout, { isTerminal: false })
    const { stdout } = await test.run('receipt', id, '--all')
    expect(stdout.split('\n')[2]).toMatch(
      /number +when +why +replaced +tokens before +after +written by/,
    )
  })
})
