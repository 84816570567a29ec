/** The log after edits, removals and purges of messages. */
import type { Throughline } from '../../throughline.ts'
import { build } from '../build.ts'
import { given, holds, same } from '../contract.ts'
import {
  alreadyPurged,
  fileHash,
  messageAt,
  purged,
  resultOf,
  type StoreCases,
} from './case.test-support.ts'

type Chat = ReturnType<Throughline['conversation']>

const picture = (byte: number) =>
  ({ type: 'file', mediaType: 'image/png', data: Uint8Array.from([byte, 2, 3]) }) as const

/** A log without times and ids. */
export async function logOf(chat: Chat) {
  const messages = await Array.fromAsync(chat.messages())
  return {
    chain: (await chat.info())?.chain,
    messages: messages.map(({ role, parts, hashes, marks }) => ({ role, parts, hashes, marks })),
  }
}

export const rewriteCases: StoreCases = {
  'edits a message, with chain hashes as if it had been appended that way': async (bench) => {
    const { tl, clock, chat } = bench
    const fresh = tl.conversation('fresh')
    const script = [...build().user('a').says('b').user('c').says('d')]
    await chat.append(script, { key: 'k' })
    await fresh.append([...build().user('a').says('other').user('c').says('d')])
    clock.set(50)
    const before = await chat.info()
    const raw = '{"as":"it came"}'
    const old = await messageAt(chat, 1)
    const edited = given(await chat.history.edit(1, { role: 'assistant', content: 'other', raw }))
    const message = await messageAt(chat, 1)
    same(message?.createdAt, old?.createdAt, 'its time')
    same(await chat.original(1), new TextEncoder().encode(raw), 'its original')
    same((await chat.info())?.chain, (await fresh.info())?.chain, 'the chain')
    const figures = [edited.version, edited.rewrites, edited.head]
    same(figures, [(before?.version ?? 0) + 1, 1, 4], 'version, rewrites and head')
    const { at: _, ...event } = (await chat.events()).at(-1) ?? { at: 0 }
    same(event, { kind: 'message-edited', seq: 1, number: 3 }, 'the event')
    const retry = await chat.append(script, { key: 'k' })
    same([retry.head, retry.entries.every(({ repeated }) => repeated)], [4, true], 'a retry')
  },
  'removes messages, and keeps their positions without content': async ({ chat }) => {
    await chat.append([...build().user('a').says('b').user('c').says('d')])
    await chat.append({ role: 'user', content: 'e', key: 'e', author: 'Ada', meta: { a: 1 } })
    given(await chat.pin(1))
    given(await chat.pin(3))
    const removed = given(await chat.history.remove({ from: 1, to: 3 }))
    same(removed.pins, [3], 'the pins that are left')
    given(await chat.history.remove('#4-#99'))
    const messages = await Array.fromAsync(chat.messages())
    const log = messages.map(({ role, parts, marks }) => `${role} ${parts.length} ${marks.length}`)
    same(log, ['user 1 0', 'assistant 0 1', 'user 0 1', 'assistant 1 0', 'user 0 1'], 'the log')
    same(messages[1]?.marks, [{ kind: 'removed' }], 'the mark')
    const [last] = messages.slice(-1)
    same([last?.author, last?.meta, last?.key], [null, null, 'e'], 'its other fields')
    const events = (await chat.events()).slice(-2).map(({ number: _, at: __, ...body }) => body)
    const event = (from: number, to: number) => ({ kind: 'messages-removed', span: { from, to } })
    same(events, [event(1, 3), event(4, 5)], 'the events')
    const again = given(await chat.history.remove({ from: 1, to: 3 }))
    same(again.version, (await chat.info())?.version, 'removed once more')
    same(again.rewrites, 2, 'a removed message is not removed again')
    await chat.append({ role: 'assistant', content: 'f' })
    same((await chat.info())?.head, 6, 'the next position')
  },
  'returns a failure where there is nothing to rewrite': async ({ chat }) => {
    const message = { role: 'user', content: 'x' } as const
    same((await chat.history.remove(0)).ok, false, 'no conversation')
    await chat.append([...build().user('a').says('b')])
    const failure = async (edit: ReturnType<typeof chat.history.edit>) => {
      const outcome = await edit
      return outcome.ok ? 'edited' : outcome.failure
    }
    same(await failure(chat.history.edit(2, message)), { kind: 'not-found' }, 'no message')
    const other = { kind: 'other-role', role: 'assistant' }
    same(await failure(chat.history.edit(1, message)), other, 'another role')
    given(await chat.history.remove(0))
    same(await failure(chat.history.edit(0, message)), { kind: 'removed' }, 'a removed message')
    same((await chat.history.remove(7)).ok, false, 'a removal after the end')
    same(await chat.history.purgeMessage(7), { kind: 'not-found' }, 'a purge after the end')
    same((await chat.info())?.rewrites, 1, 'rewrites')
  },
  'pairs calls and results again after a change': async ({ tl, chat }) => {
    const script = build().calls('read').calls('list').result('one').result('two').says('done')
    await chat.append([...script])
    const call = (callId: string) =>
      ({ type: 'tool-call', callId, name: 'read', input: {} }) as const
    given(await chat.history.edit(0, { role: 'assistant', content: [call('call-9')] }))
    const fresh = tl.conversation('fresh')
    const [, ...rest] = script
    await fresh.append([{ role: 'assistant', content: [call('call-9')] }, ...rest])
    same(await logOf(chat), await logOf(fresh), 'the log')
    const answer = await chat.append(resultOf('call-9'))
    same(answer.entries[0]?.marks, [], 'the call that waits now')
    given(await chat.history.remove(1))
    const marks = (await Array.fromAsync(chat.messages())).map((message) =>
      message.marks.map(({ kind }) => kind).join(),
    )
    same(marks, ['', 'removed', 'orphan-result', 'orphan-result', '', ''], 'the marks')
  },
  'keeps the bytes of a file as long as a message has it': async ({ chat }) => {
    for (const byte of [1, 2, 1]) await chat.append({ role: 'user', content: [picture(byte)] })
    const [first, second] = [await fileHash(chat, 0), await fileHash(chat, 1)]
    given(await chat.history.edit(0, { role: 'user', content: [picture(3)] }))
    const third = await fileHash(chat, 0)
    holds((await chat.file(first)) !== null, 'a file that another message has is gone')
    holds((await chat.file(third)) !== null, 'the file of the edited message is missing')
    given(await chat.history.remove(1))
    same(await chat.file(second), null, 'a file that no message has')
    const fork = given(await chat.history.fork(2, 'f'))
    same(await fork.file(first), null, 'a file after the point of the fork')
    given(await chat.history.remove(2))
    same(await chat.file(first), null, 'the file of the last that had it')
  },
  'purges a message with its key, and leaves a line without its content': async (bench) => {
    const { tl, clock, chat } = bench
    await chat.append([...build().user('a').says('b')])
    await chat.append({ role: 'user', content: 'secret', key: 'k', raw: 'secret too' })
    clock.set(5)
    same(await chat.history.purgeMessage('#2'), purged('c'), 'the outcome')
    same(await chat.history.purgeMessage('#2'), alreadyPurged, 'the same again')
    const message = await messageAt(chat, 2)
    same([message?.parts, message?.key], [[], null], 'what is left')
    const body = new TextDecoder().decode((await chat.original(2)) ?? undefined)
    same(body, '{"role":"user","parts":[]}', 'the original')
    await tl.conversation('d').append({ role: 'user', content: 'x' })
    await tl.conversation('d').history.purge()
    const lines = await tl.purges()
    const written = lines.map(({ at: _, subject: __, ...line }) => line)
    const ofConversation = { number: 2, what: 'conversation', seq: null, messages: 1 }
    const ofMessage = { number: 1, what: 'message', seq: 2, messages: 1 }
    same(written, [ofConversation, ofMessage], 'the lines')
    same(await tl.purges({ conversation: 'c' }), lines.slice(1), 'those of one conversation')
    same(await tl.purges({ limit: 1 }), lines.slice(0, 1), 'the newest')
    same(await tl.purges({ conversation: 'e' }), [], 'those of another')
    same(await tl.tenant('other').purges(), [], "another tenant's")
    const areHashes = lines.every(({ subject }) => /^[0-9a-f]{64}$/.test(subject))
    holds(areHashes, 'a line names a conversation')
    const again = await chat.append({ role: 'user', content: 'secret', key: 'k' })
    same([again.head, again.entries[0]?.repeated], [4, false], 'the key')
  },
}
