/**
 * npm run test:container: the layout of the Dockerfile as plain folders, without a daemon. The packed packages are
 * installed, their code is read-only, and the entry point runs as the user of the image with one writable folder.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../..')
const image = readImage(readFileSync(join(root, 'Dockerfile'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'throughline-container-'))
const [app, data] = [join(folder, 'app'), join(folder, 'data')]
const isRoot = process.getuid?.() === 0
const user = isRoot ? { uid: image.user, gid: image.user } : {}
const env = {
  ...image.env,
  THROUGHLINE_FOLDER: data,
  SQLITE_TMPDIR: data,
  PATH: process.env['PATH'] ?? '',
}

try {
  chmodSync(folder, 0o755)
  install()
  check('without the server package, serve names it', () => {
    const [server, away] = [join(app, 'node_modules/@throughline/server'), join(folder, 'away')]
    renameSync(server, away)
    const { status, stderr } = run('serve')
    renameSync(away, server)
    return status === 69 && stderr.includes('npm install @throughline/server')
  })
  makeReadOnly()
  const before = listing()
  check('the user of the image cannot write to the code', () => {
    const script = `require('node:fs').writeFileSync(${JSON.stringify(join(app, 'x'))}, '')`
    return spawnSync('node', ['-e', script], { ...user, env }).status !== 0
  })
  check('a public address without a key is refused', () => run('serve').status === 78)
  const key = run('serve', '--new-key', 'admin').stdout.trim()
  check('a key can be made before the first start', () => /^tl_[\w-]{43}$/.test(key))
  await serveAndCall(key)
  check('a backup is restored', () => run('restore', join(data, 'copy'), '--replace').status === 0)
  check('nothing was written beside the data', () => listing() === before)
} finally {
  execFileSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true })
}

interface Image {
  readonly entry: readonly string[]
  readonly command: readonly string[]
  readonly health: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly user: number
}

function readImage(dockerfile: string): Image {
  const line = (name: string) => new RegExp(`^${name}\\b.*$`, 'm').exec(dockerfile)?.[0] ?? ''
  const list = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as readonly string[]
  const pairs = line('ENV')
    .split(' ')
    .slice(1)
    .map((pair) => pair.split('='))
  return {
    entry: list(line('ENTRYPOINT')),
    command: list(line('CMD')),
    health: list(line('HEALTHCHECK')),
    env: Object.fromEntries(pairs),
    user: Number(line('USER').split(/[ :]/)[1]),
  }
}

function install(): void {
  for (const script of ['build', 'pack'])
    execFileSync('npm', ['run', '-s', script], { cwd: root, stdio: 'inherit' })
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{"private":true,"type":"module"}')
  const packed = ['throughline', 'server', 'client'].map((name) =>
    join(root, 'packages', name, '.cache/package.tgz'),
  )
  const words = [
    'install',
    '--omit=dev',
    '--ignore-scripts',
    '--prefer-offline',
    'gpt-tokenizer@4',
    ...packed,
  ]
  execFileSync('npm', words, { cwd: app, stdio: ['ignore', 'ignore', 'inherit'] })
  check('packages are installed without links and without sources', () =>
    ['throughline', '@throughline/server', '@throughline/client'].every((name) => {
      const manifest = join(app, 'node_modules', name, 'package.json')
      return (
        !readFileSync(manifest, 'utf8').includes('throughline-source') &&
        !existsSync(join(manifest, '../src'))
      )
    }),
  )
  mkdirSync(data, { mode: 0o700 })
  if (isRoot) chownSync(data, image.user, image.user)
}

function makeReadOnly(): void {
  execFileSync('chmod', ['-R', 'a-w,a+rX', app])
}

/** Names, sizes and times of all files of the code. */
function listing(): string {
  return globSync('**/*', { cwd: app })
    .toSorted()
    .map((name) =>
      [name, statSync(join(app, name)).size, statSync(join(app, name)).mtimeMs].join(' '),
    )
    .join('\n')
}

function inApp(words: readonly string[]): readonly string[] {
  return words.map((word) => word.replace(/^\/app\b/, app))
}

function run(...words: readonly string[]) {
  const [program = '', ...entry] = inApp(image.entry)
  return spawnSync(program, [...entry, ...words], { ...user, env, cwd: data, encoding: 'utf8' })
}

async function serveAndCall(key: string): Promise<void> {
  const port = await freePort()
  const [program = '', ...entry] = inApp([...image.entry, ...image.command])
  const serving = { ...env, THROUGHLINE_PORT: String(port) }
  const child = spawn(program, entry, {
    ...user,
    env: serving,
    cwd: data,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [healthProgram = '', ...health] = image.health
  const isHealthy = () => spawnSync(healthProgram, health, { ...user, env: serving }).status === 0
  for (let tries = 0; tries < 50 && !isHealthy(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 200))
  check('the health check passes', isHealthy)
  const client = join(app, 'node_modules/@throughline/client/dist/index.js')
  const { createClient } = (await import(
    pathToFileURL(client).href
  )) as typeof import('@throughline/client')
  const tl = createClient({ url: `http://127.0.0.1:${port}`, key })
  const chat = tl.conversation('c')
  await chat.append({ role: 'user', content: 'The port is 47113.' })
  const { messages } = await chat.context({ model: 'openai/gpt-5-mini' })
  check('the installed client appends and reads a context', () =>
    JSON.stringify(messages).includes('47113'),
  )
  check('a backup is made while it runs', () => run('backup', join(data, 'copy')).status === 0)
  check(
    'its files are private',
    () => (statSync(join(data, 'conversations.db')).mode & 0o077) === 0,
  )
  await tl.close()
  child.kill('SIGTERM')
  const code = await exit
  check('SIGTERM ends it with exit code 0', () => code === 0)
  check('the health check then fails', () => !isHealthy())
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })
}

function check(what: string, holds: () => boolean): void {
  const isTrue = holds()
  console.log(`${isTrue ? '✓' : '✗'} ${what}`)
  if (!isTrue) process.exitCode = 1
}
