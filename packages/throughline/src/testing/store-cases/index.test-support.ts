/** Search: terms and names of one conversation are found and counted. Any string is a term. */
import type { ConversationId } from '../../domain/ids.ts'
import { given, refuses, same } from '../contract.ts'
import { names, placesOfParts, terms } from '../store-contract/terms-data.ts'
import { append, id, type StoreCases, stateOf, tenantOf } from './case.test-support.ts'
import {
  indexCommand,
  indexUpTo,
  placesOf,
  samplePiece,
  search,
} from './indexed-pieces.test-support.ts'

const empty = { count: 0, keys: [] }

export const indexCases: StoreCases = {
  'finds the pieces with a term, in order': async ({ tl, tenant }) => {
    same(await search(tenant, { terms: ['a'] }), null, 'a missing conversation')
    await append(tl, 'c', 9)
    const nothing = { indexedTo: 0, pieces: 0, words: 0, matches: [empty] }
    same(await search(tenant, { terms: ['a'] }), nothing, 'before anything is indexed')
    const long = samplePiece(2, 'a c', { part: 1, length: 300 })
    const first = [samplePiece(0, 'a b a'), samplePiece(2, 'a'), long]
    same(await indexUpTo(tenant, 4, first), 'indexed', 'the first messages')
    same(await indexUpTo(tenant, 9, [samplePiece(7, 'c a')]), 'indexed', 'later messages')
    const query = { terms: ['a', 'x', 'c', 'a'] }
    const places = ['0 2 2.1 7', '', '2.1 7', '0 2 2.1 7']
    same(await placesOf(tenant, query), places, 'one match for each term')
    const { matches, ...figures } = (await search(tenant, query)) ?? { matches: [] }
    same(figures, { indexedTo: 9, pieces: 4, words: 306 }, 'the figures')
  },
  'finds and counts only pieces before a position': async ({ tl, tenant }) => {
    await append(tl, 'c', 8)
    const last = { part: 4_095, length: 5 }
    await indexUpTo(tenant, 8, [
      samplePiece(1, 'a'),
      samplePiece(3, 'a', { names: ['name'] }),
      samplePiece(3, 'a', { ...last, names: ['name'] }),
      samplePiece(4, 'a', { names: ['name'] }),
    ])
    const before = async (place: number) => {
      const query = { terms: ['a'], partsOfNames: ['nam'], before: place }
      const found = await search(tenant, query)
      return [found?.pieces, found?.words, ...((await placesOf(tenant, query)) ?? [])]
    }
    same(await before(4), [3, 7, '1 3 3.4095', '3 3.4095'], 'before the last')
    same(await before(3), [1, 1, '1', ''], 'before another match')
    same(await before(0), [0, 0, '', ''], 'before the first')
  },
  'only counts matches above the limit': async ({ tl, tenant }) => {
    await append(tl, 'c', 6)
    const pieces = [0, 1, 2, 3].map((seq) => samplePiece(seq, 'a', { names: ['name'] }))
    await indexUpTo(tenant, 6, [...pieces, samplePiece(5, 'b')])
    const most = (count: number) =>
      placesOf(tenant, { terms: ['a', 'b'], partsOfNames: ['name', 'nam'], most: count })
    same(await most(4), ['0 1 2 3', '5', '0 1 2 3', '0 1 2 3'], 'as many')
    same(await most(3), ['4 in all', '5', '4 in all', '4 in all'], 'one more')
    same(await most(0), ['4 in all', '1 in all', '4 in all', '4 in all'], 'none')
  },
  'indexes from the end of the index, and only current messages': async ({ tl, tenant }) => {
    const pieces = [samplePiece(1, 'a')]
    const nowhere = await indexCommand(tenant, 3, pieces)
    same(await tenant.index(nowhere), { kind: 'not-found' }, 'a missing conversation')
    await append(tl, 'c', 5)
    const command = await indexCommand(tenant, 3, pieces)
    const moved = (indexedTo: number) => ({ kind: 'moved', indexedTo })
    same(await tenant.index({ ...command, chain: 'ab'.repeat(32) }), moved(0), 'another chain')
    same(await tenant.index({ ...command, to: 4 }), moved(0), 'the chain of another message')
    same(await tenant.index({ ...command, to: 6 }), moved(0), 'messages that do not exist yet')
    same(await tenant.index({ ...command, from: 1 }), moved(0), 'with a gap')
    same((await search(tenant, {}))?.pieces, 0, 'pieces after refusals')
    same(await tenant.index(command), { kind: 'indexed' }, 'current messages')
    same(await tenant.index(command), moved(3), 'a second time')
    const rest = await indexCommand(tenant, 5, [])
    same(await tenant.index(rest), { kind: 'indexed' }, 'messages without pieces')
    same(await tenant.index({ ...rest, from: 5, chain: '' }), { kind: 'indexed' }, 'no messages')
    same((await search(tenant, {}))?.indexedTo, 5, 'the end')
    same(await placesOf(tenant, { terms: ['a'] }), ['1'], 'the piece')
  },
  'indexes without a version and without an event': async ({ tl, tenant }) => {
    await append(tl, 'c', 3)
    const before = await stateOf(tenant)
    await indexUpTo(tenant, 3, [samplePiece(1, 'a')])
    same(await stateOf(tenant), before, 'the conversation and its events')
  },
  'refuses pieces of other messages, out of order or out of bounds, and keeps none of them':
    async ({ tl, tenant }) => {
      await append(tl, 'c', 5)
      await indexUpTo(tenant, 1, [samplePiece(0, 'a')])
      const a = (seq: number, part = 0) => samplePiece(seq, 'a', { part })
      for (const [what, ...pieces] of [
        ['of an indexed message', a(0)],
        ['of a message after the end', a(1), a(3)],
        ['messages out of order', a(2), a(1)],
        ['parts out of order', a(1, 1), a(1, 0)],
        ['one twice', a(1), a(1)],
        ['too many parts', a(1), a(1, 4_096)],
        ['a fraction of a position', a(1.5)],
      ] as const) {
        const command = await indexCommand(tenant, 3, pieces)
        await refuses('INVARIANT_BROKEN', what, () => tenant.index(command))
      }
      const found = await search(tenant, { terms: ['a'] })
      same([found?.indexedTo, found?.pieces], [1, 1], 'what was indexed')
      same(await placesOf(tenant, { terms: ['a'] }), ['0'], 'what is found')
    },
  'shares the index of shared messages between a fork and its source': async (bench) => {
    const { tl, tenant } = bench
    const [f, g] = ['f', 'g'] as ConversationId[] as [ConversationId, ConversationId]
    await append(tl, 'c', 10)
    const pieces = (...places: readonly number[]) =>
      places.map((seq) => samplePiece(seq, 'a', { names: ['name'] }))
    await indexUpTo(tenant, 4, pieces(1, 3))
    given(await tl.conversation('c').history.fork(6, 'f'))
    await append(tl, 'f', 3)
    given(await tl.conversation('f').history.fork(8, 'g'))
    const ends = async () => {
      const found = await Promise.all([id, f, g].map((of) => search(tenant, {}, of)))
      return found.map((each) => each?.indexedTo)
    }
    const query = { terms: ['a'], partsOfNames: ['nam'] }
    const places = async (of: ConversationId) => (await placesOf(tenant, query, of))?.join('; ')
    same([await ends(), await places(f)], [[4, 4, 4], '1 3; 1 3'], 'shared messages')
    same(await indexUpTo(tenant, 9, pieces(5, 6, 8), f), 'indexed', 'by the fork, over its point')
    same(await ends(), [6, 9, 8], 'where each index ends')
    same(await places(f), '1 3 5 6 8; 1 3 5 6 8', 'the fork')
    same(await places(g), '1 3 5 6; 1 3 5 6', 'a fork of the fork')
    same(await places(id), '1 3 5; 1 3 5', 'the source')
    await indexUpTo(tenant, 10, pieces(7))
    same(await places(id), '1 3 5 7; 1 3 5 7', 'the source, after the point')
    same(await places(f), '1 3 5 6 8; 1 3 5 6 8', 'the fork does not see it')
    const first = { ...query, before: 6, most: 2 }
    same(await placesOf(tenant, first, g), ['3 in all', '3 in all'], 'counted in both')
    const both = await search(tenant, { before: 7 }, g)
    same([both?.pieces, both?.words], [4, 4], 'figures of both')
  },
  'indexes a fork again that shares fewer messages after an edit': async ({ tl, tenant }) => {
    const fork = 'f' as ConversationId
    const piece = (seq: number) => samplePiece(seq, 'a', { names: ['name'] })
    const query = { terms: ['a'], partsOfNames: ['nam'] }
    await append(tl, 'c', 4)
    given(await tl.conversation('c').history.fork(4, 'f'))
    await append(tl, 'f', 2)
    await indexUpTo(tenant, 6, [1, 3, 5].map(piece), fork)
    given(await tl.conversation('c').history.edit(2, { role: 'user', content: 'y' }))
    const { indexedTo = 0 } = (await search(tenant, {}, fork)) ?? {}
    const rest = [1, 3, 5].filter((seq) => seq >= indexedTo).map(piece)
    same(await indexUpTo(tenant, 6, rest, fork), 'indexed', 'the fork')
    const found = await search(tenant, query, fork)
    same([found?.indexedTo, found?.pieces, found?.words], [6, 3, 3], 'its figures')
    same(await placesOf(tenant, query, fork), ['1 3 5', '1 3 5'], 'its places')
    same(await placesOf(tenant, query), ['1 3', '1 3'], 'the places of its source')
  },
  'finds nothing of other conversations and other tenants': async ({ tl, store }) => {
    const [tenant, other] = [tenantOf(store), store.tenant('other' as never)]
    const pieces = [samplePiece(0, 'a', { names: ['secret-name'] })]
    for (const each of ['b', 'c', 'd']) await append(tl, each, 2)
    await append(tl.tenant('other'), 'c', 2)
    const query = { terms: ['a'], partsOfNames: ['secret-name'] }
    for (const each of ['b', 'd'] as ConversationId[]) await indexUpTo(tenant, 2, pieces, each)
    await indexUpTo(other, 2, pieces)
    const nothing = { indexedTo: 0, pieces: 0, words: 0, matches: [empty, empty] }
    same(await search(tenant, query), nothing, 'between two with matches')
    await indexUpTo(tenant, 2, [samplePiece(1, 'b')])
    same(await placesOf(tenant, query), ['', ''], 'with an index of its own')
    same(await placesOf(other, query), ['0', '0'], "the other tenant's")
    const ofOther = await search(other, query, 'b' as ConversationId)
    same(ofOther, null, 'a conversation of another tenant')
  },
  'removes the index of a purged conversation': async ({ tl, tenant }) => {
    const query = { terms: ['a'], partsOfNames: ['name'] }
    const pieces = [samplePiece(1, 'a', { names: ['name'] })]
    for (const each of ['b', 'c'] as ConversationId[]) {
      await append(tl, each, 3)
      await indexUpTo(tenant, 3, pieces, each)
    }
    same(await placesOf(tenant, query), ['1', '1'], 'before')
    await tl.conversation('c').history.purge()
    same(await search(tenant, query), null, 'a purged conversation')
    await append(tl, 'c', 3)
    const nothing = { indexedTo: 0, pieces: 0, words: 0, matches: [empty, empty] }
    same(await search(tenant, query), nothing, 'of the new one')
    same(await placesOf(tenant, query, 'b' as ConversationId), ['1', '1'], 'of its neighbour')
    same(await indexUpTo(tenant, 3, pieces), 'indexed', 'the new one')
    same(await placesOf(tenant, query), ['1', '1'], 'of the new one, indexed')
  },
  'accepts any string as a term, and finds exactly its pieces': async (bench) => {
    const { tl, tenant } = bench
    await append(tl, 'c', terms.length + 1)
    const pieces = terms.map((term, seq) => samplePiece(seq, '', { terms: [term], length: 1 }))
    await indexUpTo(tenant, terms.length + 1, [
      ...pieces,
      samplePiece(terms.length, '', { terms: [...terms, ...terms], length: 1 }),
    ])
    const expected = terms.map((_, seq) => `${seq} ${terms.length}`)
    same(await placesOf(tenant, { terms }), expected, 'each term')
    const unknown = ['b', 'a  b', '東京都に', '\ud83d\ud83d', 'xy', '*', 'toString']
    const places = (await placesOf(tenant, { terms: unknown })) ?? []
    same(places, new Array(unknown.length).fill(''), 'unknown terms')
  },
  'finds a name by any part of three characters or more, in any case': async (bench) => {
    const { tl, tenant } = bench
    await append(tl, 'c', names.length + 1)
    const pieces = names.map((name, seq) => samplePiece(seq, '', { names: [name], length: 1 }))
    const several = samplePiece(names.length, '', { names: ['first', 'second'], length: 1 })
    await indexUpTo(tenant, names.length + 1, [...pieces, several])
    const partsOfNames = Object.keys(placesOfParts)
    const found = (await placesOf(tenant, { partsOfNames })) ?? []
    const shown = (each: readonly string[]) =>
      partsOfNames.map((part, index) => `${part.slice(0, 20)} → ${each[index]}`)
    same(shown(found), shown(Object.values(placesOfParts)), 'places of parts')
  },
  'distinguishes terms from names, and answers terms first': async ({ tl, tenant }) => {
    await append(tl, 'c', 2)
    const named = samplePiece(1, '', { names: ['abc'], length: 1 })
    await indexUpTo(tenant, 2, [samplePiece(0, 'abc'), named])
    const query = { terms: ['abc', 'x'], partsOfNames: ['abc', 'abcd'] }
    same(await placesOf(tenant, query), ['0', '', '1', ''], 'the places of each')
  },
}
