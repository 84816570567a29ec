import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { type TestWorld, type TestWorldOptions, testWorld } from '../world.test-support.ts'

/** A user who owns no files here. */
const somebodyElse = { uid: 4_242, gid: 4_242 }

/** Separate home and working folders, and no named store. */
function apart(options: TestWorldOptions = {}) {
  const test = testWorld({ ...options, env: { XDG_DATA_HOME: '', ...options.env } })
  const home = join(test.folder, 'home')
  const shared = join(test.folder, 'shared')
  const cwd = join(shared, 'work/deep')
  for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true })
  const run = async (...words: string[]) => {
    const before = test.output()
    const exitCode = await runCli(words, { ...test.world, home, cwd })
    const { stdout, stderr } = test.output()
    const [out, err] = [stdout.slice(before.stdout.length), stderr.slice(before.stderr.length)]
    return { exitCode, stdout: out, stderr: err }
  }
  return { test, home, shared, cwd, run }
}

function write(file: string, value: unknown): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}

const defaultStoreIn = (home: string) => join(home, '.local/share/throughline/throughline.db')

async function settingIn(test: TestWorld, name: string): Promise<string> {
  return (await test.run('config', 'get', name)).stdout.trim()
}

describe("a project's settings", () => {
  it.each([
    ['store', 'elsewhere.db'],
    ['tenant', 'them'],
    ['model', 'a/theirs'],
    ['summarizer', 'a/theirs'],
    ['policy', { name: 'theirs', advanced: { derivedRole: 'merged-into-system' } }],
    ['models', { 'a/b': { contextWindowTokens: 100 } }],
    ['compaction', 'off'],
    ['tokenizer', 'estimate'],
  ])('do not count before the user trusts them: %s', async (name, value) => {
    const test = testWorld()
    const before = await settingIn(test, name)
    const file = write(join(test.folder, 'throughline.json'), { [name]: value })
    const { stdout, stderr } = await test.run('config', 'get', name)
    expect(stdout.trim()).toBe(before)
    expect(stderr).toContain(file)
    expect(stderr).toContain('config trust')
    expect(await test.run('config', 'trust')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(name),
      stderr: '',
    })
    const trusted = await test.run('config', 'get', name)
    expect(trusted.stdout.trim()).not.toBe(before)
    expect(trusted.stderr).toBe('')
  })

  it('must be trusted again after a change or a move', async () => {
    const test = testWorld()
    const file = write(join(test.folder, 'throughline.json'), { model: 'a/first' })
    await test.run('config', 'trust')
    expect(await settingIn(test, 'model')).toBe('a/first')
    write(file, { model: 'a/second' })
    expect(await settingIn(test, 'model')).toBe('openai/gpt-5-mini')
    write(file, { model: 'a/first' })
    expect(await settingIn(test, 'model')).toBe('a/first')
    const elsewhere = write(join(test.folder, 'other/throughline.json'), { model: 'a/first' })
    const cwd = dirname(elsewhere)
    await runCli(['config', 'get', 'model'], { ...test.world, cwd })
    expect(test.output().stderr).toContain(`${elsewhere}`)
    await test.run('config', 'untrust')
    expect(await settingIn(test, 'model')).toBe('openai/gpt-5-mini')
  })

  it('are trusted if a command of the user writes them', async () => {
    const test = testWorld()
    await test.run('config', 'set', 'model', 'a/mine', '--project')
    expect(await settingIn(test, 'model')).toBe('a/mine')
    await test.run('config', 'set', 'compaction', 'off', '--project')
    expect(await settingIn(test, 'compaction')).toBe('off')
    const file = write(join(test.folder, 'throughline.json'), { model: 'a/planted' })
    const refused = await test.run('config', 'set', 'compaction', 'on', '--project')
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('config trust') })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ model: 'a/planted' })
    expect(await settingIn(test, 'model')).toBe('openai/gpt-5-mini')
  })

  it('cannot be trusted if they are invalid or set where API keys are sent', async () => {
    const test = testWorld()
    for (const text of ['{', '[]', '{ "modle": "x" }', '{ "baseUrl": "https://example.org" }']) {
      write(join(test.folder, 'throughline.json'), text)
      expect(await test.run('config', 'trust')).toMatchObject({ exitCode: 78 })
      expect(await test.run('list')).toMatchObject({ exitCode: 0 })
    }
    expect(await test.run('config', 'trust', 'nowhere/throughline.json')).toMatchObject({
      exitCode: 1,
    })
    expect(await test.run('config', 'trust', 'package.json')).toMatchObject({ exitCode: 64 })
  })

  it('are not searched above the project or above home', async () => {
    const { shared, home, cwd, test, run } = apart()
    write(join(shared, 'throughline.json'), { model: 'a/planted' })
    // Outside home and in no project, only the working folder counts.
    expect((await run('config', 'get', 'model')).stderr).toBe('')
    write(join(shared, 'work/package.json'), {})
    expect((await run('config', 'get', 'model')).stderr).toBe('')
    const own = write(join(shared, 'work/throughline.json'), { model: 'a/own' })
    expect((await run('config', 'get', 'model')).stderr).toContain(own)
    // A repository is one project, even with several packages.
    mkdirSync(join(shared, '.git'))
    await run('config', 'trust', join(shared, 'throughline.json'))
    expect((await run('config', 'get', 'model')).stdout).toBe('a/planted\n')
    const aboveHome = write(join(test.folder, 'throughline.json'), { model: 'a/above' })
    const inHome = { ...test.world, home, cwd: join(home, 'notes') }
    mkdirSync(inHome.cwd)
    await runCli(['config', 'get', 'model'], inHome)
    expect(test.output().stderr).not.toContain(aboveHome)
    // A home at the file system root is not a boundary.
    write(join(cwd, 'x'), '')
    await runCli(['config', 'get', 'model'], { ...test.world, home: '/', cwd: join(home, 'notes') })
    expect(test.output().stderr).not.toContain(aboveHome)
  })

  it('are ignored if they belong to another user or others can write them', async () => {
    const theirs = testWorld({ user: somebodyElse })
    const file = write(join(theirs.folder, 'throughline.json'), { model: 'a/theirs' })
    const { stderr, stdout } = await theirs.run('config', 'get', 'model')
    expect(stdout).toBe('openai/gpt-5-mini\n')
    expect(stderr).toContain(`ignoring ${file}: it belongs to another user`)
    const open = testWorld()
    for (const mode of [0o666, 0o602]) {
      const own = write(join(open.folder, 'throughline.json'), { model: 'a/theirs' })
      chmodSync(own, mode)
      expect((await open.run('list')).stderr).toContain('all users can write it')
    }
  })

  it('are checked through links; pipes and folders are refused', async () => {
    const test = testWorld()
    const real = write(join(test.folder, 'elsewhere/settings.json'), { model: 'a/linked' })
    symlinkSync(real, join(test.folder, 'throughline.json'))
    await test.run('config', 'trust')
    expect(await settingIn(test, 'model')).toBe('a/linked')
    chmodSync(real, 0o666)
    write(real, { model: 'a/changed' })
    expect((await test.run('list')).stderr).toContain('all users can write it')
    const folder = testWorld()
    mkdirSync(join(folder.folder, 'throughline.json'))
    expect(await folder.run('list')).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('it is not a regular file'),
    })
  })

  it('are reported as JSON with --json, one object per line', async () => {
    const test = testWorld()
    const file = write(join(test.folder, 'throughline.json'), { model: 'a/b' })
    const { stderr } = await test.run('config', 'get', 'nothing', '--json')
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([{ error: { code: 'USAGE' } }])
    expect(JSON.parse((await test.run('config', '--json')).stderr)).toMatchObject({
      notice: { code: 'SETTINGS_IGNORED', file },
    })
  })
})

