/** What holds whichever call runs first: appends at once, reads of a growing log, and closing. */
import type { Store } from '../../ports/store.ts'
import { createThroughline, type Throughline } from '../../throughline.ts'
import { pluck, refuses, same } from '../contract.ts'
import { asId } from './store-commands.ts'

type Open = () => Store | Promise<Store>

const onNewStore =
  (check: (tl: Throughline, store: Store) => Promise<void>) => async (open: Open) => {
    const store = await open()
    try {
      await check(createThroughline({ store }), store)
    } finally {
      await store.close()
    }
  }

const user = (content: string) => ({ role: 'user', content }) as const

export const concurrentCases = {
  'loses none of many appends made at once': onNewStore(async (tl) => {
    const chat = tl.conversation('c')
    const batches = Array.from({ length: 50 }, (_, at) => [user(`${at}`), user(`and ${at}`)])
    const results = await Promise.all(batches.map((batch) => chat.append(batch)))
    const places = results.flatMap(({ entries }) => pluck(entries, 'seq'))
    same(new Set(places).size, 100, 'places')
    const texts = (await Array.fromAsync(chat.messages())).map(({ parts }) => JSON.stringify(parts))
    same(new Set(texts).size, 100, 'distinct texts')
  }),
  'writes a key once when it is sent many times at once': onNewStore(async (tl) => {
    const chat = tl.conversation('c')
    const sent = Array.from({ length: 20 }, () => chat.append(user('hello'), { key: 'k' }))
    const isNew = (await Promise.all(sent)).filter(({ entries }) => !entries[0]?.repeated)
    same([isNew.length, (await chat.info())?.head], [1, 1], 'writes, and the head')
  }),
  'appends once where two appends expect the same head': onNewStore(async (tl) => {
    const appends = ['x', 'y'].map((text) => tl.conversation('c').append(user(text), { head: 0 }))
    const settled = await Promise.allSettled(appends)
    same(pluck(settled, 'status').toSorted(), ['fulfilled', 'rejected'], 'outcomes')
  }),
  'reads a log that grows meanwhile without a gap': onNewStore(async (tl) => {
    const chat = tl.conversation('c')
    const many = (count: number) => Array.from({ length: count }, (_, at) => user(`${at}`))
    await chat.append(many(490))
    const places: number[] = []
    for await (const message of chat.messages()) {
      if (message.seq % 200 === 0) await chat.append(many(30))
      places.push(message.seq)
    }
    same(places, [...Array(Math.max(490, places.length)).keys()], 'places')
  }),
  'refuses every command after it was closed': onNewStore(async (tl, store) => {
    const id = asId('c')
    await tl.conversation(id).append(user('x'))
    await store.close()
    const tenant = store.tenant('default' as never)
    const append = () => tl.conversation(id).append(user('y'))
    await refuses('STORE_CLOSED', 'append', append)
    await refuses('STORE_CLOSED', 'load', () => tenant.load({ id }))
    await refuses('STORE_CLOSED', 'record', () => tenant.record({ id }))
    await refuses('STORE_CLOSED', 'read', () => tenant.read({ id, before: 1, limit: 1 }))
    const commit = { id, expectedVersion: 0, events: [], at: 9 }
    await refuses('STORE_CLOSED', 'commit', () => tenant.commit(commit))
  }),
}
