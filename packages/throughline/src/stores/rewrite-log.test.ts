/** Edits, removals and purges of messages, with details that the contract leaves open. */
import type { ConversationId } from '../domain/ids.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { build } from '../testing/build.ts'
import { given, same } from '../testing/contract.ts'
import { append, id, put, resultOf, row, rowsOf } from '../testing/store-cases/case.test-support.ts'
import {
  indexUpTo,
  placesOf,
  samplePiece,
} from '../testing/store-cases/indexed-pieces.test-support.ts'

const call = (callId: string) =>
  ({
    role: 'assistant',
    content: [{ type: 'tool-call', callId, name: 'read', input: {} }],
  }) as const

onBothStores('rewrites', {
  'find nothing from the end of the log on, nor in an empty span': async ({ tl, tenant }) => {
    await append(tl, 'c', 3)
    const remove = async (from: number, to: number) =>
      (await tenant.rewrite({ id, how: 'remove', span: { from, to }, at: 9 })).kind
    same(await remove(3, 5), 'not-found', 'after the end')
    same(await remove(1, 1), 'not-found', 'an empty span')
    same(await remove(2, 5), 'rewritten', 'the last message')
  },
  'refuse to purge a message that one fork has too': async ({ tl, tenant }) => {
    await append(tl, 'c', 3)
    given(await tl.conversation('c').history.fork(2, 'f'))
    const purge = (seq: number) => tenant.rewrite({ id, how: 'purge', seq, forks: 'refuse', at: 9 })
    same(await purge(1), { kind: 'has-forks', forks: ['f' as ConversationId] }, 'a shared message')
    same((await purge(2)).kind, 'rewritten', 'a message after the fork')
  },
  'purge a removed message where a fork still has it': async ({ tl, tenant }) => {
    await tl.conversation('c').append([...build().user('a').says('b')])
    given(await tl.conversation('c').history.fork(2, 'f'))
    given(await tl.conversation('c').history.remove({ from: 1, to: 2 }))
    const purge = async () => {
      const command = { id, how: 'purge', seq: 1, forks: 'purge', at: 9 } as const
      const outcome = await tenant.rewrite(command)
      return outcome.kind === 'rewritten' ? outcome.conversations : outcome.kind
    }
    same(await purge(), ['c', 'f'], 'both conversations')
    same(await purge(), 'already-purged', 'again')
  },
  'purge a message once in a fork of a conversation that had removed it': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 3)
    given(await tl.conversation('c').history.remove({ from: 1, to: 2 }))
    given(await tl.conversation('c').history.fork(3, 'f'))
    const purge = async (of: ConversationId) =>
      (await tenant.rewrite({ id: of, how: 'purge', seq: 1, forks: 'refuse', at: 9 })).kind
    const fork = 'f' as ConversationId
    same([await purge(fork), await purge(fork)], ['rewritten', 'already-purged'], 'the fork')
    same([await purge(id), await purge(id)], ['rewritten', 'already-purged'], 'its source')
  },
  'replace the indexed pieces of a message': async ({ tl, tenant }) => {
    await append(tl, 'c', 3)
    await indexUpTo(tenant, 3, [samplePiece(0, 'a'), samplePiece(1, 'a'), samplePiece(2, 'a')])
    given(await tl.conversation('c').history.remove({ from: 1, to: 2 }))
    same(await placesOf(tenant, { terms: ['a'] }), ['0 2'], 'after a removal')
    given(await tl.conversation('c').history.edit(2, { role: 'user', content: 'zebra' }))
    same(await placesOf(tenant, { terms: ['a'] }), ['0'], 'after an edit')
    same(await placesOf(tenant, { terms: ['zebra'] }), ['2'], 'the new term')
  },
  'drop what was derived from a message and from the results of its calls': async ({
    tl,
    tenant,
  }) => {
    const chat = tl.conversation('c')
    await chat.append([{ role: 'user', content: 'go' }, call('k'), resultOf('k')])
    await chat.append({ role: 'user', content: 'on' })
    const places = [0, 1, 2, 3]
    const left = async () => {
      const rows = await rowsOf(tenant, { kind: 'facts' })
      return rows?.map(({ position }) => position)
    }
    const putAll = () =>
      put(
        tenant,
        places.map((position) => row({ kind: 'facts', position })),
      )
    await putAll()
    given(await chat.history.edit(1, call('other')))
    same(await left(), [0, 3], 'after another call')
    await putAll()
    given(await chat.history.edit(0, { role: 'user', content: 'stop' }))
    same(await left(), [1, 2, 3], 'after another text')
  },
  'let a call wait again after its result has changed': async ({ tl }) => {
    const chat = tl.conversation('c')
    await chat.append([call('k'), resultOf('k')])
    given(await chat.history.edit(1, resultOf('x')))
    const again = await chat.append(resultOf('k'))
    same(again.entries[0]?.marks, [], 'the new result')
    const twice = await chat.append(resultOf('k'))
    same(twice.entries[0]?.marks.length, 1, 'a second result')
  },
})
