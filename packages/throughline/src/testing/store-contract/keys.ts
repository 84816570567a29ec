/** Keys: sent again, a message changes nothing; used for something else, it is refused. */
import { build } from '../build.ts'
import { pluck, refuses, same } from '../contract.ts'
import type { StoreCases } from './case.ts'

const keyed = (content: string, key = 'k') => ({ role: 'user' as const, content, key })

export const keyCases: StoreCases = {
  'answers a repeated key with the place it got the first time': async ({ chat }) => {
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
    same(await fresh.info(), null, 'the conversation that was not begun')
  },
  'adds only what is new when a longer history is sent with its keys': async ({ chat }) => {
    await chat.append([keyed('a', '1'), keyed('b', '2')])
    const result = await chat.append([keyed('a', '1'), keyed('b', '2'), keyed('c', '3')])
    same(pluck(result.entries, 'repeated'), [true, true, false], 'repeated')
    same(pluck(result.entries, 'seq'), [0, 1, 2], 'places')
  },
  'lets one key stand for a whole batch': async ({ chat }) => {
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
  'takes a key for one message and for a batch of one as the same': async ({ chat }) => {
    await chat.append({ role: 'user', content: 'x', key: 'k' })
    const again = await chat.append({ role: 'user', content: 'x' }, { key: 'k' })
    same(again.entries[0]?.repeated, true, 'repeated')
  },
  'shows the key that the client gave, and keeps no other for itself': async ({ chat }) => {
    await chat.append([...build().user('a').says('b')], { key: 'k' })
    for (const key of ['k +1', 'k1', 'k/1']) await chat.append(keyed('own', key))
    const keys = (await Array.fromAsync(chat.messages())).map((message) => message.key)
    same(keys, ['k', 'k', 'k +1', 'k1', 'k/1'], 'keys')
  },
}
