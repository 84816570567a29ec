/**
 * Runs each example in an empty folder as its README says, with the packed packages. Only `npm install` is replaced by
 * links, because a check has no network. Without a key, a script answers.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { root } from './packages.ts'

/** What each prints at the end of its run, among other lines. */
const expected: Readonly<Record<string, readonly string[]>> = {
  chat: ['I got 2 messages.', 'I got 4 messages.'],
  'tool-loop': ['list_files {"path":"."}', 'I read agent.ts: it has '],
  'route-handler': [
    '{"text":"I got 2 messages."}',
    '{"text":"I got 4 messages."}\n{"text":"I got 4 messages."}',
    '{"role":"assistant","text":"I got 4 messages."}]',
  ],
  gateway: ['I got 1 messages.', 'I got 3 messages.', 'action=passed', 'user: Hello.'],
}
const linesMost = 100

for (const [name, texts] of Object.entries(expected)) {
  const started = performance.now()
  const problem = sizeProblem(name) ?? (await runProblem(name, texts))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(problem === null ? `✓ ${name}  ${seconds} s` : `✗ ${name}: ${problem}`)
  if (problem !== null) process.exitCode = 1
}

function sizeProblem(name: string): string | null {
  for (const file of globSync(join(root, 'examples', name, '*'))) {
    const lines = readFileSync(file, 'utf8').split('\n').length
    if (lines > linesMost) return `${basename(file)} has ${lines} lines, at most ${linesMost}`
  }
  return null
}

async function runProblem(name: string, texts: readonly string[]): Promise<string | null> {
  const home = mkdtempSync(join(tmpdir(), 'throughline-example-'))
  try {
    const folder = join(home, 'empty')
    mkdirSync(folder)
    const modules = join(home, 'node_modules')
    unpack('throughline', join(modules, 'throughline'))
    if (name === 'gateway') unpack('server', join(modules, '@throughline/server'))
    linkDependencies(modules)
    const [, commands = ''] =
      /^```sh\n([\s\S]*?)^```/m.exec(
        readFileSync(join(root, 'examples', name, 'README.md'), 'utf8'),
      ) ?? []
    const script = commands.replace(/^npm install .*$/gm, 'ln -s ../node_modules node_modules')
    const [PORT, MODEL_PORT] = [await freePort(), await freePort()].map(String)
    const { OPENAI_API_KEY: _, ...own } = process.env
    const env = {
      ...own,
      EXAMPLES: join(root, 'examples'),
      PORT,
      MODEL_PORT,
      HOME: home,
      npm_config_update_notifier: 'false',
    }
    const options = { cwd: folder, env, encoding: 'utf8', timeout: 300_000 } as const
    const run = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], options)
    const missing = texts.filter((text) => !run.stdout.includes(text))
    if (run.status === 0 && missing.length === 0) return null
    return `exit ${run.status}; not printed: ${missing.join(' · ')}\n${run.stdout.slice(-1500)}\n${run.stderr.slice(-1500)}`
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

function unpack(name: string, target: string): void {
  mkdirSync(target, { recursive: true })
  const archive = join(root, 'packages', name, '.cache/package.tgz')
  if (!existsSync(archive))
    throw new Error('the packages are not packed: npm run build && npm run pack')
  spawnSync('tar', ['-xzf', archive, '-C', target, '--strip-components=1'])
}

/** Everything that is installed in this checkout, except our own packages. */
function linkDependencies(modules: string): void {
  const installed = globSync(['*', '@*/*'], { cwd: join(root, 'node_modules') })
  for (const name of installed) {
    if (/^(?:throughline$|@throughline|\.|@[^/]+$)/.test(name)) continue
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    if (!existsSync(join(modules, name)))
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  const bin = join(modules, '.bin')
  mkdirSync(bin)
  symlinkSync('../throughline/bin/throughline.js', join(bin, 'throughline'))
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
