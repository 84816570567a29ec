/**
 * Installs the packed packages into an empty project, with npm and from the registry, imports every entry, and runs every
 * TypeScript example of the README and of docs/start.md there. A server on the loopback address answers for the providers.
 * Before it: `npm run release` or `npm run build && npm run pack`. With `--node PATH`, which may be repeated, they run with
 * these versions of Node. A second project has `throughline` alone: its entries need no optional peer, and npm installs none.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
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
const alone = join(home, 'alone')
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
  installAlone()
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
  importEntries(node, alone, packageFolders.slice(0, 1))
  importEntries(node, project, packageFolders)
  const { server, url, key } = await startServer(node)
  try {
    for (const example of examples) await tryExample(node, example, { url, key })
  } finally {
    const closed = new Promise((resolve) => server.once('close', resolve))
    server.kill()
    await closed
  }
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

function installAlone(): void {
  const [folder = ''] = packageFolders
  mkdirSync(alone)
  run('npm init -y', alone)
  run(`npm install --no-audit --no-fund "${join(folder, '.cache/package.tgz')}"`, alone)
  const peers = Object.keys(manifestOf(folder).peerDependencies ?? {})
  const installed = peers.filter((name) => existsSync(join(alone, 'node_modules', name)))
  if (peers.length === 0 || installed.length > 0)
    throw new Error(`throughline alone installs optional peers: ${installed.join(', ')}`)
}

/** Each in a process of its own: an entry must not depend on what another one has loaded. */
function importEntries(node: string, cwd: string, folders: readonly string[]): void {
  const entries = folders
    .map(manifestOf)
    .flatMap(({ name, exports }) => Object.keys(exports).map((path) => name + path.slice(1)))
  for (const entry of entries) {
    const json = entry.endsWith('.json') ? ', { with: { type: "json" } }' : ''
    const code = `if (Object.keys(await import('${entry}'${json})).length === 0) throw new Error('empty')`
    const args = ['--input-type=module', '--eval', code]
    const { status, stderr } = spawnSync(node, args, { cwd, env, encoding: 'utf8' })
    if (status === 0) continue
    console.log(`✗ import ${entry}: exit ${status}\n${stderr}`)
    process.exitCode = 1
  }
  console.log(`imported ${entries.length} entries of ${basename(cwd)}`)
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

function run(command: string, cwd = project): void {
  const { status, stdout, stderr } = spawnSync(command, { cwd, shell: true, encoding: 'utf8' })
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
