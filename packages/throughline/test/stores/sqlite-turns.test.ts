/** SQLite details of an agent's turns. */

import { DatabaseSync } from 'node:sqlite'
import { type ConversationId, createThroughline, type Store, type TenantId } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { change } from '../../src/derived/changes.test-support.ts'
import { commitChanges } from '../../src/derived/commit.ts'
import {
  remember,
  sampleRemembered,
  sampleTurn,
} from '../../src/derived/remembered-turns.test-support.ts'
import { loadSteps, loadTurns } from '../../src/derived/rows.ts'
import { rowsIn, testFolder } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const id = 'c' as ConversationId
const tenantOf = (store: Store) => store.tenant('default' as TenantId)
const all = { before: null, limit: 9 }
const allSteps = { turn: null, step: null, limit: 9 }

async function createConversation(store: Store, length = 6): Promise<void> {
  const tl = createThroughline({ store })
  const messages = Array.from({ length }, () => ({ role: 'user' as const, content: 'x' }))
  await tl.conversation('c').append(messages)
}

function changed(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

const rowsOf = (file: string, kind: string) =>
  rowsIn(file, 'derived').filter((row) => row['kind'] === kind)

describe('turns in a SQLite file', () => {
  it('can be loaded by another process, with their steps', async () => {
    const file = folder.file('again.db')
    const store = sqlite(file)
    await createConversation(store)
    const remembered = sampleRemembered()
    await commitChanges(tenantOf(store), { id, expectedVersion: 0, changes: { remembered }, at: 0 })
    await store.close()
    const again = sqlite(file)
    expect(await loadTurns(tenantOf(again), { id, ...all })).toEqual([remembered.record])
    expect(await loadSteps(tenantOf(again), { id, ...allSteps })).toEqual(remembered.steps)
    await again.close()
  })

  it.each(['turn', 'step'] as const)(
    'are refused after another program changed %s',
    async (kind) => {
      for (const body of ['not JSON', '{}', 'null']) {
        const file = folder.file(`${kind}-${body.length}.db`)
        const store = sqlite(file)
        await createConversation(store)
        await remember(tenantOf(store))
        await store.close()
        changed(file, `UPDATE derived SET body = '${body}' WHERE kind = '${kind}'`)
        const again = sqlite(file)
        const read =
          kind === 'turn'
            ? loadTurns(tenantOf(again), { id, ...all })
            : loadSteps(tenantOf(again), { id, ...allSteps })
        await expect(read).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
        await again.close()
      }
    },
  )

  it('are deleted with their conversation', async () => {
    const file = folder.file('purged.db')
    const store = sqlite(file)
    await createConversation(store)
    await remember(tenantOf(store), { turns: 2 })
    expect([rowsOf(file, 'turn').length, rowsOf(file, 'step').length]).toEqual([2, 4])
    await createThroughline({ store }).conversation('c').history.purge()
    await store.close()
    expect([rowsOf(file, 'turn').length, rowsOf(file, 'step').length]).toEqual([0, 0])
  })

  it('lose a purged message also where there are more turns than are read at once', async () => {
    const store = sqlite(':memory:')
    const count = 260
    await createConversation(store, count)
    for (let turn = 1; turn <= count; turn += 1) {
      const messages = { from: turn - 1, to: turn }
      const record = sampleTurn({ turn, key: null, messages, user: `user ${turn}` })
      await change(tenantOf(store), { remembered: { record, steps: [], asking: null } })
    }
    await createThroughline({ store })
      .conversation('c')
      .history.purgeMessage(`#${count - 2}`)
    const turns = await loadTurns(tenantOf(store), { id, before: null, limit: 3 })
    expect(turns?.map(({ user }) => user)).toEqual([`user ${count}`, '', `user ${count - 2}`])
    await store.close()
  })

  it('are shared by a fork, and copied only where necessary', async () => {
    const file = folder.file('shared.db')
    const store = sqlite(file)
    const tl = createThroughline({ store })
    await createConversation(store)
    await remember(tenantOf(store), { turns: 3 })
    await tl.conversation('c').history.fork(6, 'f')
    expect(rowsOf(file, 'turn')).toHaveLength(3)
    await tl.conversation('c').history.edit(3, { role: 'user', content: 'other' })
    // The first turn is before the change.
    const turns = rowsOf(file, 'turn').map(({ conversation, position }) => [conversation, position])
    expect(turns).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 2],
      [2, 3],
    ])
    await store.close()
  })
})
