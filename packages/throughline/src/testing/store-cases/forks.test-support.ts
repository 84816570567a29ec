/** Forks by reference, and children of a call. */
import { sha256 } from '../../system.ts'
import { build } from '../build.ts'
import { given, pluck, same } from '../contract.ts'
import { type Bench, fileHash, messageAt, resultOf, type StoreCases } from './case.test-support.ts'

const texts = async (chat: ReturnType<Bench['tl']['conversation']>) =>
  (await Array.fromAsync(chat.messages())).map(({ parts: [part] }) =>
    part?.type === 'text' ? part.text : part?.type,
  )

export const forkCases: StoreCases = {
  'shares the messages before the fork, and has its own after it': async (bench) => {
    const { chat: source } = bench
    await source.append([...build().user('a').says('b').user('c')])
    const fork = given(await source.history.fork(2, 'f'))
    await fork.append({ role: 'user', content: 'F' })
    await source.append({ role: 'assistant', content: 'd' })
    same(await texts(fork), ['a', 'b', 'F'], "the fork's texts")
    same(await texts(source), ['a', 'b', 'c', 'd'], "the source's texts")
    const info = await fork.info()
    same([info?.head, info?.forkedFrom], [3, { conversationId: 'c', at: 2 }], 'the fork')
    const { id, conversationId } = (await messageAt(fork, 1)) ?? {}
    same([id, conversationId], ['f#1', 'f'], 'a shared message, seen from the fork')
    same(await fork.original(0), await source.original(0), 'the original of a shared message')
  },
  'continues the chain of hashes in a fork': async ({ chat: source }) => {
    await source.append([...build().user('a').says('b').user('c')])
    const fork = given(await source.history.fork(2, 'f'))
    await fork.append({ role: 'user', content: 'c' })
    same((await fork.info())?.chain, (await source.info())?.chain, 'chains of equal histories')
    const empty = given(await source.history.fork(0, 'empty'))
    await empty.append([...build().user('a').says('b').user('c')])
    same((await empty.info())?.chain, (await source.info())?.chain, 'chains after a fork at 0')
  },
  'forks a fork, before and after its first own message': async ({ chat: source }) => {
    await source.append([...build().user('a').says('b').user('c')])
    const fork = given(await source.history.fork(2, 'f'))
    await fork.append([...build().user('x').says('y')])
    const late = given(await fork.history.fork(3, 'late'))
    const early = given(await fork.history.fork(1, 'early'))
    await late.append({ role: 'user', content: 'z' })
    same(await texts(late), ['a', 'b', 'x', 'z'], 'a fork after its first own message')
    same(await texts(early), ['a'], 'a fork before its first own message')
    same((await early.info())?.forkedFrom, { conversationId: 'c', at: 1 }, 'its source')
  },
  'sees files, keys and waiting calls of its source up to the fork': async ({ chat: source }) => {
    const data = Uint8Array.from([1, 2, 3])
    const picture = [{ type: 'file', mediaType: 'image/png', data }] as const
    await source.append([
      { role: 'user', content: picture, key: 'k' },
      ...build().callsAtOnce('read', 'list').result('done'),
    ])
    await source.append({ role: 'user', content: 'late', key: 'late' })
    const fork = given(await source.history.fork(3, 'f'))
    same(await fork.file(await fileHash(fork, 0)), data, 'the file')
    const repeated = await fork.append({ role: 'user', content: picture, key: 'k' })
    same(repeated.entries[0]?.repeated, true, 'a shared key')
    const other = await fork.append({ role: 'user', content: 'other', key: 'late' })
    same(other.entries[0]?.repeated, false, 'a key that came after the fork')
    const answer = (callId: string) => fork.append(resultOf(callId))
    same((await answer('call-1')).entries[0]?.marks, [], 'the call that waits')
    same((await answer('call-0')).entries[0]?.marks.length, 1, 'the call that was answered')
  },
  'refuses a fork after the end, of a missing source, and onto an existing conversation': async (
    bench,
  ) => {
    const { tl } = bench
    const source = tl.conversation('c')
    const failure = async (at: number, id: string) => {
      const result = await source.history.fork(at, id)
      return result.ok ? null : result.failure
    }
    same(await failure(0, 'f'), { kind: 'source-not-found' }, 'a fork of a missing source')
    await source.append({ role: 'user', content: 'a' })
    same(await failure(2, 'f'), { kind: 'source-too-short', head: 1 }, 'a fork after the end')
    same((await failure(1, 'c'))?.kind, 'exists', 'a fork onto itself')
    same((await tl.begin('c')).ok, false, 'a second creation')
    const update = await tl.conversation('x').update({ title: 'T' })
    same(update.ok, false, 'an update of a missing conversation')
  },
  'links children to the call that started them': async ({ tl }) => {
    await tl.conversation('c').append([...build().user('go').calls('task')])
    await tl.begin('child', { parent: { conversationId: 'c', callId: 'call-0' } })
    const children = await tl.list({ parent: 'c' })
    same(pluck(children, 'id'), ['child'], 'children')
    same(children[0]?.parent, { conversationId: 'c', callId: 'call-0' }, 'the link')
  },
  'shows a fork no later file of its source': async ({ chat: source }) => {
    await source.append({ role: 'user', content: 'a' })
    const fork = given(await source.history.fork(1, 'f'))
    const data = Uint8Array.from([7])
    await source.append({ role: 'user', content: [{ type: 'file', mediaType: 'x/y', data }] })
    const hash = sha256(data)
    same([await source.file(hash), await fork.file(hash)], [data, null], 'the file')
  },
}
