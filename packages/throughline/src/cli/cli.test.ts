import { describe, expect, it } from 'vitest'
import { transcriptFormats } from '../transcripts/index.ts'
import { commandForms } from './commands-data.ts'
import { parseArguments } from './parse-arguments.ts'
import { testWorld } from './world.test-support.ts'

describe('the command line', () => {
  it('prints the overview without arguments', async () => {
    const { run } = testWorld()
    const { exitCode, stdout } = await run()
    expect(exitCode).toBe(0)
    expect(stdout).toContain('The first two minutes')
    for (const name of Object.keys(commandForms)) expect(stdout).toContain(`  ${name} `)
  })

  it('suggests a command for a typing error', async () => {
    const { run } = testWorld()
    expect(await run('lisst')).toMatchObject({
      exitCode: 64,
      stdout: '',
      stderr: 'throughline: usage error: unknown command "lisst"; did you mean "list"?\n',
    })
    expect((await run('list', '--limmit', '3')).stderr).toContain('did you mean --limit?')
  })

  it('suggests an option for a typing error, and names a missing value', async () => {
    const { run } = testWorld()
    expect(await run('context', 'c', '--modle', 'x')).toEqual({
      exitCode: 64,
      stdout: '',
      stderr:
        'throughline: usage error: unknown option --modle; did you mean --model? Options: throughline context --help\n',
    })
    expect((await run('list', '--xylophone')).stderr).toBe(
      'throughline: usage error: unknown option --xylophone; options: throughline list --help\n',
    )
    expect((await run('replay', 'a.jsonl', '--html')).stderr).toBe(
      'throughline: usage error: --html needs a value: FILE, also write the report as an HTML page with plots\n',
    )
  })

  it('accepts 8k, 32,000, 32_000 and 1m as numbers', async () => {
    const { run, json, engine } = testWorld({ env: { THROUGHLINE_TOKENIZER: 'estimate' } })
    await engine((tl) => tl.conversation('c').append({ role: 'user', content: 'Hello' }))
    for (const [written, windowTokens] of [
      ['8k', 8_000],
      ['32,000', 32_000],
      ['32_000', 32_000],
      ['128K', 128_000],
      ['1m', 1_000_000],
    ] as const)
      expect(await json('context', 'c', '--window', written)).toMatchObject({
        budget: { windowTokens },
      })
    for (const written of ['8kb', '3,2000', '1.5k', '-3', '99999999999999k', ''])
      expect((await run('context', 'c', `--window=${written}`)).stderr).toContain(
        `--window needs a whole number such as 32000 or 32k; got "${written}"`,
      )
  })

  it('reports errors as JSON with --json', async () => {
    const { run } = testWorld()
    const { stderr, stdout, exitCode } = await run('show', 'nobody', '--json')
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'NOT_FOUND' } })
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    expect(JSON.parse((await run('list', '--limit', 'x', '--json')).stderr)).toMatchObject({
      error: { code: 'USAGE' },
    })
  })

  it('exits with the code of the error table if the engine throws', async () => {
    const { run, store } = testWorld()
    const { writeFileSync } = await import('node:fs')
    writeFileSync(store, 'no database, and long enough to be looked at '.repeat(30))
    const { exitCode, stderr } = await run('list')
    expect(exitCode).toBe(74)
    expect(stderr).toContain('not a database')
  })

  it('lists every format in the help of import', () => {
    const [own, ...others] = transcriptFormats
    expect(commandForms.import.about[0]).toContain(`: ${[...others, own].join(', ')}. `)
  })

  it.each(Object.entries(commandForms))(
    'has a %s with valid examples and a help that fits 80 columns',
    async (name, command) => {
      expect(command.examples.length).toBeGreaterThanOrEqual(2)
      for (const [example] of command.examples) {
        const [first, ...words] = example.match(/"[^"]*"|\S+/g) ?? []
        expect(first).toBe(name)
        parseArguments(
          name,
          command,
          words.map((word) => word.replace(/^"|"$/g, '')),
          testWorld().world,
        )
      }
      const { stdout } = await testWorld().run(name, '--help')
      expect(stdout).toContain('Examples')
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    },
  )
})
