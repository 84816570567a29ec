import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { createFaultServer } from '../../../../harness/fault-server.ts'
import { compiledBefore } from './spawned.ts'

const main = join(import.meta.dirname, '../../src/cli/main.ts')
// `script` runs a program in a new terminal and passes our input on.
const hasTerminal = spawnSync('script', ['--version']).stdout?.includes('util-linux') ?? false

it.runIf(hasTerminal)(
  'a chat in a terminal accepts messages, stops an answer and quits',
  { timeout: 60_000 },
  async () => {
    const server = await createFaultServer({
      answers: 'The shop opens at nine.',
      faults: [null, 'hang-after-headers'],
    })
    const folder = mkdtempSync(join(tmpdir(), 'throughline-chat-'))
    onTestFinished(async () => {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const store = join(folder, 'chat.db')
    const terminal = inTerminal(
      `'${process.execPath}' --conditions=throughline-source '${main}' chat shop --store '${store}' --base-url ${server.url}`,
      {
        ...compiledBefore,
        ...{ HOME: folder, OPENAI_API_KEY: 'test-key', THROUGHLINE_TOKENIZER: 'estimate' },
      },
    )
    await terminal.shows('a new conversation')
    terminal.type('When does the shop open?\r')
    await terminal.shows('opens at nine.')
    await terminal.shows('#1 ·')
    // Two pasted lines are one message. The answer hangs until Ctrl-C.
    terminal.type('\u001b[200~And on\rSundays?\u001b[201~\r')
    await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBe(2)
    terminal.type('\u0003')
    await terminal.shows('stopped before the answer started')
    terminal.type('/quit\r')
    await terminal.shows('3 messages stored')
    expect(await terminal.ended).toBe(0)

    const tl = createThroughline({ store: sqlite(store) })
    const kept = await Array.fromAsync(tl.conversation('shop').messages())
    await tl.close()
    expect(kept.map(({ parts: [part] }) => part?.type === 'text' && part.text)).toEqual([
      ...['When does the shop open?', 'The shop opens at nine.', 'And on\nSundays?'],
    ])
  },
)

it('ends with Ctrl-C while it waits for the next message', { timeout: 30_000 }, async () => {
  const server = await createFaultServer({ answers: 'Yes.' })
  const folder = mkdtempSync(join(tmpdir(), 'throughline-chat-'))
  onTestFinished(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const words = [
    'chat',
    'shop',
    '--store',
    join(folder, 'chat.db'),
    '--base-url',
    server.url,
    '--json',
  ]
  const child = spawn(process.execPath, ['--conditions=throughline-source', main, ...words], {
    env: { ...compiledBefore, HOME: folder, PATH: '/nowhere', OPENAI_API_KEY: 'test-key' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  let stdout = ''
  const answered = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      if (stdout.includes('"type":"answer"')) resolve()
    })
  })
  const closed = new Promise((resolve) => child.on('close', resolve))
  child.stdin.write('Is the shop open?\n')
  // After the answer event, the chat reads the next line, and stdin stays open.
  await Promise.race([answered, closed])
  child.kill('SIGINT')
  expect({ code: await closed, stderr }).toEqual({
    code: 130,
    stderr: expect.stringContaining('interrupted; all data written so far is complete'),
  })
})

function inTerminal(command: string, env: Readonly<Record<string, string>>) {
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { ...env, PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', TERM: 'xterm' },
  })
  onTestFinished(() => void child.kill())
  let shown = ''
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
  })
  return {
    type: (keys: string) => child.stdin.write(keys),
    shows: (text: string) => expect.poll(() => shown, { timeout: 20_000 }).toContain(text),
    ended: new Promise<number | null>((resolve) => {
      child.on('close', resolve)
    }),
  }
}
