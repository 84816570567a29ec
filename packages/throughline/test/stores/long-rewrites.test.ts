/** Rewrites of logs that are longer than a segment of the chain hash, in SQLite and in memory. */
import { DatabaseSync } from 'node:sqlite'
import { createThroughline, type MessageInput, type Store } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { checkConversation } from 'throughline/toolkit'
import { describe, expect, it } from 'vitest'
import { tenantOf } from '../../src/testing/store-cases/case.test-support.ts'

const messages: readonly MessageInput[] = Array.from({ length: 2_600 }, (_, seq) => {
  const callId = `call ${Math.floor(seq / 4) % 300}`
  if (seq % 4 === 1)
    return { role: 'assistant', content: [{ type: 'tool-call', callId, name: 'read', input: {} }] }
  if (seq % 4 === 2 && seq % 40 !== 2)
    return { role: 'tool', content: [{ type: 'tool-result', callId, output: `result ${seq}` }] }
  return { role: seq % 4 === 3 ? 'assistant' : 'user', content: `message ${seq}` }
})

/** Every kind of rewrite, before and after the points of two forks. */
async function rewritten(store: Store) {
  let now = 1_000
  const tl = createThroughline({ store, clock: { now: () => now++ } })
  const chat = tl.conversation('c')
  await chat.append(messages)
  const forked = await chat.history.fork(1_500, 'fork')
  if (!forked.ok) throw new Error('no fork')
  await forked.value.append(messages.slice(0, 1_200))
  await forked.value.history.fork(2_048, 'fork of the fork')
  await tl.conversation('fork of the fork').append(messages.slice(0, 5))
  await chat.history.purgeMessage('#5', { forks: 'purge' })
  await chat.history.purgeMessage('#1030', { forks: 'purge' })
  await chat.history.edit('#16', { role: 'user', content: 'edited' })
  await chat.history.remove('#1201')
  await chat.history.remove({ from: 1_020, to: 1_030 })
  await forked.value.history.edit('#1024', { role: 'user', content: 'edited in the fork' })
  await forked.value.history.remove('#2050')
  const logs = await Promise.all(
    ['c', 'fork', 'fork of the fork'].map(async (id) => {
      const conversation = await tl.conversation(id).info()
      const checked = conversation && (await checkConversation(tenantOf(store), conversation))
      const log = await Array.fromAsync(tl.conversation(id).messages())
      return { chain: conversation?.chain, problems: checked?.problems, log }
    }),
  )
  await tl.close()
  return logs
}

describe('a rewrite of a long log', () => {
  it('leaves the same chains, answers and marks in SQLite as in memory', async () => {
    const [inFile, inMemory] = [
      await rewritten(sqlite(new DatabaseSync(':memory:'))),
      await rewritten(memory()),
    ]
    expect(inFile.map(({ problems }) => problems)).toEqual([[], [], []])
    expect(inFile).toEqual(inMemory)
  })

  it('updates one segment, and one message of each later one', async () => {
    const driver = new DatabaseSync(':memory:')
    let updates = 0
    const store = sqlite({
      exec: (sql) => driver.exec(sql),
      close: () => driver.close(),
      prepare: (sql) => {
        const statement = driver.prepare(sql)
        const isUpdate = sql.startsWith('UPDATE messages')
        return {
          get: (...values) => statement.get(...values),
          all: (...values) => statement.all(...values),
          run: (...values) => {
            if (isUpdate) updates += 1
            return statement.run(...values)
          },
        }
      },
    })
    const tl = createThroughline({ store })
    const count = 5_000
    await tl.conversation('c').append(Array(count).fill({ role: 'user', content: 'x' }))
    await tl.conversation('c').history.edit('#1000', { role: 'user', content: 'y' })
    expect(updates).toBeLessThan(40)
    await tl.close()
  })
})
