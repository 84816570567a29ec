/** Commands that random ones seldom make: any text, limits, tenants, pages, purges of related ones. */
import { derivedKinds, kindNames } from '../../domain/derived-kinds.ts'
import type { MessageInput } from '../../domain/message.ts'
import { build } from '../build.ts'
import { asId, type Bench, type Script } from './compare.ts'
import { everyPart, everyResult } from './exact-data.ts'
import { index, lookAround, lookAt, search } from './look.ts'
import { hardText, row, sampleRows } from './sample-rows.ts'
import { names, placesOfParts, terms } from './terms-data.ts'

const ids = ['c', 'd', 'e', 'f', 'g']

const users = (count: number): readonly MessageInput[] =>
  Array.from({ length: count }, (_, at) => ({ role: 'user', content: `${at}` }))

const commit = async ({ tenant }: Bench, put: readonly ReturnType<typeof row>[], of = 'c') => {
  const id = asId(of)
  const expectedVersion = (await tenant.load({ id }))?.conversation.version ?? 0
  const events = [{ kind: 'conversation-updated', fields: [] }] as const
  await tenant.commit({ id, expectedVersion, put, events, at: 9 })
}

export const scripts: Readonly<Record<string, Script>> = {
  'keeps every kind of part, any text and any bytes': async (bench) => {
    const chat = bench.tl.conversation('c')
    const meta = { note: hardText }
    await chat.append([everyPart, { role: 'tool', content: everyResult, meta, author: 'Ada' }])
    await chat.append({ role: 'user', content: `${hardText} \u{1f600} ﷽ \r\n`, meta })
    const json = '{"b":1,"a":12345678901234567890,"10":2,"9":3, "x":1.0,"x":2}'
    for (const raw of [json, hardText.toWellFormed(), Uint8Array.from([0, 255, 254, 128])])
      await chat.append({ role: 'user', content: 'parsed', raw })
    for (const input of ['{"b": 1, "a": 12345678901234567890}', 'not JSON at all', ''])
      await chat.append({
        role: 'assistant',
        content: [{ type: 'tool-call', callId: `call ${input}`, name: 't', input }],
      })
    const body = JSON.stringify(`${hardText}\u{1f600}\\ \r\n`.repeat(5_000))
    await commit(bench, [row({ body }), row({ kind: 'view', key: hardText.toWellFormed(), body })])
    await lookAround(bench, ids)
  },
  'keeps the same rows of each kind when there are many': async (bench) => {
    await bench.tl.conversation('c').append(users(4))
    for (const kind of kindNames) {
      const { kept, positions } = derivedKinds[kind]
      if (kept === null) continue
      const rowAt = (position: number) =>
        row({ ...sampleRows[kind][0], kind, position, key: `${position}` })
      const numbers = Array.from({ length: kept + 3 }, (_, at) => at + 1)
      const newest = [{ kind, order: 'last', limit: 1, bare: true }] as const
      if (positions === 'running') {
        for (const at of numbers)
          await bench.tenant.record({ id: asId('c'), put: [{ ...rowAt(at), position: 'next' }] })
        await lookAt(bench.tenant, 'c', newest)
        continue
      }
      for (const rows of [numbers.map(rowAt), [rowAt(4), rowAt(kept + 4)], [rowAt(1)]]) {
        await commit(bench, rows)
        await lookAt(bench.tenant, 'c', newest)
      }
    }
  },
  'finds any term, and any part of a name': async (bench) => {
    const { tl, tenant } = bench
    const chat = tl.conversation('c')
    const all = [...terms.map((term) => [[term], []]), ...names.map((name) => [[], [name]])]
    const pieces = all.map(([ofTerms = [], ofNames = []], seq) => {
      return { seq, part: 0, terms: ofTerms, names: ofNames, length: 1 }
    })
    const seq = pieces.length
    const last = { seq, part: 4_095, terms, names: ['first', 'second'], length: 300 }
    await chat.append(users(seq + 2))
    await index(tenant, 'c', { to: seq + 2, pieces: [...pieces, last] })
    const partsOfNames = Object.keys(placesOfParts)
    for (const before of [seq, seq + 9])
      await search(tenant, 'c', { terms: [...terms, '東京都に', 'xy', '*'], partsOfNames, before })
    await search(tenant, 'c', { terms: ['a', 'a', 'x'], partsOfNames: ['fir'], most: 1 })
  },
  'shows a tenant nothing of another': async ({ tl, store }) => {
    const [ours, theirs] = [tl.tenant('a'), tl.tenant('ab')]
    const message = { role: 'user', content: 'secret', key: 'k' } as const
    await ours.conversation('c').append(message)
    await index(store.tenant('a' as never), 'c', {
      to: 1,
      pieces: [{ seq: 0, part: 0, terms: ['a'], names: ['secret'], length: 1 }],
    })
    const seen = async () => {
      for (const tenant of ['a', 'ab']) {
        const rows = store.tenant(tenant as never)
        await lookAround({ tenant: rows }, ids)
        await search(rows, 'c', { terms: ['a'], partsOfNames: ['secret'] })
      }
    }
    await seen()
    await theirs.conversation('c').history.purge()
    await theirs.conversation('c').history.fork(1, 'd')
    await theirs.conversation('c').append({ ...message, content: 'other' })
    await seen()
    await ours.conversation('c').history.purge()
    await seen()
  },
  'lists conversations page by page': async (bench) => {
    const { tl, tenant } = bench
    for (const [at, id] of ['b', 'a', 'c', 'B', '\ufffd', '\u{1f600}'].entries())
      await tl.conversation(id).append({ role: 'user', content: id, createdAt: (at * 7) % 4 })
    await tl.conversation('b').history.fork(1, 'd')
    for (const after of [null, asId('a'), asId('\ufffd')])
      for (const limit of [1, 2, 99]) await tenant.list({ by: 'id', after, limit, parent: null })
    for (const limit of [null, 0, 1, 3]) await tenant.list({ by: 'latest', limit })
  },
  'purges related conversations, and begins again at 0': async (bench) => {
    const { tl } = bench
    const chat = tl.conversation('c')
    await chat.append([...build().user('go').calls('task')], { key: 'k' })
    await tl.begin('d', { parent: { conversationId: 'c', callId: 'call-0' } })
    await tl.begin('e', { parent: { conversationId: 'd' } })
    await tl.conversation('e').history.fork(0, 'f')
    await tl.begin('g', { parent: { conversationId: 'h' } })
    await tl.begin('h', { parent: { conversationId: 'g' } })
    await lookAround(bench, ids)
    for (const forks of ['refuse', 'purge'] as const)
      for (const id of ['c', 'g', 'c']) {
        await tl.conversation(id).history.purge({ forks })
        await lookAround(bench, ids)
      }
    await chat.append({ role: 'user', content: 'new' }, { key: 'k' })
    await lookAround(bench, ids)
    await tl.purges({ conversation: 'd', limit: 1 })
  },
  'pairs calls with results again after changes of shared messages': async (bench) => {
    const { tl } = bench
    const chat = tl.conversation('c')
    const script = build().user('a').calls('read').calls('list').result('one').result('two')
    await chat.append([...script.user('d').calls('wait')])
    const late = { role: 'assistant', content: [call('call-9')] } as const
    await chat.history.fork(7, 'd')
    await tl.conversation('d').history.fork(4, 'e')
    await lookAround(bench, ids)
    await tl.conversation('d').history.edit(1, late)
    await lookAround(bench, ids)
    const results = ['call-0', 'call-1', 'call-2', 'call-9'].map((callId) => {
      return { role: 'tool', content: [{ type: 'tool-result', callId, output: 'x' }] } as const
    })
    for (const id of ['c', 'd', 'e']) await tl.conversation(id).append(results)
    await lookAround(bench, ids)
    await chat.history.remove({ from: 1, to: 3 })
    await lookAround(bench, ids)
    await tl.conversation('e').history.purgeMessage(2, { forks: 'purge' })
    await lookAround(bench, ids)
  },
}

const call = (callId: string) => ({ type: 'tool-call', callId, name: 'read', input: {} }) as const
