/**
 * Installs the packed packages into an empty project, with npm and from the registry, and runs every TypeScript example of
 * the README and of docs/start.md there. A server on the loopback address answers for the providers. Before it:
 * `npm run release` or `npm run build && npm run pack`. With `--node PATH`, which may be repeated, they run with these
 * versions of Node.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createFaultServer } from '../harness/fault-server.ts'
import { packageFolders, root } from './packages.ts'

interface Example {
  readonly name: string
  readonly code: string
  /** The text block right after it, which is its output; null without one. */
  readonly output: string | null
}

const home = mkdtempSync(join(tmpdir(), 'throughline-packages-'))
const project = join(home, 'project')
const provider = await createFaultServer({ answers: 'Invoice 4711 is open.' })
const env = {
  ...process.env,
  HOME: home,
  USERPROFILE: home,
  OPENAI_API_KEY: 'test-key',
  OPENAI_BASE_URL: provider.url,
  ANTHROPIC_API_KEY: 'test-key',
  ANTHROPIC_BASE_URL: provider.url.replace(/\/v1$/, ''),
  npm_config_update_notifier: 'false',
}
const { values } = parseArgs({ options: { node: { type: 'string', multiple: true } } })
try {
  install()
  const examples = ['README.md', 'docs/start.md'].flatMap(examplesOf)
  if (examples.length < 8) throw new Error('examples are missing: the search pattern is broken')
  for (const node of values.node ?? [process.execPath]) await tryAll(node, examples)
} finally {
  await provider.close()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}

async function tryAll(node: string, examples: readonly Example[]): Promise<void> {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  console.log(`Node ${stdout.trim()}`)
  const { server, url, key } = await startServer(node)
  try {
    for (const example of examples) await tryExample(node, example, { url, key })
  } finally {
    const closed = new Promise((resolve) => server.once('close', resolve))
    server.kill()
    await closed
  }
}

function install(): void {
  mkdirSync(project)
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>
  }
  const clients = ['@ai-sdk/openai', '@anthropic-ai/sdk', 'gpt-tokenizer', 'openai']
  const others = clients.map((name) => `${name}@${devDependencies[name]}`)
  const archives = packageFolders.map((folder) => `"${join(folder, '.cache/package.tgz')}"`)
  run('npm init -y')
  run('npm pkg set type=module')
  run(`npm install --no-audit --no-fund ${archives.join(' ')} ai@7 ${others.join(' ')}`)
}

function run(command: string): void {
  const { status, stdout, stderr } = spawnSync(command, {
    ...{ cwd: project, shell: true, encoding: 'utf8' },
  })
  if (status !== 0) throw new Error(`${command}: exit ${status}\n${stdout}\n${stderr}`)
}

interface StartedServer {
  readonly server: ChildProcess
  readonly url: string
  readonly key: string
}

/** The installed server on a free port, with its first key. */
async function startServer(node: string): Promise<StartedServer> {
  const bin = join(project, 'node_modules/throughline/bin/throughline.js')
  const args = [
    bin,
    'serve',
    '--demo',
    '--port',
    '0',
    '--folder',
    mkdtempSync(join(home, 'server-')),
  ]
  const child = spawn(node, args, { cwd: project, env })
  let text = ''
  return new Promise((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      text += chunk.toString()
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
      const [key] = /tl_[\w-]{20,}/.exec(text) ?? []
      if (url !== undefined && key !== undefined) resolve({ server: child, url, key })
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('close', (code) => reject(new Error(`the server ended with ${code}:\n${text}`)))
  })
}

function examplesOf(document: string): readonly Example[] {
  const text = readFileSync(join(root, document), 'utf8').replaceAll('\r\n', '\n')
  const blocks = [
    ...text.matchAll(/^```ts\n([\s\S]*?)^```\n(?:\n(?:<!--.*-->\n\n)?```text\n([\s\S]*?)^```)?/gm),
  ]
  return blocks.map(([, code = '', output = null], at) => ({
    ...{ name: `${document} ${at + 1}`, code, output },
  }))
}

async function tryExample(
  node: string,
  { name, code, output }: Example,
  { url, key }: Pick<StartedServer, 'url' | 'key'>,
): Promise<void> {
  // Each in a folder of its own, because they create the same files.
  const folder = mkdtempSync(join(project, 'example-'))
  writeFileSync(join(folder, 'index.ts'), code.replace('http://127.0.0.1:8787', url))
  const child = spawn(node, ['index.ts'], {
    ...{ cwd: folder, env: { ...env, THROUGHLINE_KEY: key } },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  // Not spawnSync: the provider runs in this process.
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const isAsWritten = output === null || stdout === output
  if (exitCode === 0 && isAsWritten) {
    console.log(`✓ ${name}: ${stdout.trim().split('\n').at(-1)?.slice(0, 80) ?? ''}`)
    return
  }
  console.log(`✗ ${name}: exit ${exitCode}\n${stdout}\n${stderr}`)
  process.exitCode = 1
}
