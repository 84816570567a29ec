/** Messages that forks share: an edit changes one conversation, a purge changes all. */
import { isRemoved } from '../../domain/sealed-message.ts'
import { stubToInput } from '../../flow/stub/stub.ts'
import type { Throughline } from '../../throughline.ts'
import { build } from '../build.ts'
import { given, same } from '../contract.ts'
import { casesFor, fileHash, purged, resultOf, type StoreCases } from './case.test-support.ts'
import { logOf } from './rewrite.test-support.ts'

/** A source, a fork, two forks of that (before and after its first own message), and an empty fork. */
async function family(tl: Throughline) {
  const source = tl.conversation('source')
  await source.append([
    ...build().user('a').calls('read').result('b').says('c').user('d').says('e'),
  ])
  const fork = given(await source.history.fork(4, 'fork'))
  await fork.append([...build().user('x').says('y')])
  const late = given(await fork.history.fork(5, 'late'))
  await late.append({ role: 'assistant', content: 'z' })
  const early = given(await fork.history.fork(2, 'early'))
  await early.append(resultOf('call-0', 'early'))
  const apart = given(await source.history.fork(0, 'apart'))
  await apart.append({ role: 'user', content: 'a' })
  return { source, fork, late, early, apart }
}

type Family = Awaited<ReturnType<typeof family>>

const logsOf = (chats: Family) => ofEach(chats, logOf)

const inputsOf = (chats: Family) =>
  ofEach(chats, async (chat) => (await Array.fromAsync(chat.messages())).map(stubToInput))

async function ofEach<Value>(chats: Family, read: (chat: Family['source']) => Promise<Value>) {
  const reads = Object.entries(chats).map(async ([name, chat]) => [name, await read(chat)] as const)
  return Object.fromEntries(await Promise.all(reads)) as Record<keyof Family, Value>
}

export const rewriteForkCases: StoreCases = {
  ...casesFor(['source', 'fork', 'late', 'early'] as const, (changed) => ({
    [`edits a shared message in one conversation alone: ${changed}`]: async ({ tl }) => {
      const chats = await family(tl)
      const [before, inputs] = [await logsOf(chats), await inputsOf(chats)]
      given(await chats[changed].history.edit(0, { role: 'user', content: 'A' }))
      const after = await logsOf(chats)
      same({ ...after, [changed]: null }, { ...before, [changed]: null }, 'the others')
      const fresh = tl.conversation('fresh')
      const [, ...rest] = inputs[changed]
      await fresh.append([{ role: 'user', content: 'A' }, ...rest])
      same((await logOf(fresh)).chain, after[changed].chain, 'its chain')
      for (const chat of Object.values(chats))
        await chat.append({ role: 'user', content: 'and on' })
      given(await chats[changed].history.remove({ from: 1, to: 3 }))
      const later = await logsOf(chats)
      const partsApart = later.apart.messages.map(({ parts }) => parts.length)
      same(partsApart, [1, 1], 'a fork at 0')
      const others = Object.entries(later).filter(([name]) => name !== changed)
      for (const [name, { messages }] of others)
        same(messages.some(isRemoved), false, `removed in ${name}`)
    },
  })),
  'leaves the waiting calls of a fork as they are when its source is edited': async (bench) => {
    const { chat: source } = bench
    await source.append([...build().user('a').calls('read')])
    const fork = given(await source.history.fork(2, 'f'))
    given(await source.history.remove(1))
    const result = resultOf('call-0')
    same((await fork.append(result)).entries[0]?.marks, [], 'in the fork')
    same((await source.append(result)).entries[0]?.marks.length, 1, 'in the source')
    const second = given(await fork.history.fork(2, 'g'))
    same((await second.append(result)).entries[0]?.marks, [], 'in a fork of the fork')
  },
  'finds files and keys of messages that a fork copied': async ({ chat: source }) => {
    const data = Uint8Array.from([7, 8])
    const content = [{ type: 'file', mediaType: 'image/png', data }] as const
    await source.append({ role: 'user', content: 'a' })
    await source.append({ role: 'user', content, key: 'k' })
    const fork = given(await source.history.fork(2, 'f'))
    given(await source.history.remove({ from: 0, to: 2 }))
    const hash = await fileHash(fork, 1)
    same(await fork.file(hash), data, 'the file')
    same(await source.file(hash), null, 'the file in the source')
    const retry = await fork.append({ role: 'user', content, key: 'k' })
    same([retry.head, retry.entries[0]?.seq], [2, 1], 'the key')
    same((await fork.info())?.forkedFrom, { conversationId: 'c', at: 0 }, 'its source')
  },
  'purges a message in all related conversations, or in none': async ({ tl }) => {
    const chats = await family(tl)
    // A copy, and a fork with another message at this position.
    given(await chats.late.history.edit(0, { role: 'user', content: 'L' }))
    given(await chats.early.history.edit(1, { role: 'assistant', content: 'E' }))
    const [before, inputs] = [await logsOf(chats), await inputsOf(chats)]
    const refusal = { kind: 'has-forks', forks: ['source', 'late'] }
    same(await chats.fork.history.purgeMessage(1), refusal, 'the refusal')
    same(await logsOf(chats), before, 'the logs after the refusal')
    const outcome = await chats.fork.history.purgeMessage(1, { forks: 'purge' })
    same(outcome, purged('source', 'fork', 'late'), 'the outcome')
    const after = await logsOf(chats)
    const withoutIt = ({ early, apart }: typeof before) => [early, apart]
    same(withoutIt(after), withoutIt(before), 'other messages at this position')
    for (const name of ['source', 'fork', 'late'] as const) {
      const { messages } = after[name]
      const marks = messages.slice(1, 3).map((message) => message.marks[0]?.kind)
      same(marks, ['removed', 'orphan-result'], `the marks of ${name}`)
      const fresh = tl.conversation(`fresh ${name}`)
      await fresh.append(inputs[name])
      given(await fresh.history.remove(1))
      same((await logOf(fresh)).chain, after[name].chain, `the chain of ${name}`)
      same((await chats[name].events()).at(-1)?.kind, 'message-purged', `the event of ${name}`)
    }
    same((await tl.purges()).length, 3, 'the lines')
  },
}
