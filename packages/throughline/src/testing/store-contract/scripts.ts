/** Commands that random ones seldom make: any text, limits, tenants, pages, purges of related ones. */
import { derivedKinds, kindNames } from '../../domain/derived-kinds.ts'
import type { MessageInput } from '../../domain/message.ts'
import { build } from '../build.ts'
import type { Script } from './compare.ts'
import { everyPart, everyResult } from './exact-data.ts'
import { index, lookAround, lookAt, search } from './look.ts'
import { hardText, row, sampleRows } from './sample-rows.ts'
import { asId } from './store-commands.ts'
import { names, placesOfParts, terms } from './terms-data.ts'

const ids = ['c', 'd', 'e', 'f', 'g']

const users = (count: number): readonly MessageInput[] =>
  Array.from({ length: count }, (_, at) => ({ role: 'user', content: `${at}` }))

export const scripts: Readonly<Record<string, Script>> = {
  'keeps every kind of part, any text and any bytes': async (commands) => {
    const append = (message: MessageInput) => commands.append('c', [message])
    const meta = { note: hardText }
    await append(everyPart)
    await append({ role: 'tool', content: everyResult, meta, author: 'Ada' })
    await append({ role: 'user', content: `${hardText} \u{1f600} ﷽ \r\n`, meta })
    const json = '{"b":1,"a":12345678901234567890,"10":2,"9":3, "x":1.0,"x":2}'
    for (const raw of [json, hardText.toWellFormed(), Uint8Array.from([0, 255, 254, 128])])
      await append({ role: 'user', content: 'parsed', raw })
    for (const input of ['{"b": 1, "a": 12345678901234567890}', 'not JSON at all', ''])
      await append({ role: 'assistant', content: [{ ...call(`call ${input}`), input }] })
    const body = JSON.stringify(`${hardText}\u{1f600}\\ \r\n`.repeat(5_000))
    const view = row({ kind: 'view', key: hardText.toWellFormed(), body })
    await commands.commit('c', { put: [row({ body }), view] })
    await lookAround(commands.tenant, ids)
  },
  'keeps the same rows of each kind when there are many': async (commands) => {
    const { tenant } = commands
    await commands.append('c', users(4))
    for (const kind of kindNames) {
      const { kept, positions } = derivedKinds[kind]
      if (kept === null) continue
      const rowAt = (position: number) =>
        row({ ...sampleRows[kind][0], kind, position, key: `${position}` })
      const numbers = Array.from({ length: kept + 3 }, (_, at) => at + 1)
      const newest = [{ kind, order: 'last', limit: 1, bare: true }] as const
      if (positions === 'running') {
        for (const at of numbers)
          await tenant.record({ id: asId('c'), put: [{ ...rowAt(at), position: 'next' }] })
        await lookAt(tenant, 'c', newest)
        continue
      }
      for (const put of [numbers.map(rowAt), [rowAt(4), rowAt(kept + 4)], [rowAt(1)]]) {
        await commands.commit('c', { put })
        await lookAt(tenant, 'c', newest)
      }
    }
  },
  'finds any term, and any part of a name': async (commands) => {
    const { tenant } = commands
    const all = [...terms.map((term) => [[term], []]), ...names.map((name) => [[], [name]])]
    const pieces = all.map(([ofTerms = [], ofNames = []], seq) => {
      return { seq, part: 0, terms: ofTerms, names: ofNames, length: 1 }
    })
    const seq = pieces.length
    const last = { seq, part: 4_095, terms, names: ['first', 'second'], length: 300 }
    await commands.append('c', users(seq + 2))
    await index(tenant, 'c', { to: seq + 2, pieces: [...pieces, last] })
    const partsOfNames = Object.keys(placesOfParts)
    for (const before of [seq, seq + 9])
      await search(tenant, 'c', { terms: [...terms, '東京都に', 'xy', '*'], partsOfNames, before })
    await search(tenant, 'c', { terms: ['a', 'a', 'x'], partsOfNames: ['fir'], most: 1 })
  },
  'shows a tenant nothing of another': async (commands) => {
    const [ours, theirs] = [commands.of('a'), commands.of('ab')]
    const message = { role: 'user', content: 'secret', key: 'k' } as const
    await ours.append('c', [message])
    const piece = { seq: 0, part: 0, terms: ['a'], names: ['secret'], length: 1 }
    await index(ours.tenant, 'c', { to: 1, pieces: [piece] })
    const look = async () => {
      for (const { tenant } of [ours, theirs]) {
        await lookAround(tenant, ids)
        await search(tenant, 'c', { terms: ['a'], partsOfNames: ['secret'] })
      }
    }
    await look()
    await theirs.purge('c', 'purge')
    await theirs.fork('c', 1, 'd')
    await theirs.append('c', [{ ...message, content: 'other' }])
    await look()
    await ours.purge('c', 'purge')
    await look()
  },
  'lists conversations page by page': async (commands) => {
    const { tenant } = commands
    for (const [at, id] of ['b', 'a', 'c', 'B', '\ufffd', '\u{1f600}'].entries())
      await commands.append(id, [{ role: 'user', content: id, createdAt: (at * 7) % 4 }])
    await commands.fork('b', 1, 'd')
    for (const after of [null, asId('a'), asId('\ufffd')])
      for (const limit of [1, 2, 99]) await tenant.list({ by: 'id', after, limit, parent: null })
    for (const limit of [null, 0, 1, 3]) await tenant.list({ by: 'latest', limit })
  },
  'purges related conversations, and begins again at 0': async (commands) => {
    const { tenant } = commands
    const childOf = (parent: string) => ({
      parent: { conversationId: asId(parent), callId: 'call-0' },
    })
    await commands.append('c', [...build().user('go').calls('task')], { key: 'k' })
    await commands.create('d', childOf('c'))
    await commands.create('e', childOf('d'))
    await commands.fork('e', 0, 'f')
    await commands.create('g', childOf('h'))
    await commands.create('h', childOf('g'))
    await lookAround(tenant, ids)
    for (const forks of ['refuse', 'purge'] as const)
      for (const id of ['c', 'g', 'c']) {
        await commands.purge(id, forks)
        await lookAround(tenant, ids)
      }
    await commands.append('c', [{ role: 'user', content: 'new' }], { key: 'k' })
    await lookAround(tenant, ids)
    await tenant.events({ id: null, purged: asId('d'), limit: 1 })
  },
  'keeps no row of a purged conversation, when it begins again': async (commands) => {
    const begin = async () => {
      await commands.append('c', users(8))
      await lookAt(commands.tenant, 'c')
    }
    await begin()
    await commands.commit('c', { put: Object.values(sampleRows).flat() })
    await lookAt(commands.tenant, 'c')
    await commands.purge('c', 'purge')
    await begin()
  },
  'pairs calls with results again after changes of shared messages': async (commands) => {
    const { tenant } = commands
    const script = build().user('a').calls('read').calls('list').result('one').result('two')
    await commands.append('c', [...script.user('d').calls('wait')])
    await commands.fork('c', 7, 'd')
    await commands.fork('d', 4, 'e')
    await lookAround(tenant, ids)
    await commands.edit('d', 1, { role: 'assistant', content: [call('call-9')] })
    await lookAround(tenant, ids)
    const results = ['call-0', 'call-1', 'call-2', 'call-9'].map((callId) => {
      return { role: 'tool', content: [{ type: 'tool-result', callId, output: 'x' }] } as const
    })
    for (const id of ['c', 'd', 'e']) await commands.append(id, results)
    await lookAround(tenant, ids)
    await commands.remove('c', 1, 3)
    await lookAround(tenant, ids)
    for (const forks of ['refuse', 'purge'] as const) {
      await commands.purgeMessage('d', 0, forks)
      await lookAround(tenant, ids)
    }
  },
  'gives forks the rows of their source, and keeps them when it changes': async (commands) => {
    const { tenant } = commands
    await commands.append('c', users(8))
    await commands.commit('c', { put: Object.values(sampleRows).flat() })
    await commands.fork('c', 7, 'd')
    await commands.fork('d', 3, 'e')
    await lookAround(tenant, ids)
    for (const [id, seq] of [
      ['c', 5],
      ['d', 1],
      ['c', 0],
    ] as const) {
      await commands.edit(id, seq, { role: 'user', content: 'other' })
      await lookAround(tenant, ids)
    }
    // Turn 2, with its key.
    await commands.purgeMessage('c', 2, 'purge')
    await lookAround(tenant, ids)
  },
  'makes a title again when its message changes': async (commands) => {
    await commands.append('c', [...build().user('first').says('b').user('second').user('third')])
    await commands.commit('c', { fields: { title: 'first', titleFrom: 0 } })
    await commands.fork('c', 3, 'd')
    await commands.commit('d', { fields: { title: 'second', titleFrom: 2 } })
    await commands.edit('c', 0, { role: 'user', content: 'first again' })
    await lookAround(commands.tenant, ids)
    for (const seq of [0, 2, 3]) {
      await commands.remove('c', seq, seq + 1)
      await lookAround(commands.tenant, ids)
    }
    await commands.purgeMessage('d', 2, 'purge')
    await lookAround(commands.tenant, ids)
  },
}

const call = (callId: string) => ({ type: 'tool-call', callId, name: 'read', input: {} }) as const
