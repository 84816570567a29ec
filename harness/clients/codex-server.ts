/**
 * The server of Codex, by which editors drive it: compacts a thread as `/compact` does in a terminal. Lines of JSON
 * on stdin and stdout.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { cleanEnvironment, type Program, type Ran } from './run-program.ts'

interface Heard {
  readonly id?: number
  readonly method?: string
  readonly error?: unknown
}

/** Ends when the server says that the compaction is done. */
export async function compactThread(
  thread: string,
  { program, env, home, cwd, timeoutMs }: Omit<Program, 'words'>,
): Promise<Ran> {
  const child = spawn(program, ['app-server'], {
    ...{ cwd, env: cleanEnvironment(home, env), timeout: timeoutMs },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  let isDone = false
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve(status))
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
  const clientInfo = { name: 'probe', title: 'Probe', version: '1.0.0' }
  const requests = [
    { id: 0, method: 'initialize', params: { clientInfo } },
    { id: 1, method: 'thread/resume', params: { threadId: thread } },
    { id: 2, method: 'thread/compact/start', params: { threadId: thread } },
  ]
  const [first, ...later] = requests
  send({ ...first })
  for await (const line of createInterface({ input: child.stdout })) {
    stdout += `${line}\n`
    const { id, method, error } = JSON.parse(line) as Heard
    if (error !== undefined) break
    if (id === 0) send({ method: 'initialized' })
    const next = id === undefined || method !== undefined ? undefined : later[id]
    if (next !== undefined) send(next)
    isDone = method === 'turn/completed'
    if (isDone) break
  }
  child.stdin.end()
  child.kill()
  await ended
  return { status: isDone ? 0 : 1, stdout, stderr }
}
