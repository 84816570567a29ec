/** Purges of a killed process, which the next open finishes. */
import { DatabaseSync } from 'node:sqlite'
import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { build } from 'throughline/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { bytesIn } from '../../../../harness/history/purge-canaries.ts'
import { copyDatabase, rowsIn, testFolder } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const allErased = { erased: true, remains: [] }

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
