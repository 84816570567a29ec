import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const launcher = join(import.meta.dirname, '../../throughline/bin/throughline.js')

interface Running {
  readonly child: ChildProcess
  readonly url: string
  readonly key: string
  /** The exit code, with what it wrote on stderr. */
  readonly exit: Promise<readonly [number | null, string]>
}

function serve(folder: string, ...words: readonly string[]) {
  const child = spawn(
    process.execPath,
    [
      ...['--conditions=throughline-source', launcher, 'serve', '--json', '--log', 'silent'],
      ...['--folder', folder, ...(words.length === 0 ? ['--port', '0'] : words)],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let [out, errors] = ['', '']
  const line = Promise.withResolvers<Record<string, string>>()
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    if (out.includes('\n')) line.resolve(JSON.parse(out.slice(0, out.indexOf('\n'))))
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const exit = new Promise<readonly [number | null, string]>((resolve) =>
    child.on('close', (code) => resolve([code, errors])),
  )
  exit.then(() => line.reject(new Error(errors))).catch(() => {})
  line.promise.catch(() => {})
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, exit, started: line.promise }
}

async function started(folder: string): Promise<Running> {
  const { child, exit, started: line } = serve(folder)
  const { url = '', firstKey = '' } = await line
  return { child, exit, url, key: firstKey }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-stop-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const headersOf = (key: string) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
})

/** Appends until the server refuses; returns how many appends were acknowledged, and the refusals. */
async function appendUntilStopped({ url, key }: Running, id: string, onAcknowledged: () => void) {
  const refusals: (number | string)[] = []
  let acknowledged = 0
  while (refusals.length === 0) {
    const body = JSON.stringify({ messages: [{ role: 'user', content: `${id} ${acknowledged}` }] })
    const sent = { method: 'POST', headers: headersOf(key), body }
    try {
      const { status } = await fetch(`${url}/v1/conversations/${id}/messages`, sent)
      if (status !== 201) refusals.push(status)
      else {
        acknowledged += 1
        onAcknowledged()
      }
    } catch {
      refusals.push('closed')
    }
  }
  return { id, acknowledged, refusals }
}

it('loses no acknowledged message when it is stopped under load, and ends its streams', async () => {
  const folder = newFolder()
  const server = await started(folder)
  const { url, key, child, exit } = server
  const long = Array.from({ length: 2000 }, (_, at) => ({
    role: 'user',
    content: `${at} `.repeat(900),
  }))
  for (let from = 0; from < long.length; from += 500)
    await fetch(`${url}/v1/conversations/long/messages`, {
      method: 'POST',
      headers: headersOf(key),
      body: JSON.stringify({ messages: long.slice(from, from + 500) }),
    })
  const slow = await fetch(`${url}/v1/conversations/long/export`, { headers: headersOf(key) })
  const events = await fetch(`${url}/v1/conversations/long/events/stream`, {
    headers: headersOf(key),
  })
  const eventText = events.text()
  const underLoad = Promise.withResolvers<void>()
  let acknowledgedByAll = 0
  const writers = Array.from({ length: 8 }, (_, at) =>
    appendUntilStopped(server, `w${at}`, () => {
      acknowledgedByAll += 1
      if (acknowledgedByAll === 200) underLoad.resolve()
    }),
  )
  await underLoad.promise
  child.kill('SIGTERM')
  expect(await eventText).toContain('messages-appended')
  const written = await Promise.all(writers)
  // While the export is being read, the server still answers.
  expect(written.flatMap(({ refusals }) => refusals)).toEqual(written.map(() => 503))
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  const [about = '', ...exported] = (await slow.text()).trim().split('\n')
  expect(JSON.parse(about)).toMatchObject({ id: 'long' })
  expect(exported).toHaveLength(2000)
  expect(JSON.parse(exported.at(-1) ?? '')).toMatchObject({ seq: 1999 })
  expect(await exit).toEqual([0, ''])
  const again = await started(folder)
  expect(again.key).toBeNull()
  for (const { id, acknowledged } of written) {
    expect(acknowledged).toBeGreaterThan(0)
    const row = await fetch(`${again.url}/v1/conversations/${id}`, { headers: headersOf(key) })
    expect(await row.json()).toMatchObject({ head: acknowledged })
  }
  again.child.kill('SIGINT')
  expect(await again.exit).toEqual([0, ''])
})

it('names a folder that another server uses, and a busy port', async () => {
  const folder = newFolder()
  const { child, exit } = await started(folder)
  const [code, errors] = await serve(folder).exit
  expect([code, JSON.parse(errors).error.code]).toEqual([75, 'FOLDER_IN_USE'])
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const { port } = other.address() as { readonly port: number }
  const [busyCode, busy] = await serve(newFolder(), '--port', String(port)).exit
  expect([busyCode, JSON.parse(busy).error.code]).toEqual([69, 'PORT_IN_USE'])
  expect(busy).toContain(`port ${port} of 127.0.0.1 is in use`)
  child.kill('SIGTERM')
  expect((await exit)[0]).toBe(0)
})
