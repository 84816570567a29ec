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

export async function startChild(folder: string): Promise<ChildServer> {
  const child = fork(join(import.meta.dirname, 'server-child.ts'), [folder], {
    execArgv: ['--conditions=throughline-source'],
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
