/** Starts a server in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

interface ChildServer {
  readonly url: string
  /** Only of the first start in a folder. */
  readonly firstKey: string | null
  readonly process: ChildProcess
  kill(): Promise<void>
}

export const startChild = (folder: string) => start('server-child.ts', folder)

/** The bare server, for comparison. */
export const startBare = (file: string) => start('bare-child.ts', file)

async function start(program: string, place: string): Promise<ChildServer> {
  const child = fork(join(import.meta.dirname, program), [place], {
    execArgv: ['--conditions=throughline-source', '--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const started = once(child, 'message')
  const ended = once(child, 'exit').then(() => {
    throw new Error('the server ended before it listened')
  })
  const [message] = await Promise.race([started, ended])
  ended.catch(() => {})
  const kill = async () => {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  return { ...(message as Pick<ChildServer, 'url' | 'firstKey'>), process: child, kill }
}
