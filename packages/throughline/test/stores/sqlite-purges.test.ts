/** Purges of a killed process, which the next open finishes. */
import { DatabaseSync } from 'node:sqlite'
import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { build } from 'throughline/testing'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { bytesIn } from '../../../../harness/history/purge-canaries.ts'
import { inspectSqlite } from '../../src/stores/sqlite/inspect.ts'
import { copyDatabase, rowsIn, testFolder } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const allErased = { erased: true, remains: [] }

/** Waits for the commit of a purge, which another thread then erases. */
const isPlanned = (file: string) =>
  vi.waitFor(() => expect(rowsIn(file, 'purges')).toHaveLength(1), { interval: 1 })

/** The file of a process that was killed between the commit of a purge and the erasure. */
async function killed(
  name: string,
  purge: (tl: ReturnType<typeof createThroughline>) => Promise<unknown>,
): Promise<string> {
  const [live, file] = [folder.file(`live-${name}.db`), folder.file(`${name}.db`)]
  const driver = new DatabaseSync(live)
  let isCopied = false
  const tl = createThroughline({
    store: sqlite({
      close: () => driver.close(),
      prepare: (sql) => driver.prepare(sql),
      exec: (sql) => {
        if (sql === 'VACUUM' && !isCopied) {
          copyDatabase(live, file)
          isCopied = true
        }
        return driver.exec(sql)
      },
    }),
  })
  await tl.conversation('c').append([...build().user('canary-1').says('answer').user('canary-2')])
  await purge(tl)
  await tl.close()
  expect(isCopied).toBe(true)
  expect(bytesIn(file).includes('canary')).toBe(true)
  return file
}

describe('a purge that was killed after its commit', () => {
  it('is finished by opening the file, and a retry reports that it was purged', async () => {
    const file = await killed('whole', (tl) => tl.conversation('c').history.purge())
    const tl = createThroughline({ store: sqlite(file) })
    expect(bytesIn(file).includes('canary')).toBe(false)
    expect(await tl.conversation('c').history.purge()).toEqual({
      kind: 'already-purged',
      ...allErased,
    })
    expect(await tl.conversation('never').history.purge()).toEqual({ kind: 'not-found' })
    await tl.close()
  })

  it('is finished in the same way for one message', async () => {
    const file = await killed('message', (tl) => tl.conversation('c').history.purgeMessage(0))
    const tl = createThroughline({ store: sqlite(file) })
    expect(bytesIn(file).includes('canary-1')).toBe(false)
    expect(bytesIn(file).includes('canary-2')).toBe(true)
    expect(await tl.conversation('c').history.purgeMessage(0)).toEqual({
      kind: 'already-purged',
      ...allErased,
    })
    await tl.close()
  })

  it('reports what remains while another connection reads old pages', async () => {
    const file = await killed('held', (tl) => tl.conversation('c').history.purge())
    const reader = new DatabaseSync(file)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM purges').get()
    const tl = createThroughline({ store: sqlite(file) })
    expect(await tl.conversation('c').history.purge()).toMatchObject({
      kind: 'already-purged',
      erased: false,
      remains: expect.arrayContaining(['write-ahead-log']),
    })
    reader.exec('COMMIT')
    reader.close()
    expect(await tl.conversation('c').history.purge()).toEqual({
      kind: 'already-purged',
      ...allErased,
    })
    expect(bytesIn(file).includes('canary')).toBe(false)
    await tl.close()
  })

  it('is recorded without purged content', async () => {
    const file = await killed('lines', (tl) => tl.conversation('c').history.purge())
    const [line] = rowsIn(file, 'purges')
    expect(line).toMatchObject({ what: 'conversation', messages: 3, erased: 0 })
    await sqlite(file).close()
    expect(rowsIn(file, 'purges')).toEqual([{ ...line, erased: 1 }])
  })
})

