/** Runs a client as a user would who has nothing but this: an empty home, no keys, no settings. */
import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Program {
  readonly program: string
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly home: string
  readonly cwd: string
  /** Interrupts the program, as Ctrl-C does, when this resolves. */
  readonly interruptAfter?: Promise<void>
  readonly timeoutMs: number
}

export function cleanEnvironment(
  home: string,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    ...{ PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'dumb', LANG: 'C.UTF-8' },
    ...{ TMPDIR: process.env['TMPDIR'] ?? '/tmp', NO_COLOR: '1' },
    ...env,
  }
}

export async function runProgram({ program, words, home, cwd, ...more }: Program): Promise<Ran> {
  const env = cleanEnvironment(home, more.env)
  const child = spawn(program, [...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve(status))
  })
  more.interruptAfter?.then(
    async () => {
      child.kill('SIGINT')
      await setTimeout(5_000)
      child.kill('SIGKILL')
    },
    () => {},
  )
  const timer = new AbortController()
  setTimeout(more.timeoutMs, null, { signal: timer.signal, ref: false }).then(
    () => child.kill('SIGKILL'),
    () => {},
  )
  const status = await ended
  timer.abort()
  return { status, stdout, stderr }
}
