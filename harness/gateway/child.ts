/** Starts a program of this folder in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface GatewayChild {
  readonly process: ChildProcess
  readonly url: string
  readonly firstKey: string | null
  kill(): Promise<void>
}

export async function startGatewayChild(
  program: 'gateway-child.ts' | 'relay-child.ts',
  folder: string,
  upstream: string,
): Promise<GatewayChild> {
  const child = fork(join(import.meta.dirname, program), [folder, upstream], {
    execArgv: ['--conditions=throughline-source'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${program} ended before it listened`)
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  const { url, firstKey } = message as Pick<GatewayChild, 'url' | 'firstKey'>
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { process: child, url, firstKey, kill }
}
