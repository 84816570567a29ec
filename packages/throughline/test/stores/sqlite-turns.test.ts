/** What SQLite in particular promises of an agent's turns. */
import { DatabaseSync } from 'node:sqlite'
import { type ConversationId, createThroughline, type Store, type TenantId } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { remember, sampleRemembered } from '../../src/testing/remembered-turns.ts'
import { rowsIn, testFolder, undoLaterMigrations } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const [id, fork] = ['c', 'f'] as unknown as readonly [ConversationId, ConversationId]
const tenantOf = (store: Store) => store.tenant('default' as TenantId)
const all = { before: null, limit: 9 }
const allSteps = { turn: null, step: null, limit: 9 }

async function begin(store: Store): Promise<void> {
  const tl = createThroughline({ store })
  const messages = Array.from({ length: 6 }, () => ({ role: 'user' as const, content: 'x' }))
  await tl.conversation('c').append(messages)
}

function changed(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

describe('turns in a SQLite file', () => {
  it('come back from another process, with their steps', async () => {
    const file = folder.file('again.db')
    const store = sqlite(file)
    await begin(store)
    const remembered = sampleRemembered()
    await tenantOf(store).commit({ id, expectedVersion: 0, changes: { remembered }, at: 0 })
    await store.close()
    const again = sqlite(file)
    expect(await tenantOf(again).turns({ id, ...all })).toEqual([remembered.record])
    expect(await tenantOf(again).steps({ id, ...allSteps })).toEqual(remembered.steps)
    await again.close()
  })

  it('are none in a file of a release before them, nor in its forks', async () => {
    const file = folder.file('before.db')
    const store = sqlite(file)
    await begin(store)
    await createThroughline({ store }).conversation('c').history.fork(4, 'f')
    await store.close()
    changed(file, `${undoLaterMigrations} PRAGMA user_version = 5`)
    const again = sqlite(file)
    expect(await tenantOf(again).turns({ id, ...all })).toEqual([])
    await remember(tenantOf(again), { turns: 2 })
    expect(await tenantOf(again).turns({ id: fork, ...all })).toEqual([])
    await remember(tenantOf(again), { to: fork })
    expect((await tenantOf(again).turns({ id: fork, ...all }))?.map(({ user }) => user)).toEqual([
      'f 1',
    ])
    await again.close()
  })

  it.each(['turns', 'steps'] as const)(
    'are refused where somebody has changed %s',
    async (table) => {
      for (const body of ['not JSON', '{}', 'null']) {
        const file = folder.file(`${table}-${body.length}.db`)
        const store = sqlite(file)
        await begin(store)
        await remember(tenantOf(store))
        await store.close()
        changed(file, `UPDATE ${table} SET body = '${body}'`)
        const again = sqlite(file)
        const read =
          table === 'turns'
            ? tenantOf(again).turns({ id, ...all })
            : tenantOf(again).steps({ id, ...allSteps })
        await expect(read).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
        await again.close()
      }
    },
  )

  it('go with their conversation', async () => {
    const file = folder.file('purged.db')
    const store = sqlite(file)
    await begin(store)
    await remember(tenantOf(store), { turns: 2 })
    expect([rowsIn(file, 'turns').length, rowsIn(file, 'steps').length]).toEqual([2, 4])
    await createThroughline({ store }).conversation('c').history.purge()
    await store.close()
    expect([rowsIn(file, 'turns').length, rowsIn(file, 'steps').length]).toEqual([0, 0])
  })

  it('are shared by a fork, and copied only where they have to be', async () => {
    const file = folder.file('shared.db')
    const store = sqlite(file)
    const tl = createThroughline({ store })
    await begin(store)
    await remember(tenantOf(store), { turns: 3 })
    await tl.conversation('c').history.fork(6, 'f')
    expect(rowsIn(file, 'turns')).toHaveLength(3)
    await tl.conversation('c').history.edit(3, { role: 'user', content: 'other' })
    // The first lies before what has changed.
    const turns = rowsIn(file, 'turns').map(({ conversation, turn }) => [conversation, turn])
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
