/** Appending and reading: dense positions in the order of appending, events, constant answers. */
import { commitChanges } from '../../derived/commit.ts'
import { chainStart } from '../../domain/conversation.ts'
import { isThroughlineError } from '../../errors.ts'
import { build } from '../build.ts'
import { given, holds, pluck, same } from '../contract.ts'
import { messageAt, numbered, resultOf, type StoreCases } from './case.test-support.ts'

export const appendCases: StoreCases = {
  'gives messages dense positions in the order of appending': async ({ chat }) => {
    const first = await chat.append([...build().user('a').says('b')])
    const second = await chat.append({ role: 'user', content: 'c' })
    same([first.head, second.head], [2, 3], 'heads')
    same(second.entries[0]?.seq, 2, 'the third place')
    const messages = await Array.fromAsync(chat.messages())
    same(pluck(messages, 'seq'), [0, 1, 2], 'places')
    same(pluck(messages, 'role'), ['user', 'assistant', 'user'], 'roles')
    same(pluck(messages, 'id'), ['c#0', 'c#1', 'c#2'], 'ids')
  },
  'keeps the order of appending when the clock stops or runs backwards': async (bench) => {
    const { clock, chat } = bench
    for (const [index, time] of [500, 500, 100, 900, 100].entries()) {
      clock.set(time)
      await chat.append({ role: 'user', content: `${index}` })
    }
    const messages = await Array.fromAsync(chat.messages())
    same(messages.map(textOf), ['0', '1', '2', '3', '4'], 'order')
    same(pluck(messages, 'createdAt'), [500, 500, 100, 900, 100], 'times')
  },
  'stores identical text twice as two messages without a key': async ({ chat }) => {
    await chat.append({ role: 'user', content: 'again' })
    await chat.append({ role: 'user', content: 'again' })
    same((await chat.info())?.head, 2, 'head')
  },
  'reads a span, and ignores positions outside the conversation': async ({ tenant, chat }) => {
    await chat.append(numbered(10))
    const texts = async (from: number, to: number) =>
      (await Array.fromAsync(chat.messages({ from, to }))).map(textOf)
    same(await texts(3, 6), ['3', '4', '5'], 'a span inside')
    same(await texts(8, 99), ['8', '9'], 'a span across the end')
    same(await texts(4, 4), [], 'an empty span')
    same(await texts(50, 60), [], 'a span after the end')
    const absent = await tenant.read({ id: 'x' as never, span: { from: 0, to: 1 } })
    same(absent, null, 'a missing conversation')
  },
  'numbers events without a gap, in the commit of their change': async ({ tl, clock }) => {
    clock.set(7)
    const chat = given(await tl.begin('c', { title: 'T' }))
    await chat.append([...build().user('a').says('b')])
    await chat.append({ role: 'user', content: 'c', key: 'k' })
    await chat.append({ role: 'user', content: 'c', key: 'k' })
    await chat.update({ title: 'U' })
    const expected = [
      { kind: 'conversation-created', parent: null, forkedFrom: null, number: 1, at: 7 },
      { kind: 'messages-appended', span: { from: 0, to: 2 }, number: 2, at: 7 },
      { kind: 'messages-appended', span: { from: 2, to: 3 }, number: 3, at: 7 },
      { kind: 'conversation-updated', fields: ['title'], number: 4, at: 7 },
    ]
    same(await chat.events(), expected, 'events')
    same(pluck(await chat.events({ after: 2, limit: 1 }), 'number'), [3], 'a page')
  },
  'moves the version with commits and not with appends, and refuses a stale version': async (
    bench,
  ) => {
    const { chat, tenant } = bench
    await chat.append({ role: 'user', content: 'a' })
    same((await chat.info())?.version, 0, 'version after an append')
    const command = { id: chat.id, expectedVersion: 0, at: 0 }
    const first = await commitChanges(tenant, { ...command, changes: { title: 'one' } })
    same(first.kind, 'committed', 'the first commit')
    const second = await commitChanges(tenant, { ...command, changes: { title: 'two' } })
    same(second, { kind: 'version-moved', version: 1 }, 'the stale commit')
    same((await chat.info())?.title, 'one', 'title')
    const absent = await commitChanges(tenant, { ...command, id: 'x' as never, changes: {} })
    same(absent, { kind: 'not-found' }, 'a commit to nothing')
  },
  'chains hashes so that equal histories have equal chains': async ({ tl }) => {
    const [left, right] = [tl.conversation('l'), tl.conversation('r')]
    same(await left.info(), null, 'a conversation before its first message')
    await left.append([...build().user('a').says('b').user('c')])
    for (const message of build().user('a').says('b').user('d')) await right.append(message)
    const chains = async (chat: typeof left) =>
      (await Array.fromAsync(chat.messages())).map((message) => message.hashes.chain)
    const [ours, theirs] = [await chains(left), await chains(right)]
    same(ours.slice(0, 2), theirs.slice(0, 2), 'chains of the equal part')
    holds(ours[2] !== theirs[2], 'different messages must have different chains')
    holds(!ours.includes(chainStart), 'a message must move the chain')
    same((await left.info())?.chain, ours[2], "the conversation's chain")
  },
  'marks a tool result without a call, and no other': async ({ chat }) => {
    await chat.append([...build().user('go').calls('read')])
    await chat.append(resultOf('call-0'))
    await chat.append(resultOf('call-0'))
    await chat.append([resultOf('never'), ...build().calls('read'), resultOf('call-0')])
    const marks = (await Array.fromAsync(chat.messages())).map((message) => message.marks.length)
    same(marks, [0, 0, 0, 1, 1, 0, 0], 'marks')
    const orphan = await messageAt(chat, 4)
    same(orphan?.marks, [{ kind: 'orphan-result', callId: 'never' }], 'the mark')
  },
  'appends only at the expected head, and answers a retry in any case': async (bench) => {
    const { chat } = bench
    const hello = { role: 'user', content: 'a' } as const
    await chat.append(hello, { key: 'one', head: 0 })
    same((await chat.append(hello, { key: 'one', head: 0 })).entries[0]?.repeated, true, 'a retry')
    const late = await code(() => chat.append({ role: 'user', content: 'b' }, { head: 0 }))
    same(late, 'LOG_MOVED', 'an append at an old head')
    same((await chat.info())?.head, 1, 'the head')
    same((await chat.append({ role: 'user', content: 'c' }, { head: 1 })).head, 2, 'in time')
    const ahead = await code(() => chat.append({ role: 'user', content: 'd' }, { head: 9 }))
    same(ahead, 'LOG_MOVED', 'an append at a future head')
    const codes = await Promise.all(
      ['x', 'y'].map((content) => code(() => chat.append({ role: 'user', content }, { head: 2 }))),
    )
    same(codes.filter((each) => each === null).length, 1, 'appends that succeed, of two')
  },
  'loses none of many appends made at once': async ({ chat }) => {
    const batches = numbered(50).map(({ content }) => build().user(content).says('ok').messages)
    const results = await Promise.all(batches.map((batch) => chat.append(batch)))
    const places = results.flatMap((result) => result.entries.map((entry) => entry.seq))
    same([places.length, new Set(places).size, Math.max(...places)], [100, 100, 99], 'places')
    const messages = await Array.fromAsync(chat.messages())
    const asked = messages.filter(({ role }) => role === 'user')
    same(new Set(asked.map(textOf)).size, 50, 'distinct texts')
  },
  'reads a log that grows meanwhile without a gap': async ({ chat }) => {
    await chat.append(numbered(490))
    const places: number[] = []
    for await (const message of chat.messages()) {
      if (message.seq % 200 === 0) await chat.append(numbered(30))
      places.push(message.seq)
    }
    holds(places.length >= 490, 'existing messages must be read')
    same(places, [...places.keys()], 'places')
  },
  'returns no object that could change its state': async ({ tl, chat }) => {
    await tl.begin('c', { meta: { a: [1] } })
    const orphan = { ...resultOf('never'), meta: { b: [2] }, key: 'k' }
    const result = await chat.append(orphan)
    const state = async () => [
      await Array.fromAsync(chat.messages()),
      await chat.info(),
      await chat.events(),
      await chat.original(0),
      await chat.append(orphan),
    ]
    const before = structuredClone(await state())
    for (const value of [result, ...(await state())]) spoil(value)
    same(await state(), before, 'the state')
  },
}

function spoil(value: unknown): void {
  if (value instanceof Uint8Array) value.fill(0)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  for (const inner of Object.values(value)) spoil(inner)
  if (Array.isArray(value)) value.push('spoilt')
  else Object.assign(value, { spoilt: true })
}

function textOf(message: { readonly parts: readonly { readonly type: string }[] }): string {
  return message.parts.map((part) => ('text' in part ? String(part.text) : '')).join('')
}

async function code(action: () => Promise<unknown>): Promise<string | null> {
  try {
    await action()
    return null
  } catch (error) {
    return isThroughlineError(error) ? error.code : String(error)
  }
}
