/** Programs that run beside a test: what they say, how they end, and signals on the way. */
import { type ChildProcess, spawn } from 'node:child_process'

export interface Spawned {
  readonly child: ChildProcess
  /** Resolves when it has said this, on either stream. */
  says(text: string): Promise<void>
  ended(): Promise<Ended>
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Our sources as an earlier program has compiled them. */
export const compiledBefore: Readonly<Record<string, string>> = {
  ...(process.env['NODE_COMPILE_CACHE'] !== undefined && {
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  }),
}

export function spawned(
  program: string,
  words: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>
    readonly cwd?: string
    readonly stdin?: string
  } = {},
): Spawned {
  const { env = {}, cwd, stdin = '' } = options
  const child = spawn(program, words, { cwd, env: { PATH: '/nowhere', LANG: 'C.UTF-8', ...env } })
  const said = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  const collect = (name: keyof typeof said) => (chunk: Buffer) => {
    said[name] += chunk
    for (const look of waiting) look()
  }
  child.stdout.on('data', collect('stdout'))
  child.stderr.on('data', collect('stderr'))
  child.stdin.end(stdin)
  const end = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, ...said }))
  })
  return {
    child,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (`${said.stdout}${said.stderr}`.includes(text)) resolve()
        }
        waiting.add(look)
        look()
        end.then(
          () => reject(new Error(`it has ended without saying "${text}": ${said.stderr}`)),
          reject,
        )
      }),
    ended: () => end,
  }
}
