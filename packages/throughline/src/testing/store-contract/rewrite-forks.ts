/** Messages that forks share: an edit is of one conversation alone, a purge of all. */
import { stubToInput } from '../../flow/stub/stub.ts'
import type { Throughline } from '../../throughline.ts'
import { build } from '../build.ts'
import { given, same } from '../contract.ts'
import type { StoreCase } from './case.ts'
import { logOf } from './rewrite.ts'

/** A source, a fork of it, a fork of that on either side of its beginning, and one that shares nothing. */
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
  await early.append({
    role: 'tool',
    content: [{ type: 'tool-result', callId: 'call-0', output: 'early' }],
  })
  const apart = given(await source.history.fork(0, 'apart'))
  await apart.append({ role: 'user', content: 'a' })
  return { source, fork, late, early, apart }
}

type Family = Awaited<ReturnType<typeof family>>

const logsOf = (chats: Family) => ofEach(chats, logOf)

/** As they could be appended to another one. */
const inputsOf = (chats: Family) =>
  ofEach(chats, async (chat) => (await Array.fromAsync(chat.messages())).map(stubToInput))

async function ofEach<Value>(
  { source, fork, late, early, apart }: Family,
  look: (chat: Family['source']) => Promise<Value>,
): Promise<Readonly<Record<keyof Family, Value>>> {
  return {
    source: await look(source),
    fork: await look(fork),
    late: await look(late),
    early: await look(early),
    apart: await look(apart),
  }
}

export const rewriteForkCases: readonly StoreCase[] = [
  ...(['source', 'fork', 'late', 'early'] as const).flatMap((changed): readonly StoreCase[] => [
    {
      name: `edits what is shared in one conversation alone: ${changed}`,
      run: async ({ tl }) => {
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
        same(
          later.apart.messages.map(({ parts }) => parts.length),
          [1, 1],
          'a fork at 0',
        )
        const others = Object.entries(later).filter(([name]) => name !== changed)
        for (const [name, { messages }] of others)
          same(
            messages.some(({ marks }) => marks.some(({ kind }) => kind === 'removed')),
            false,
            `removed in ${name}`,
          )
      },
    },
  ]),
  {
    name: 'leaves the waiting calls of a fork as they are when its source is edited',
    run: async ({ tl }) => {
      const source = tl.conversation('c')
      await source.append([...build().user('a').calls('read')])
      const fork = given(await source.history.fork(2, 'f'))
      given(await source.history.remove(1))
      const result = {
        role: 'tool',
        content: [{ type: 'tool-result', callId: 'call-0', output: 'x' }],
      } as const
      same((await fork.append(result)).entries[0]?.marks, [], 'in the fork')
      same((await source.append(result)).entries[0]?.marks.length, 1, 'in the source')
      const second = given(await fork.history.fork(2, 'g'))
      same((await second.append(result)).entries[0]?.marks, [], 'in a fork of the fork')
    },
  },
  {
    name: 'finds files and keys of what a fork has copied',
    run: async ({ tl }) => {
      const source = tl.conversation('c')
      const data = Uint8Array.from([7, 8])
      const content = [{ type: 'file', mediaType: 'image/png', data }] as const
      await source.append({ role: 'user', content: 'a' })
      await source.append({ role: 'user', content, key: 'k' })
      const fork = given(await source.history.fork(2, 'f'))
      given(await source.history.remove({ from: 0, to: 2 }))
      const [message] = await Array.fromAsync(fork.messages({ from: 1, to: 2 }))
      const [part] = message?.parts ?? []
      const hash = part?.type === 'file' && part.source.kind === 'stored' ? part.source.sha256 : ''
      same(await fork.file(hash), data, 'the file')
      same(await source.file(hash), null, 'the file in the source')
      const retry = await fork.append({ role: 'user', content, key: 'k' })
      same([retry.head, retry.entries[0]?.seq], [2, 1], 'the key')
      same((await fork.info())?.forkedFrom, { conversationId: 'c', at: 0 }, 'what it refers to')
    },
  },
  {
    name: 'purges a message wherever the family has it, or nowhere',
    run: async ({ tl }) => {
      const chats = await family(tl)
      // A copy, and one that has said something else there.
      given(await chats.late.history.edit(0, { role: 'user', content: 'L' }))
      given(await chats.early.history.edit(1, { role: 'assistant', content: 'E' }))
      const [before, inputs] = [await logsOf(chats), await inputsOf(chats)]
      same(
        await chats.fork.history.purgeMessage(1),
        { kind: 'has-forks', forks: ['source', 'late'] },
        'the refusal',
      )
      same(await logsOf(chats), before, 'what was refused')
      const outcome = await chats.fork.history.purgeMessage(1, { forks: 'purge' })
      same(
        outcome,
        { kind: 'purged', conversations: ['source', 'fork', 'late'], erased: true, remains: [] },
        'the outcome',
      )
      const after = await logsOf(chats)
      same([after.early, after.apart], [before.early, before.apart], 'what others said there')
      for (const name of ['source', 'fork', 'late'] as const) {
        const { messages } = after[name]
        same(
          messages.slice(1, 3).map(({ marks }) => marks[0]?.kind),
          ['removed', 'orphan-result'],
          `the marks of ${name}`,
        )
        const fresh = tl.conversation(`fresh ${name}`)
        await fresh.append(inputs[name])
        given(await fresh.history.remove(1))
        same((await logOf(fresh)).chain, after[name].chain, `the chain of ${name}`)
        same((await chats[name].events()).at(-1)?.kind, 'message-purged', `the event of ${name}`)
      }
      same((await tl.purges()).length, 3, 'the lines')
    },
  },
]
