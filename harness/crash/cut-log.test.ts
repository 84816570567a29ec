/**
 * A power cut can leave a write-ahead log that ends anywhere or has damaged bytes. The file must then
 * open to an earlier state: a prefix of the commits.
 */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { build } from 'throughline/testing'
import { afterAll, expect, it } from 'vitest'
import {
  copyDatabase,
  integrity,
  testFolder,
} from '../../packages/throughline/test/stores/sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())
const turns = 60
const turnMessages = 3

it('opens to a prefix of the commits wherever the write-ahead log is cut or damaged', async () => {
  const file = folder.file('whole.db')
  const copy = folder.file('copy.db')
  const writing = createThroughline({ store: sqlite(file, { durability: 'normal' }) })
  for (let turn = 0; turn < turns; turn += 1)
    await writing
      .conversation('c')
      .append([...build().user(`${turn}`).calls('read').result('done')])
  copyDatabase(file, copy)
  await writing.close()
  const log = readFileSync(`${copy}-wal`)
  expect(log.length).toBeGreaterThan(100_000)

  const heads = new Set<number>()
  for (let cut = 0; cut < 120; cut += 1) {
    const damaged = folder.file(`cut-${cut}.db`)
    copyDatabase(copy, damaged)
    const offset = Math.floor((log.length * cut) / 120)
    if (cut % 2 === 0) truncateSync(`${damaged}-wal`, offset)
    else writeFileSync(`${damaged}-wal`, flipped(log, offset))
    heads.add(await prefixLength(damaged))
  }
  expect(heads.size).toBeGreaterThan(20)
  expect(Math.max(...heads)).toBeLessThanOrEqual(turns * turnMessages)
})

async function prefixLength(file: string): Promise<number> {
  const tl = createThroughline({ store: sqlite(file, { durability: 'normal' }) })
  const messages = await Array.fromAsync(tl.conversation('c').messages())
  const head = (await tl.conversation('c').info())?.head ?? 0
  await tl.close()
  expect(messages.map((message) => message.seq)).toEqual(
    Array.from({ length: head }, (_, seq) => seq),
  )
  expect(head % turnMessages).toBe(0)
  expect(integrity(file)).toBe('ok')
  return head
}

function flipped(bytes: Buffer, offset: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[offset] = (changed[offset] ?? 0) ^ 0xff
  return changed
}