describe("the user's own settings", () => {
  it('are ignored and not written if they belong to another user', async () => {
    const test = testWorld({ user: somebodyElse })
    const file = write(join(test.folder, '.config/throughline/config.json'), { model: 'a/theirs' })
    const { stdout, stderr } = await test.run('config', 'get', 'model')
    expect(stdout).toBe('openai/gpt-5-mini\n')
    expect(stderr).toContain(file)
    const refused = await test.run('config', 'set', 'compaction', 'off')
    expect(refused).toMatchObject({ exitCode: 78, stderr: expect.stringContaining(file) })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ model: 'a/theirs' })
  })

  it('ignore a trust list that another user can write', async () => {
    const test = testWorld()
    write(join(test.folder, 'throughline.json'), { model: 'a/b' })
    await test.run('config', 'trust')
    const list = join(test.folder, '.config/throughline/trusted.json')
    chmodSync(list, 0o666)
    const { stdout, stderr } = await test.run('config', 'get', 'model')
    expect(stdout).toBe('openai/gpt-5-mini\n')
    expect(stderr).toContain(list)
  })
})

const transcript = '[{"role":"user","content":"a word"},{"role":"assistant","content":"another"}]'

describe('a store', () => {
  it('is refused if it belongs to another user or others can write it, unless it was named', async () => {
    const { home, cwd, run } = apart()
    const talk = write(join(cwd, 'talk.json'), transcript)
    expect(await run('import', talk)).toMatchObject({ exitCode: 0 })
    const store = defaultStoreIn(home)
    const bytes = readFileSync(store)
    for (const [path, mode] of [
      [store, 0o606],
      [dirname(store), 0o703],
    ] as const) {
      const kept = path === store ? 0o600 : 0o700
      chmodSync(path, mode)
      for (const words of [['list'], ['import', talk], ['status', '--last']]) {
        const { exitCode, stderr } = await run(...words)
        expect({ words, exitCode }).toEqual({ words, exitCode: 77 })
        expect(stderr).toContain(store)
        expect(stderr).toContain('all users can write')
      }
      expect((await run('doctor')).stdout.replace(/\s+/g, ' ')).toContain('all users can write')
      expect(await run('list', '--store', store)).toMatchObject({ exitCode: 0 })
      chmodSync(path, kept)
    }
    expect(readFileSync(store)).toEqual(bytes)
    expect(await run('list')).toMatchObject({ exitCode: 0 })
    const other = apart({ user: somebodyElse })
    write(join(other.home, '.local/share/throughline/throughline.db'), bytes.toString('latin1'))
    expect(await other.run('list')).toMatchObject({
      exitCode: 77,
      stderr: expect.stringContaining('belongs to another user'),
    })
  })

  it('is refused if a log file next to it belongs to another user', async () => {
    const { home, cwd, run } = apart()
    await run('import', write(join(cwd, 'talk.json'), transcript))
    const log = write(`${defaultStoreIn(home)}-journal`, 'planted')
    chmodSync(log, 0o666)
    expect(await run('list')).toMatchObject({ exitCode: 77, stderr: expect.stringContaining(log) })
  })

  it('is named on stderr if it is not at the default path', async () => {
    const { home, cwd, run, test } = apart()
    const talk = write(join(cwd, 'talk.json'), transcript)
    expect((await run('import', talk)).stderr).not.toContain(defaultStoreIn(home))
    const other = join(test.folder, 'other.db')
    const { stderr, stdout } = await run('import', talk, '--store', other)
    expect(stderr).toBe(`throughline: created the store ${other}\n`)
    expect(stdout).not.toContain(other)
    expect((await run('pin', '--last', '0', '--store', other)).stderr).toContain(
      `using the store ${other}\n`,
    )
    expect((await run('list', '--store', other)).stderr).toBe('')
    expect((await run('import', talk, '--dry-run', '--store', other)).stderr).toBe('')
    const json = await run('import', talk, '--json', '--store', other)
    expect(JSON.parse(json.stderr)).toMatchObject({ notice: { code: 'STORE', file: other } })
  })

  it('of an untrusted project file is never created or read', async () => {
    const { shared, home, cwd, run } = apart()
    const planted = join(shared, 'planted.db')
    const talk = write(join(cwd, 'talk.json'), transcript)
    for (const folder of [shared, join(shared, 'work'), cwd])
      write(join(folder, 'throughline.json'), { store: planted, tenant: 'them' })
    const { stderr } = await run('import', talk)
    expect(stderr).toContain(join(realpathSync(cwd), 'throughline.json'))
    expect(existsSync(planted)).toBe(false)
    expect(existsSync(defaultStoreIn(home))).toBe(true)
  })
})
