/** `throughline serve` and `throughline worker`, as the processes that users start. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

interface ProgramOptions {
  readonly folder: string
  readonly database: string
  readonly modelUrl: string
  /** How often a log line names an error code. */
  readonly logged: Map<string, number>
}

interface Program {
  /** Null for a worker. */
  readonly url: string | null
  readonly key: string | null
  killAndRestart(): Promise<void>
  stop(): Promise<void>
}

const cli = join(import.meta.dirname, '../../packages/throughline/src/cli/main.ts')

export async function startProgram(
  command: 'serve' | 'worker',
  { folder, database, modelUrl, logged }: ProgramOptions,
): Promise<Program> {
  mkdirSync(folder, { recursive: true })
  const config = join(folder, 'settings.json')
  const port = await freePort()
  const engine = {
    models: [{ id: 'toy/chat', contextWindowTokens: 8_000 }],
    summarizer: { model: 'openai/toy', baseUrl: modelUrl, keyEnv: 'TOY_KEY' },
  }
  writeFileSync(config, JSON.stringify({ folder, database, port, logLevel: 'error', engine }))
  const env = { ...process.env, TOY_KEY: 'test-key' }
  const words = [
    command,
    '--config',
    config,
    ...(command === 'serve' ? ['--no-worker', '--json'] : []),
  ]
  const start = () =>
    spawn(process.execPath, ['--conditions=throughline-source', cli, ...words], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const watch = (started: ChildProcess) => {
    started.stdout?.on('data', (chunk: Buffer) => {
      for (const [, code = ''] of chunk.toString().matchAll(/"reason":"(\w+)"/g))
        logged.set(code, (logged.get(code) ?? 0) + 1)
    })
    return listening(started, command)
  }
  let child = start()
  const first = await watch(child)
  let starting: Promise<unknown> = Promise.resolve()
  return {
    url: first === null ? null : `http://127.0.0.1:${port}`,
    key: first,
    killAndRestart: async () => {
      await starting
      child.kill('SIGKILL')
      await once(child, 'exit')
      child = start()
      // While it starts, others answer.
      starting = watch(child)
    },
    stop: async () => {
      await starting
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The first key of a server. */
async function listening(child: ChildProcess, command: string): Promise<string | null> {
  const output = command === 'serve' ? child.stdout : child.stderr
  const lines = createInterface({ input: output as NodeJS.ReadableStream })
  // What it says later must not fill the pipe.
  ;(command === 'serve' ? child.stderr : child.stdout)?.resume()
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      if (command === 'worker') return resolve(null)
      if (line.startsWith('{"url"')) resolve((JSON.parse(line) as { firstKey: string }).firstKey)
    })
    child.once('exit', () => reject(new Error(`${command} ended before it was ready`)))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0
      probe.close(() => resolve(port))
    })
  })
}
