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
    let asked = () => {}
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const server = await createFaultServer({
      faults: () => {
        asked()
        return 'hang'
      },
    })
    onTestFinished(() => server.close())
    const env = {
      ...{ OPENAI_API_KEY: 'test-key', THROUGHLINE_BASE_URL: server.url },
      ...{ THROUGHLINE_SUMMARIZER: 'openai/gpt-4o', THROUGHLINE_TOKENIZER: 'estimate' },
    }
    const compacting = throughline(folder, ['compact', 'c', '--window', '4000'], env)
    await Promise.race([wasAsked, compacting.ended()])
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

  it('ends at once what does not stop, when it is pressed again', async () => {
    const folder = folderOfTest()
    const world = join(import.meta.dirname, '../../src/cli/system-world.ts')
    const script = `
      const { systemWorld } = await import(${JSON.stringify(world)})
      systemWorld().signal.addEventListener('abort', () => console.log('asked to stop'))
      setInterval(() => {}, 1000)
      console.log('deaf')`
    const deaf = spawned(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      env: compiledBefore,
    })
    await deaf.says('deaf')
    deaf.child.kill('SIGINT')
    await deaf.says('asked to stop')
    // The same press, passed on by a launcher, is not a second one.
    deaf.child.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(deaf.child.exitCode).toBeNull()
    deaf.child.kill('SIGINT')
    expect(await deaf.ended()).toMatchObject({ code: 130 })
  })
})

describe('the real thing', () => {
  it('ends with the codes of the table, and says nothing to whoever stops reading', async () => {
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

describe('a reader that goes', () => {
  it('ends a chat without a word, and what came of the answer is kept', async () => {
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
    await chatting.says('One word')
    chatting.child.stdout?.destroy()
    const store = `throughline: writing to the store ${join(folder, 'chat.db')}\n`
    expect(await chatting.ended()).toMatchObject({ code: 0, stderr: store })
    const { stdout } = await throughline(folder, ['show', 'c', '1', '--json']).ended()
    expect(JSON.parse(stdout)).toMatchObject({ role: 'assistant', status: 'incomplete' })
  })
})
