/** Reads return what was appended: in spans and backwards, once for each key, byte for byte. */
import type { TenantStore } from '../../ports/store.ts'
import { sha256 } from '../../system.ts'
import { build } from '../build.ts'
import { given, holds, pluck, refuses, same } from '../contract.ts'
import { everyPart, everyResult, storedParts } from '../store-contract/exact-data.ts'
import { type Bench, id, messageAt, numbered, type StoreCases } from './case.test-support.ts'

/** Ten messages of a fork: five of its source and five of its own. */
async function tenMessages({ tl, tenant }: Bench): Promise<TenantStore> {
  const source = tl.conversation('source')
  await source.append(numbered(7))
  const fork = given(await source.history.fork(5, 'c'))
  await fork.append(numbered(5, 5))
  return tenant
}

const keyed = (content: string, key = 'k') => ({ role: 'user' as const, content, key })

const hostileText = 'NUL \u0000, half pairs \ud83d and \udc00, \u{1f600}, \u2028, "\\", \r\n, é, ﷽'

export const messageCases: StoreCases = {
  'reads a span without excluded positions': async (bench) => {
    const tenant = await tenMessages(bench)
    const places = async (from: number, to: number, except?: readonly number[]) =>
      (await tenant.read({ id, span: { from, to }, ...(except && { except }) }))?.map(
        ({ seq, parts: [part] }) => (part?.type === 'text' && part.text === `${seq}` ? seq : part),
      )
    same(await places(0, 10, []), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'nothing left out')
    same(await places(0, 10, [0, 4, 5, 9]), [1, 2, 3, 6, 7, 8], 'borders left out')
    same(await places(3, 7, [0, 1, 4, 8, 99]), [3, 5, 6], 'positions outside the span')
    same(await places(6, 8, [6, 7]), [], 'everything left out')
    same(await places(8, 99, [8, 12]), [9], 'a span across the end')
    same(await places(4, 4, [4]), [], 'an empty span')
    const absent = { id: 'x' as never, span: { from: 0, to: 1 }, except: [0] }
    same(await tenant.read(absent), null, 'a missing conversation')
  },
  'reads backwards from a position, in the order of the log': async (bench) => {
    const tenant = await tenMessages(bench)
    const places = async (before: number, limit: number) =>
      (await tenant.read({ id, before, limit }))?.map(({ seq }) => seq)
    same(await places(8, 2), [6, 7], 'two')
    same(await places(7, 4), [3, 4, 5, 6], 'across the point of a fork')
    same(await places(3, 99), [0, 1, 2], 'more than there are')
    same(await places(Number.MAX_SAFE_INTEGER, 2), [8, 9], 'from the end')
    same(await places(0, 5), [], 'before the first')
    same(await places(5, 0), [], 'none')
    const absent = await tenant.read({ id: 'x' as never, before: 5, limit: 5 })
    same(absent, null, 'a missing conversation')
  },
  'answers a repeated key with its first position': async ({ chat }) => {
    const first = await chat.append(keyed('hello'))
    await chat.append({ role: 'assistant', content: 'hi' })
    const again = await chat.append(keyed('hello'))
    same(again.entries, [{ ...first.entries[0], repeated: true }], 'the repeated answer')
    same(again.head, 2, 'head')
  },
  'refuses a key with other content and writes nothing of its batch': async ({ tl, chat }) => {
    await chat.append(keyed('hello'))
    await refuses('KEY_CONFLICT', 'other content', () => chat.append(keyed('goodbye')))
    await refuses('KEY_CONFLICT', 'a batch with a conflict at its end', () =>
      chat.append([keyed('new', 'n'), keyed('goodbye')]),
    )
    const fresh = tl.conversation('fresh')
    await refuses('KEY_CONFLICT', 'a conflict inside the first batch', () =>
      fresh.append([keyed('one'), keyed('two')]),
    )
    same((await chat.info())?.head, 1, 'head')
    same(await fresh.info(), null, 'the conversation that was not created')
  },
  'appends only new messages when a longer history is sent with its keys': async ({ chat }) => {
    await chat.append([keyed('a', '1'), keyed('b', '2')])
    const result = await chat.append([keyed('a', '1'), keyed('b', '2'), keyed('c', '3')])
    same(pluck(result.entries, 'repeated'), [true, true, false], 'repeated')
    same(pluck(result.entries, 'seq'), [0, 1, 2], 'places')
  },
  'accepts one key for a whole batch': async ({ chat }) => {
    const batch = [...build().user('a').says('b')]
    await chat.append(batch, { key: 'turn-1' })
    const again = await chat.append(batch, { key: 'turn-1' })
    same(pluck(again.entries, 'repeated'), [true, true], 'repeated')
    await refuses('KEY_CONFLICT', 'a longer batch', () =>
      chat.append([...build().user('a').says('b').user('c')], { key: 'turn-1' }),
    )
    await refuses('KEY_CONFLICT', 'a shorter batch', () =>
      chat.append([...build().user('a')], { key: 'turn-1' }),
    )
    same((await chat.info())?.head, 2, 'head')
  },
  'keeps keys apart between conversations and between tenants': async ({ tl }) => {
    await tl.conversation('c').append(keyed('one'))
    await tl.conversation('d').append(keyed('two'))
    await tl.tenant('other').conversation('c').append(keyed('three'))
    same((await tl.conversation('c').info())?.head, 1, 'head')
  },
  'writes a key once when it is sent many times at once': async ({ chat }) => {
    const results = await Promise.all(Array.from({ length: 20 }, () => chat.append(keyed('hello'))))
    same(results.filter((result) => !result.entries[0]?.repeated).length, 1, 'writes')
    same((await chat.info())?.head, 1, 'head')
  },
  'refuses a key whose original is the same and whose parts are not': async ({ chat }) => {
    await chat.append({ role: 'user', content: 'pay 1', raw: '{}', key: 'k' })
    const other = { role: 'user', content: 'pay 1000', raw: '{}', key: 'k' } as const
    await refuses('KEY_CONFLICT', 'other parts', () => chat.append(other))
    same((await chat.info())?.head, 1, 'head')
  },
  'treats a key for one message and for a batch of one as the same': async ({ chat }) => {
    await chat.append({ role: 'user', content: 'x', key: 'k' })
    const again = await chat.append({ role: 'user', content: 'x' }, { key: 'k' })
    same(again.entries[0]?.repeated, true, 'repeated')
  },
  'shows the key of the client, and reserves no other key': async ({ chat }) => {
    await chat.append([...build().user('a').says('b')], { key: 'k' })
    for (const key of ['k +1', 'k1', 'k/1']) await chat.append(keyed('own', key))
    const keys = (await Array.fromAsync(chat.messages())).map((message) => message.key)
    same(keys, ['k', 'k', 'k +1', 'k1', 'k/1'], 'keys')
  },
  'returns hostile text unchanged': async ({ chat }) => {
    await chat.append({ role: 'user', content: hostileText, meta: { note: hostileText } })
    const [message] = await Array.fromAsync(chat.messages())
    const [part] = message?.parts ?? []
    holds(part?.type === 'text' && part.text === hostileText, 'the text must be the same')
    same(message?.meta, { note: hostileText }, 'meta')
  },
  'keeps the origins that callers state, outside of all hashes': async ({ chat }) => {
    const text = (content: string, origin?: 'person' | 'application') =>
      ({ type: 'text', text: content, origin }) as const
    const parts = [text('Fix it'), text('A reminder', 'application'), text('Now', 'person')]
    await chat.append({ role: 'user', content: parts, origin: 'agent' })
    await chat.append({ role: 'user', content: parts.map(({ text: words }) => text(words)) })
    const [stated, plain] = await Array.fromAsync(chat.messages())
    const originsIn = (message: typeof stated) => [
      message?.origin,
      ...(message?.parts ?? []).map((part) => part.type === 'text' && part.origin),
    ]
    same(originsIn(stated), ['agent', undefined, 'application', 'person'], 'stated')
    same(originsIn(plain), [null, undefined, undefined, undefined], 'not stated')
    same(stated?.hashes.content, plain?.hashes.content, 'content')
    same(stated?.hashes.canonical, plain?.hashes.canonical, 'canonical')
    const fork = given(await chat.history.fork(1, 'f'))
    const [shared] = await Array.fromAsync(fork.messages())
    same(originsIn(shared), originsIn(stated), 'of a fork')
    await chat.history.edit(0, { role: 'user', content: [text('Fix that', 'person')] })
    const [edited] = await Array.fromAsync(chat.messages())
    same(originsIn(edited), ['agent', 'person'], 'after an edit')
  },
  'keeps originals byte for byte, with their hash': async ({ chat }) => {
    const json = '{"b":1,"a":12345678901234567890,"10":2,"9":3, "x":1.0,"x":2}'
    const texts = [json, '{"s":"\\ud83d\\u0000"}'].map((text) => new TextEncoder().encode(text))
    const originals = [...texts, Uint8Array.from([0, 255, 254, 128])]
    for (const raw of originals) await chat.append({ role: 'user', content: 'parsed', raw })
    for (const [seq, raw] of originals.entries()) {
      same(await chat.original(seq), raw, `original ${seq}`)
      same((await messageAt(chat, seq))?.hashes.content, sha256(raw), `hash ${seq}`)
    }
    same(await chat.original(99), null, 'a missing original')
  },
  'uses its own form as the original where none is given': async ({ chat }) => {
    await chat.append({ role: 'user', content: hostileText })
    const original = await chat.original(0)
    const message = await messageAt(chat, 0)
    holds(original !== null, 'there must be an original')
    same(sha256(original), message?.hashes.content, 'its hash')
  },
  'keeps every kind of part': async ({ chat }) => {
    await chat.append([everyPart, { role: 'tool', content: everyResult }])
    const [parts, results] = pluck(await Array.fromAsync(chat.messages()), 'parts')
    same(parts, storedParts, 'parts')
    const outputs = results?.map((part) => part.type === 'tool-result' && part.output.kind)
    same(outputs, ['text', 'json', 'parts'], 'outputs')
  },
  'keeps arguments of calls as the text that arrived': async ({ chat }) => {
    const inputs = ['{"b": 1, "a": 12345678901234567890}', 'not JSON at all', '']
    for (const input of inputs) {
      const call = { type: 'tool-call', callId: `call ${input}`, name: 't', input } as const
      await chat.append({ role: 'assistant', content: [call] })
    }
    const messages = await Array.fromAsync(chat.messages())
    const kept = messages.map(({ parts: [part] }) => part?.type === 'tool-call' && part.input)
    same(kept, inputs, 'arguments')
  },
  'stores the bytes of a file once, under their hash': async ({ chat }) => {
    const data = Uint8Array.from([137, 80, 78, 71, 0, 255])
    const file = { type: 'file', mediaType: 'image/png', data } as const
    await chat.append([
      { role: 'user', content: [file, file] },
      { role: 'user', content: [file] },
    ])
    same(await chat.file(sha256(data)), data, 'bytes')
    same(await chat.file(sha256('other')), null, 'missing bytes')
  },
}
