/** Runs a program during a test and collects its output and exit code. */
import { type ChildProcess, spawn } from 'node:child_process'

export interface Spawned {
  readonly child: ChildProcess
  /** Resolves when the program has written this text to stdout or stderr. */
  writes(text: string): Promise<void>
  ended(): Promise<Ended>
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** The compile cache of the test run, so that the program starts faster. */
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
  const written = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  const collect = (name: keyof typeof written) => (chunk: Buffer) => {
    written[name] += chunk
    for (const look of waiting) look()
  }
  child.stdout.on('data', collect('stdout'))
  child.stderr.on('data', collect('stderr'))
  child.stdin.end(stdin)
  const end = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, ...written }))
  })
  return {
    child,
    writes: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (`${written.stdout}${written.stderr}`.includes(text)) resolve()
        }
        waiting.add(look)
        look()
        end.then(
          () => reject(new Error(`the program ended without writing "${text}": ${written.stderr}`)),
          reject,
        )
      }),
    ended: () => end,
  }
}
