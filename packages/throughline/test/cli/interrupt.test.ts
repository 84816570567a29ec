import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFaultServer } from '../../../../harness/fault-server.ts'
import { compiledBefore, spawned } from './spawned.ts'

const main = join(import.meta.dirname, '../../src/cli/main.ts')

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-interrupt-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function throughline(folder: string, words: readonly string[], env: Record<string, string> = {}) {
  const store = { HOME: folder, THROUGHLINE_STORE: join(folder, 'chat.db') }
  return spawned(process.execPath, [main, ...words], {
    cwd: folder,
    env: { ...compiledBefore, ...store, ...env },
  })
}

describe('Ctrl-C', () => {
  it('stops a command that waits, and leaves an intact database', async () => {
    const folder = folderOfTest()
    const tl = createThroughline({ store: sqlite(join(folder, 'chat.db')) })
    const words = 'Please look at this and say what you find in it. '
    await tl.conversation('c').append(
      Array.from({ length: 120 }, (_, place) => ({
        role: place % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: `${place}: ${words.repeat(4)}`,
      })),
    )
    await tl.close()
    const { promise: requested, resolve: onRequest } = Promise.withResolvers<void>()
    const server = await createFaultServer({
      faults: () => {
        onRequest()
        return 'hang'
      },
    })
    onTestFinished(() => server.close())
    const env = {
      ...{ OPENAI_API_KEY: 'test-key', THROUGHLINE_BASE_URL: server.url },
      ...{ THROUGHLINE_SUMMARIZER: 'openai/gpt-4o', THROUGHLINE_TOKENIZER: 'estimate' },
    }
    const compacting = throughline(folder, ['compact', 'c', '--window', '4000'], env)
    await Promise.race([requested, compacting.ended()])
    const pressed = performance.now()
    compacting.child.kill('SIGINT')
    const ended = await compacting.ended()
    expect(ended).toMatchObject({ code: 130, stdout: '' })
    expect(ended.stderr).toContain('all data written so far is complete')
    expect(performance.now() - pressed).toBeLessThan(4_000)
    const doctor = await throughline(folder, ['doctor', '--json']).ended()
    expect(JSON.parse(doctor.stdout)).toMatchObject({ healthy: true })
    expect(doctor.code).toBe(0)
  })

  it('exits at once when it is pressed again, if the command does not stop', async () => {
    const folder = folderOfTest()
    const world = join(import.meta.dirname, '../../src/cli/system-world.ts')
    // The program has its own clock, so the test does not depend on real time.
    const script = `
      const { systemWorld } = await import(${JSON.stringify(world)})
      let [now, received] = [1_000, 0]
      performance.now = () => now
      systemWorld().signal.addEventListener('abort', () => console.log('asked to stop'))
      process.on('SIGINT', () => {
        received += 1
        if (received === 2) now += 1_000
        console.log('survived signal ' + received)
      })
      setInterval(() => {}, 1_000)
      console.log('ready')`
    const busy = spawned(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      env: compiledBefore,
    })
    await busy.writes('ready')
    busy.child.kill('SIGINT')
    await busy.writes('survived signal 1')
    // A launcher passes the same press on; it does not count as a second one.
    busy.child.kill('SIGINT')
    await busy.writes('survived signal 2')
    busy.child.kill('SIGINT')
    const { code, stdout } = await busy.ended()
    expect({ code, stdout }).toEqual({
      code: 130,
      stdout: 'ready\nasked to stop\nsurvived signal 1\nsurvived signal 2\n',
    })
  })
})

describe('a real process', () => {
  it('exits with the documented codes, and writes no error if the reader stops reading', async () => {
    const folder = folderOfTest()
    expect(await throughline(folder, ['nonsense']).ended()).toMatchObject({ code: 64, stdout: '' })
    expect(
      await throughline(folder, ['list'], { THROUGHLINE_COMPACTION: 'x' }).ended(),
    ).toMatchObject({ code: 78 })
    const help = throughline(folder, ['--help'])
    help.child.stdout?.destroy()
    expect(await help.ended()).toMatchObject({ stderr: '' })
  })
})

describe('a reader that closes the pipe', () => {
  it('ends a chat without an error, and the partial answer is kept', async () => {
    const folder = folderOfTest()
    const server = await createFaultServer({
      answers: 'One word after the other, and there are many more of them. '.repeat(20),
      faults: () => 'slow',
      pace: { byteEveryMs: 1 },
    })
    onTestFinished(() => server.close())
    const env = {
      ...{ OPENAI_API_KEY: 'test-key', THROUGHLINE_BASE_URL: server.url },
      ...{ THROUGHLINE_MODEL: 'openai/gpt-4o', THROUGHLINE_TOKENIZER: 'estimate' },
    }
    const chatting = throughline(folder, ['chat', 'c', '-m', 'Hello'], env)
    await chatting.writes('One word')
    chatting.child.stdout?.destroy()
    const store = `throughline: created the store ${join(folder, 'chat.db')}\n`
    expect(await chatting.ended()).toMatchObject({ code: 0, stderr: store })
    const { stdout } = await throughline(folder, ['show', 'c', '1', '--json']).ended()
    expect(JSON.parse(stdout)).toMatchObject({ role: 'assistant', status: 'incomplete' })
  })
})
