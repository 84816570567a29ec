import { describe, expect, it } from 'vitest'
import { commandGroups } from './command-table.ts'
import { parseArguments } from './parse-arguments.ts'
import { testWorld } from './world.test-support.ts'

const entries = commandGroups.flatMap(({ commands }) => Object.entries(commands))

describe('the command line', () => {
  it('shows the way of the first minutes when nothing is asked', async () => {
    const { run } = testWorld()
    const { exitCode, stdout } = await run()
    expect(exitCode).toBe(0)
    expect(stdout).toContain('The first two minutes')
    for (const [name] of entries) expect(stdout).toContain(`  ${name} `)
  })

  it('knows a command by what was meant', async () => {
    const { run } = testWorld()
    expect(await run('lisst')).toMatchObject({
      exitCode: 64,
      stdout: '',
      stderr: 'throughline: there is no command "lisst"; did you mean "list"?\n',
    })
    expect((await run('list', '--limmit', '3')).stderr).toContain('did you mean --limit?')
  })

  it('tells what went wrong as JSON where JSON is asked for', async () => {
    const { run } = testWorld()
    const { stderr, stdout, exitCode } = await run('show', 'nobody', '--json')
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'NOT_FOUND' } })
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    expect(JSON.parse((await run('list', '--limit', 'x', '--json')).stderr)).toMatchObject({
      error: { code: 'USAGE' },
    })
  })

  it('ends with the exit code of the table where the engine refuses', async () => {
    const { run, store } = testWorld()
    const { writeFileSync } = await import('node:fs')
    writeFileSync(store, 'no database, and long enough to be looked at '.repeat(30))
    const { exitCode, stderr } = await run('list')
    expect({ exitCode, isTold: stderr.includes('not a database') }).toEqual({
      exitCode: 74,
      isTold: true,
    })
  })

  it.each(entries)('has a %s whose help and examples hold together', async (name, entry) => {
    const command = await entry.load()
    expect(command).toMatchObject({ name, summary: entry.summary })
    expect(command.examples.length).toBeGreaterThanOrEqual(2)
    for (const example of command.examples) {
      const [first, ...words] = example.command.match(/"[^"]*"|\S+/g) ?? []
      expect(first).toBe(name)
      parseArguments(
        command,
        words.map((word) => word.replace(/^"|"$/g, '')),
      )
    }
    const { stdout } = await testWorld().run(name, '--help')
    expect(stdout).toContain('Examples')
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})