describe('a purge in a large file', () => {
  it('erases in another thread: reads continue, and writes wait', async () => {
    const file = folder.file('large.db')
    const tl = createThroughline({ store: sqlite(file, { durability: 'normal' }) })
    const chat = tl.conversation('c')
    const text = 'some words of a long page. '.repeat(20_000)
    const pages = Array.from({ length: 20 }, (_, page) => `canary-${page} ${text}`)
    await chat.append(pages.map((content) => ({ role: 'user', content }) as const))
    let turns = 0
    const ticking = setInterval(() => {
      turns += 1
    }, 1)
    const purged = chat.history.purgeMessage(3)
    // The rows are deleted at once.
    await isPlanned(file)
    const [removed, kept] = await Array.fromAsync(chat.messages({ from: 3, to: 5 }))
    expect([removed?.parts.length, kept?.parts.length]).toEqual([0, 1])
    const erased = () => rowsIn(file, 'purges').map((row) => row['erased'])
    const [turnsBefore, erasedBefore] = [turns, erased()]
    await chat.append({ role: 'user', content: 'meanwhile' })
    expect([erasedBefore, erased()]).toEqual([[0], [1]])
    expect(turns).toBeGreaterThan(turnsBefore)
    expect(await purged).toMatchObject({ kind: 'purged', ...allErased })
    clearInterval(ticking)
    const left = bytesIn(file)
    expect([left.includes('canary-3 '), left.includes('canary-4 ')]).toEqual([false, true])
    await tl.close()
  })

  it('is closed after its erasure', async () => {
    const file = folder.file('closed.db')
    const tl = createThroughline({ store: sqlite(file, { durability: 'normal' }) })
    const content = 'x'.repeat(1_000_000)
    await tl.conversation('c').append(Array(10).fill({ role: 'user', content }))
    const purged = tl.conversation('c').history.purge()
    await isPlanned(file)
    await tl.close()
    expect(await purged).toMatchObject({ kind: 'purged', ...allErased })
    expect(rowsIn(file, 'purges')).toMatchObject([{ erased: 1 }])
  })

  it('hides a whole conversation at once, and deletes it in that thread, or after a kill', async () => {
    const [file, copy] = [folder.file('hidden.db'), folder.file('hidden-killed.db')]
    const tl = createThroughline({ store: sqlite(file, { durability: 'normal' }) })
    const filler = 'x'.repeat(1_000_000)
    await tl.conversation('other').append(Array(10).fill({ role: 'user', content: filler }))
    const chat = tl.conversation('c')
    await chat.append(Array.from({ length: 11_000 }, (_, at) => user(`canary number ${at}`)))
    await chat.recall('number')
    await tl.settled()
    const purged = chat.history.purge()
    const tenants = () => rowsIn(file, 'conversations').map(({ tenant }) => tenant)
    while (!tenants().includes('')) await new Promise((resolve) => setImmediate(resolve))
    copyDatabase(file, copy)
    expect(await chat.info()).toBeNull()
    expect(await purged).toMatchObject({ kind: 'purged', conversations: ['c'], ...allErased })
    await tl.close()
    const reopened = sqlite(copy, { durability: 'normal' })
    await reopened.close()
    for (const place of [file, copy]) {
      expect(bytesIn(place).includes('canary')).toBe(false)
      expect(rowsIn(place, 'conversations').map(({ id }) => id)).toEqual(['other'])
      expect(rowsIn(place, 'messages')).toHaveLength(10)
      expect(inspectSqlite(place)).toMatchObject({ tenants: ['default'], unfinishedPurges: 0 })
      // Of the other conversation, nothing was indexed.
      expect(rowsIn(place, 'pieces')).toEqual([])
    }
  })
})

const user = (content: string) => ({ role: 'user', content }) as const

it('deletes the messages of a long log that was purged before in steps, so that none takes long', async () => {
  const driver = new DatabaseSync(':memory:')
  const deleted: number[] = []
  const store = sqlite({
    close: () => driver.close(),
    prepare: (sql) => driver.prepare(sql),
    exec: (sql) => {
      driver.exec(sql)
      if (!sql.startsWith('DELETE FROM messages')) return
      deleted.push(Number(driver.prepare('SELECT changes() AS rows').get()?.['rows']))
    },
  })
  const tl = createThroughline({ store })
  await tl.conversation('long').append(Array(10_500).fill({ role: 'user', content: 'x' }))
  // What a purge leaves if the process is killed after its commit.
  driver.exec("UPDATE conversations SET tenant = ''")
  await tl.conversation('c').append({ role: 'user', content: 'x' })
  await tl.conversation('c').history.purge()
  await tl.close()
  expect(deleted.filter((rows) => rows > 0)).toEqual([1, 10_000, 500])
})
