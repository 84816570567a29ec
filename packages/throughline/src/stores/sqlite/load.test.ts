import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import type { ConversationId } from '../../domain/ids.ts'
import type { RowQuery } from '../../ports/store.ts'
import { given } from '../../testing/contract.ts'
import { append, id, put, row, tenantOf } from '../../testing/store-cases/case.test-support.ts'
import { createThroughline } from '../../throughline.ts'
import { sqlite } from '../sqlite.ts'

const fork = 'f' as ConversationId

async function opened(messages: number) {
  const database = new DatabaseSync(':memory:')
  const store = sqlite(database)
  const tl = createThroughline({ store })
  await append(tl, 'c', messages)
  const load = (of: ConversationId, ...rows: readonly RowQuery[]) =>
    tenantOf(store).load({ id: of, rows })
  return { database, store, tl, load }
}

it('refuses a log whose newest message is gone, if a request would read it', async () => {
  for (const messages of [1, 2]) {
    const { database, store, load } = await opened(messages)
    expect(await load(id, { kind: 'view' })).toMatchObject({ conversation: { head: messages } })
    database.exec(`DELETE FROM messages WHERE seq = ${messages - 1}`)
    expect(await load(id)).toMatchObject({ conversation: { head: messages } })
    await expect(load(id, { kind: 'view' })).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    await store.close()
  }
})

it('needs no own message of a fork, nor any of an empty conversation', async () => {
  const { store, tl, load } = await opened(2)
  given(await tl.conversation('c').history.fork(2, 'f'))
  expect(await load(fork, { kind: 'view' })).toMatchObject({ conversation: { head: 2 } })
  const empty = 'e' as ConversationId
  given(await tl.begin('e'))
  expect(await load(empty, { kind: 'view' })).toMatchObject({ conversation: { head: 0 } })
  await put(tenantOf(store), [row({ kind: 'facts' })])
  const mixed = await load(fork, { kind: 'view' }, { kind: 'facts' })
  expect(mixed?.rows.map(({ length }) => length)).toEqual([0, 1])
  expect(await load('missing' as ConversationId, { kind: 'view' })).toBeNull()
  await store.close()
})

it('returns rows unless the caller has seen this version, whichever way they are read', async () => {
  const { store, load } = await opened(2)
  await put(tenantOf(store), [row({ kind: 'facts' }), row({ kind: 'asking' })])
  const count = async (...rows: readonly RowQuery[]) =>
    (await load(id, ...rows))?.rows.map(({ length }) => length)
  const { version = 0 } = (await load(id))?.conversation ?? {}
  const [shared, own] = [{ kind: 'facts' }, { kind: 'asking' }] as const
  expect(await count(shared, own)).toEqual([1, 1])
  expect(await count(own, own)).toEqual([1, 1])
  const [seen, older] = [{ unlessVersion: version }, { unlessVersion: version - 1 }]
  expect(await count({ ...shared, ...seen }, { ...own, ...older })).toEqual([0, 1])
  expect(await count({ ...own, ...seen }, { ...own, ...older })).toEqual([0, 1])
  await store.close()
})
