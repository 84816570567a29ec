import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { createThroughline } from '../../throughline.ts'
import { sqlite } from '../sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-thread-'))
let files = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function opened({ busyTimeoutMs = 5000 } = {}) {
  const file = join(folder, `${files++}.db`)
  const throughline = createThroughline({ store: sqlite(file, { thread: true, busyTimeoutMs }) })
  const append = (id: string, content = 'Hello') =>
    throughline.conversation(id).append({ role: 'user', content })
  return { file, throughline, append }
}

describe('a store with a writer thread', () => {
  it('shows each write to the next read, and keeps it in the file', async () => {
    const { file, throughline, append } = opened()
    await append('a', 'One')
    expect((await throughline.conversation('a').info())?.head).toBe(1)
    const contents = async (of: typeof throughline) =>
      (await Array.fromAsync(of.conversation('a').messages())).map(({ parts }) => parts)
    const before = await contents(throughline)
    await throughline.close()
    const again = createThroughline({ store: sqlite(file) })
    expect(await contents(again)).toEqual(before)
    await again.close()
  })

  it('stores the others of a group where one write fails', async () => {
    const { file, throughline, append } = opened()
    await append('first')
    const other = new DatabaseSync(file)
    other.exec(`CREATE TRIGGER refuse BEFORE INSERT ON conversations WHEN new.id = 'c3'
      BEGIN SELECT raise(ABORT, 'refused'); END; BEGIN IMMEDIATE`)
    // They wait for the lock together: the first alone, and the others as one group.
    const ids = ['c1', 'c2', 'c3', 'c4', 'c5']
    const outcomes = Promise.allSettled(ids.map((id) => append(id)))
    other.exec('COMMIT')
    expect((await outcomes).map(({ status }) => status)).toEqual(
      ids.map((id) => (id === 'c3' ? 'rejected' : 'fulfilled')),
    )
    const heads = (await throughline.list()).map(({ id, head }) => `${id} ${head}`)
    expect(heads).toEqual(['c1 1', 'c2 1', 'c4 1', 'c5 1', 'first 1'])
    other.close()
    await throughline.close()
  })

  it('keeps many writes at once in order, each once', async () => {
    const { throughline, append } = opened()
    const numbers = Array.from({ length: 200 }, (_, at) => at)
    const appended = await Promise.all(numbers.map((at) => append(`c${at % 3}`, `${at}`)))
    for (const [at, { head }] of appended.entries()) expect(head).toBe(Math.floor(at / 3) + 1)
    await throughline.close()
  })

  it('reports errors of the thread with their codes', async () => {
    const { file, throughline, append } = opened({ busyTimeoutMs: 1 })
    await append('a')
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    await expect(append('a')).rejects.toMatchObject({ code: 'STORE_BUSY', retryable: true })
    other.exec('COMMIT')
    await append('a')
    other.close()
    await throughline.close()
  })

  it('stores what was sent before it closes, and refuses what comes after', async () => {
    const { file, throughline, append } = opened()
    const sent = [append('a'), append('b')]
    await append('c')
    await throughline.close()
    await Promise.all(sent)
    await expect(append('d')).rejects.toMatchObject({ code: 'STORE_CLOSED' })
    const again = createThroughline({ store: sqlite(file) })
    expect((await again.list()).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    await again.close()
  })

  it('refuses all writes after its thread has failed', async () => {
    const gone = mkdtempSync(join(tmpdir(), 'throughline-thread-'))
    const store = sqlite(join(gone, 'a.db'), { thread: true })
    // Before the thread opens the file.
    rmSync(gone, { recursive: true })
    const { append, close } = withEngine(store)
    await expect(append()).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await expect(append()).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await close()
  })

  it('takes a path only, and no store that reads only', () => {
    const refused = { code: 'CONFIG_INVALID' }
    const file = join(folder, 'any.db')
    expect(() => sqlite(':memory:', { thread: true })).toThrow(expect.objectContaining(refused))
    expect(() => sqlite(new DatabaseSync(':memory:'), { thread: true })).toThrow(
      expect.objectContaining(refused),
    )
    expect(() => sqlite(file, { thread: true, readOnly: true })).toThrow(
      expect.objectContaining(refused),
    )
    expect(() => sqlite(file, { thread: 'yes' as never })).toThrow(expect.objectContaining(refused))
  })
})

function withEngine(store: ReturnType<typeof sqlite>) {
  const throughline = createThroughline({ store })
  const chat = throughline.conversation('a')
  return {
    append: () => chat.append({ role: 'user', content: 'Hello' }),
    close: () => throughline.close(),
  }
}
