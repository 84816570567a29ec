import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { spawned } from './spawned.ts'

const bin = join(import.meta.dirname, '../../bin')

/** Writes its arguments and version, and exits as the first argument says. */
const program = `
process.stdout.write(JSON.stringify({ words: process.argv.slice(2), node: process.versions.node }) + '\\n')
if (process.argv[2] === 'wait') {
  process.on('SIGTERM', () => { process.stdout.write('asked to stop\\n'); process.exit(7) })
  setInterval(() => {}, 1000)
  process.stdout.write('waiting\\n')
} else if (process.argv[2] === 'die') process.kill(process.pid, 'SIGKILL')
else process.exitCode = Number(process.argv[2] ?? 0)
for await (const chunk of process.stdin) process.stdout.write('in: ' + chunk)
`

interface Installed {
  readonly folder: string
  readonly launcher: string
  write(file: string, text: string): void
}

/** A package as npm installs it, with a test program instead of the command line. */
function installed(
  files: Readonly<Record<string, string>> = { 'dist/cli/main.js': program },
): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-launcher-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(bin, join(folder, 'bin'), { recursive: true })
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  write('package.json', '{ "type": "module" }')
  // The launcher checks only this version.
  write(
    'old.cjs',
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.0' } })",
  )
  for (const [file, text] of Object.entries(files)) write(file, text)
  return { folder, launcher: join(folder, 'bin/throughline.js'), write }
}

function run(
  { launcher, folder }: Installed,
  words: readonly string[],
  options: { old?: boolean; env?: Record<string, string>; stdin?: string } = {},
) {
  const { old = false, env = {}, stdin } = options
  const preload = old ? ['-r', join(folder, 'old.cjs')] : []
  const home = { HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') }
  return spawned(process.execPath, [...preload, launcher, ...words], {
    cwd: folder,
    env: { ...home, ...env },
    ...(stdin !== undefined && { stdin }),
  })
}

const named = { THROUGHLINE_NODE: process.execPath }

describe('the launcher', () => {
  it('runs the build with its arguments, streams and exit code', async () => {
    const ended = await run(installed(), ['3', '--a', 'b c'], { stdin: 'hello' }).ended()
    expect(ended).toMatchObject({ code: 3, signal: null, stderr: '' })
    expect(ended.stdout).toContain('"words":["3","--a","b c"]')
    expect(ended.stdout).toContain('in: hello')
  })

  it('runs a newer Node with the same arguments, streams and exit code', async () => {
    const ended = await run(installed(), ['5', 'x'], {
      old: true,
      env: named,
      stdin: 'hello',
    }).ended()
    expect(ended).toMatchObject({ code: 5, signal: null, stderr: '' })
    expect(ended.stdout).toContain(`"node":"${process.versions.node}"`)
    expect(ended.stdout).toContain('in: hello')
  })

  it('passes signals on, and exits with the same code or signal', async () => {
    const waiting = run(installed(), ['wait'], { old: true, env: named })
    await waiting.writes('waiting')
    waiting.child.kill('SIGTERM')
    expect(await waiting.ended()).toMatchObject({
      code: 7,
      stdout: expect.stringContaining('asked to stop'),
    })
    expect(await run(installed(), ['die'], { old: true, env: named }).ended()).toMatchObject({
      signal: 'SIGKILL',
    })
  })

  it('does not run a Node from the working folder', async () => {
    const [place, elsewhere] = [installed(), installed()]
    mkdirSync(join(elsewhere.folder, 'node_modules/.bin'), { recursive: true })
    symlinkSync(process.execPath, join(elsewhere.folder, 'node_modules/.bin/node'))
    const { launcher } = place
    const ended = await run({ ...elsewhere, launcher }, ['2'], { old: true }).ended()
    expect(ended).toMatchObject({ code: 69, stdout: '' })
  })

  it('finds a Node that npm installed in a parent folder, or one on the PATH', async () => {
    const place = installed()
    mkdirSync(join(place.folder, 'node_modules/.bin'), { recursive: true })
    symlinkSync(process.execPath, join(place.folder, 'node_modules/.bin/node'))
    expect(await run(place, ['2'], { old: true }).ended()).toMatchObject({ code: 2 })
    const other = installed()
    const env = { PATH: `/nowhere:${dirname(process.execPath)}` }
    expect(await run(other, ['4'], { old: true, env }).ended()).toMatchObject({ code: 4 })
  })

  it('names the needed version if it finds no newer Node', async () => {
    const place = installed()
    const env = { THROUGHLINE_NODE: join(place.folder, 'package.json') }
    const ended = await run(place, [], { old: true, env }).ended()
    expect(ended).toMatchObject({ code: 69, stdout: '' })
    expect(ended.stderr).toMatch(/^throughline needs Node 22\.18 or newer; this is Node 18\.20\.0 /)
  })

  it('runs the sources of a checkout, even if there is a build', async () => {
    const place = installed({
      'tsconfig.build.json': '{}',
      'dist/cli/main.js': "console.log('built')\n",
      'src/cli/main.ts': "const what: string = 'written'\nconsole.log(what)\n",
    })
    expect(await run(place, []).ended()).toMatchObject({ code: 0, stdout: 'written\n' })
  })
})
