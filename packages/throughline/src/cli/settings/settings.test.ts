import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type TestWorld, testWorld } from '../world.test-support.ts'

function userFile({ folder }: TestWorld): string {
  return join(folder, '.config/throughline/config.json')
}

function write(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
}

async function found(test: TestWorld, name: string, ...flags: string[]): Promise<unknown> {
  const all = (await test.json('config', ...flags)) as Record<
    string,
    { value: unknown; kind: string }
  >
  return [all[name]?.value, all[name]?.kind]
}

describe('the settings of the command line', () => {
  it('P0-014: override each other in order: default, user, project, environment, flag', async () => {
    const env: Record<string, string> = {}
    const test = testWorld({ env })
    expect(await found(test, 'model')).toEqual(['openai/gpt-5-mini', 'built-in'])
    write(userFile(test), { model: 'a/user' })
    expect(await found(test, 'model')).toEqual(['a/user', 'user'])
    await test.run('config', 'set', 'model', 'a/project', '--project')
    expect(await found(test, 'model')).toEqual(['a/project', 'project'])
    const set = testWorld({ env: { THROUGHLINE_MODEL: 'a/environment' } })
    await set.run('config', 'set', 'model', 'a/project', '--project')
    expect(await found(set, 'model')).toEqual(['a/environment', 'environment'])
    expect(await found(set, 'model', '--model', 'a/flag')).toEqual(['a/flag', 'flag'])
  })

  it('finds the project file in parent folders, and resolves paths from its folder', async () => {
    const test = testWorld({ env: { THROUGHLINE_STORE: '' } })
    await test.run('config', 'set', 'store', 'kept/chat.db', '--project')
    const inside = { ...test.world, cwd: join(test.folder, 'a/b') }
    mkdirSync(inside.cwd, { recursive: true })
    const { runCli } = await import('../run-cli.ts')
    await test.run('config', 'path')
    expect(await runCli(['config', 'get', 'store'], inside)).toBe(0)
    expect(test.output().stdout).toMatch(new RegExp(`\n${join(test.folder, 'kept/chat.db')}\n$`))
    expect(await found(test, 'store')).toEqual([join(test.folder, 'kept/chat.db'), 'project'])
  })

  it.each([
    ['{ "modle": "x" }', 'unknown setting "modle"; did you mean "model"?'],
    ['{ "compaction": "maybe" }', 'compaction must be on, off or shadow, got "maybe"'],
    ['{ "tokenizer": 3 }', 'tokenizer must be auto, exact or estimate, got 3'],
    ['{ "models": [] }', 'models must be an object, by name, got an array'],
    [
      '{ "providers": { "x": { "api": "soap" } } }',
      'providers.x.api must be openai or anthropic, got "soap"',
    ],
    ['{ "providers": { "x": { "api": "openai", "baseUrl": "file:///a" } } }', 'http address'],
    [
      '{ "providers": { "x": { "api": "openai", "baseUrl": "http://a", "keyEnv": "sk-12-34" } } }',
      'never a key',
    ],
    [
      '{ "providers": { "x": { "api": "openai", "baseUrl": "http://a", "key": "1" } } }',
      'unknown setting "providers.x.key"',
    ],
    ['[]', 'must contain a JSON object'],
    ['{', 'not valid JSON'],
  ])('P0-014: refuse %s and name the file', async (text, why) => {
    const test = testWorld()
    write(userFile(test), text)
    const { exitCode, stderr } = await test.run('status')
    expect(exitCode).toBe(78)
    expect(stderr).toContain(why)
    expect(stderr).toContain(userFile(test))
  })

  it('do not let a project set where API keys are sent', async () => {
    const test = testWorld()
    for (const field of [
      { baseUrl: 'https://example.org' },
      {
        providers: {
          openai: { api: 'openai', baseUrl: 'https://example.org', keyEnv: 'OPENAI_API_KEY' },
        },
      },
    ]) {
      write(join(test.folder, 'throughline.json'), field)
      const { exitCode, stderr } = await test.run('config', 'trust')
      expect({ exitCode, why: stderr.includes('where your API keys are sent') }).toEqual({
        exitCode: 78,
        why: true,
      })
    }
  })

  it('name the invalid variable or flag', async () => {
    const variable = testWorld({ env: { THROUGHLINE_COMPACTION: 'maybe' } })
    expect(await variable.run('list')).toMatchObject({
      exitCode: 78,
      stderr: expect.stringContaining('THROUGHLINE_COMPACTION: compaction must be'),
    })
    expect(await testWorld().run('status', '--compaction', 'maybe')).toMatchObject({ exitCode: 64 })
    expect(await testWorld().run('list', '--policy', 'balanced')).toMatchObject({ exitCode: 64 })
  })

  it('P0-011: are changed one by one, and stored', async () => {
    const test = testWorld()
    write(userFile(test), { store: 'relative.db' })
    await test.run('config', 'set', 'compaction', 'off')
    await test.run('config', 'set', 'policy', '{"name":"mine","keepRecent":{"messages":4}}')
    expect(JSON.parse(readFileSync(userFile(test), 'utf8'))).toEqual({
      store: 'relative.db',
      compaction: 'off',
      policy: { name: 'mine', keepRecent: { messages: 4 } },
    })
    expect(statSync(userFile(test)).mode & 0o077).toBe(0)
    await test.run('config', 'unset', 'compaction')
    expect(await found(test, 'compaction')).toEqual(['on', 'built-in'])
    expect((await test.run('config', 'get', 'policy')).stdout).toContain('"keepRecent"')
    await test.run('config', 'set', 'compaction', 'shadow', '--project')
    expect(await found(test, 'compaction')).toEqual(['shadow', 'project'])
    expect((await test.run('config', 'path', '--project')).stdout).toBe(
      `${join(test.folder, 'throughline.json')}\n`,
    )
  })

  it('reject invalid values', async () => {
    const test = testWorld()
    expect(await test.run('config', 'set', 'compaction', 'maybe')).toMatchObject({ exitCode: 78 })
    expect(await test.run('config', 'set', 'nothing', '1')).toMatchObject({ exitCode: 64 })
    expect(await test.run('config', 'set', 'model')).toMatchObject({ exitCode: 64 })
    expect(await test.run('config', 'set', 'baseUrl', 'http://a', '--project')).toMatchObject({
      exitCode: 78,
    })
    expect(await test.run('config', 'set', 'policy', 'zen')).toMatchObject({
      exitCode: 78,
      stderr: expect.stringContaining('use one of balanced'),
    })
    const models = { 'a/b': { contextWindowTokens: 'many' } }
    expect(await test.run('config', 'set', 'models', JSON.stringify(models))).toMatchObject({
      exitCode: 78,
      stderr: expect.stringContaining('contextWindowTokens'),
    })
    const secret = await test.run('config', 'set', 'baseUrl', 'https://me:word@example.org/v1')
    expect(secret).toMatchObject({ exitCode: 78, stderr: expect.not.stringContaining('me:word') })
    expect(await test.run('config', 'dance')).toMatchObject({ exitCode: 64 })
    expect(await found(test, 'compaction')).toEqual(['on', 'built-in'])
  })

  it('are listed with their sources', async () => {
    const test = testWorld({ env: { THROUGHLINE_MODEL: 'a/b' } })
    const { stdout } = await test.run('config')
    expect(stdout).toMatch(/^model +a\/b +THROUGHLINE_MODEL$/m)
    expect(stdout).toMatch(/^policy +balanced +default$/m)
  })
})
