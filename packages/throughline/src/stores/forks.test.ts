/** Forks of forks, and what a fork copies when it changes a shared message. */

import { remember } from '../derived/remembered-turns.test-support.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { TenantStore } from '../ports/store.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { given, same } from '../testing/contract.ts'
import { append, commit, id, put, row, rowsOf } from '../testing/store-cases/case.test-support.ts'
import {
  indexUpTo,
  samplePiece,
  search,
} from '../testing/store-cases/indexed-pieces.test-support.ts'

const [f, g] = ['f', 'g'] as unknown as readonly [ConversationId, ConversationId]

const turn = (position: number, bound: number, who: string) =>
  row({ kind: 'turn', position, bound, label: who, body: turnBody(position, bound) })

/** A body that stays valid when messages change. */
const turnBody = (turn: number, to: number) =>
  JSON.stringify({ turn, messages: { from: to - 2, to }, user: 'u', forgotten: false })

const labels = async (
  tenant: TenantStore,
  of: ConversationId,
  kind: 'turn' | 'facts',
  own = false,
) => (await rowsOf(tenant, { kind, own }, of))?.map(({ position, label }) => `${label}${position}`)

const sourceOf = async (tenant: TenantStore, of: ConversationId) =>
  (await tenant.load({ id: of }))?.conversation.forkedFrom

onBothStores('forks', {
  'of a fork at its own point refer to its source, with the rows of both': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 6)
    await put(tenant, [turn(1, 2, 'c')])
    given(await tl.conversation('c').history.fork(4, 'f'))
    await put(tenant, [turn(2, 4, 'f')], f)
    given(await tl.conversation('f').history.fork(4, 'g'))
    await put(tenant, [turn(2, 4, 'c'), turn(3, 6, 'c')])
    same(await sourceOf(tenant, g), { conversationId: 'c', at: 4 }, 'its source')
    same(await labels(tenant, g, 'turn'), ['c1', 'f2'], 'its rows')
    same(await labels(tenant, g, 'turn', true), ['f2'], 'those that it copied')
    same(await labels(tenant, f, 'turn'), ['c1', 'f2'], 'the rows of the first fork')
  },
  'have a later source after a change at the point of that source': async ({ tl, tenant }) => {
    await append(tl, 'c', 4)
    given(await tl.conversation('c').history.fork(4, 'f'))
    await append(tl, 'f', 2)
    given(await tl.conversation('f').history.fork(6, 'g'))
    const facts = (position: number, label: string) => row({ kind: 'facts', position, label })
    await put(tenant, [facts(0, 'c'), facts(2, 'c')])
    await put(tenant, [facts(1, 'f'), facts(5, 'f')], f)
    const changed = { role: 'user', content: 'other' } as const
    given(await tl.conversation('g').history.edit(4, changed))
    same(await sourceOf(tenant, g), { conversationId: 'c', at: 4 }, 'its source')
    same(await labels(tenant, g, 'facts'), ['c0', 'f1', 'c2', 'f5'], 'its rows')
    same(await labels(tenant, g, 'facts', true), ['f1', 'f5'], 'those that it copied')
    given(await tl.conversation('g').history.edit(3, changed))
    same(await sourceOf(tenant, g), { conversationId: 'c', at: 3 }, 'after an earlier change')
    same(await labels(tenant, g, 'facts', true), ['f1', 'f5'], 'and its own rows then')
  },
  'copy the turns from a changed message on, and refer to the others': async ({ tl, tenant }) => {
    await append(tl, 'c', 8)
    await remember(tenant, { turns: 4 })
    given(await tl.conversation('c').history.fork(6, 'f'))
    const positions = async (own: boolean) =>
      (await rowsOf(tenant, { kind: 'turn', own }, f))?.map(({ position }) => position)
    same([await positions(false), await positions(true)], [[1, 2, 3], []], 'a new fork')
    given(await tl.conversation('f').history.edit(2, { role: 'user', content: 'other' }))
    same(
      [await positions(false), await positions(true)],
      [
        [1, 2, 3],
        [2, 3],
      ],
      'after a change',
    )
    given(await tl.conversation('f').history.edit(1, { role: 'user', content: 'other' }))
    same(await positions(true), [1, 2, 3], 'after an earlier change')
  },
  'index their messages again from the first changed one on': async ({ tl, tenant }) => {
    await append(tl, 'c', 6)
    await indexUpTo(tenant, 6, [samplePiece(1, 'a'), samplePiece(4, 'a')])
    given(await tl.conversation('c').history.fork(6, 'f'))
    const indexedTo = async (of: ConversationId) => (await search(tenant, {}, of))?.indexedTo
    same(await indexedTo(f), 6, 'a new fork')
    given(await tl.conversation('f').history.edit(3, { role: 'user', content: 'x' }))
    same([await indexedTo(f), await indexedTo(id)], [3, 6], 'after a change')
  },
})

onBothStores('conversations', {
  'keep the message of their title until they get another title': async ({ tl, tenant }) => {
    await append(tl, 'c', 3)
    const titleOf = async () => {
      const { title, titleFrom } = (await tenant.load({ id }))?.conversation ?? {}
      return [title, titleFrom]
    }
    await commit(tenant, { fields: { title: 'A', titleFrom: 2 } })
    same(await titleOf(), ['A', 2], 'a title with its message')
    await commit(tenant, { fields: { meta: { a: 1 } } })
    await commit(tenant, {})
    same(await titleOf(), ['A', 2], 'after other changes')
    await commit(tenant, { fields: { title: 'B' } })
    same(await titleOf(), ['B', null], 'a title without a message')
  },
  'are listed by the bytes of their ids': async ({ tl, tenant }) => {
    const ids = ['ab', 'aa', 'a', 'b', 'aab', '\u{1f600}', '\uffee', 'a\u{1f600}', 'a\uffee']
    for (const each of ids) given(await tl.begin(each))
    const listed = await tenant.list({ by: 'id', after: null, limit: 99, parent: null })
    const sorted = ['a', 'aa', 'aab', 'ab', 'a\uffee', 'a\u{1f600}', 'b', '\uffee', '\u{1f600}']
    same(
      listed.map(({ conversation }) => conversation.id),
      sorted as unknown as readonly ConversationId[],
      'the ids',
    )
  },
  'are listed with the time of their last message': async ({ tl, tenant }) => {
    const at = (createdAt: number) => ({ role: 'user', content: 'x', createdAt }) as const
    await tl.conversation('c').append([at(100), at(300), at(200)])
    const [listed] = await tenant.list({ by: 'latest', limit: null })
    same(listed?.lastAt, 200, 'the time')
  },
  'are purged once, and others were never there': async ({ tl, tenant }) => {
    await append(tl, 'c', 2)
    await append(tl, 'f', 2)
    const purge = async (of: string) =>
      (await tenant.purge({ id: of as ConversationId, forks: 'refuse', at: 9 })).kind
    same(await purge('x'), 'not-found', 'before any purge')
    await tenant.rewrite({ id: f, how: 'purge', seq: 1, forks: 'refuse', at: 9 })
    same([await purge('c'), await purge('c')], ['purged', 'already-purged'], 'a purge')
    same(await purge('x'), 'not-found', 'after a purge')
  },
})
