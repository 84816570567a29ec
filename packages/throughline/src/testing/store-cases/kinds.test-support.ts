/** The rules of `derivedKinds` for each kind of rows: positions, limits, forks. */
import { derivedKinds, kindNames } from '../../domain/derived-kinds.ts'
import type { DerivedKind, DerivedRow } from '../../domain/derived-row.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { RowQuery, TenantStore } from '../../ports/store.ts'
import { given, refuses, same } from '../contract.ts'
import {
  append,
  type Bench,
  casesFor,
  commit,
  hardText,
  id,
  put,
  row,
  rowsOf,
} from './case.test-support.ts'

const [f, g, early] = ['f', 'g', 'early'] as [ConversationId, ConversationId, ConversationId]

/** A row of any kind with its author in the body; it covers the messages up to its position. */
const by = (kind: DerivedKind, who: string, position: number, bound = position): DerivedRow =>
  row({ kind, position, bound, label: who.toWellFormed(), body: wordsOf(who, position) })

const wordsOf = (who: string, position: number) => JSON.stringify(`${who} ${position}`)

const allBy = (kind: DerivedKind, who: string, ...positions: readonly number[]) =>
  positions.map((position) => by(kind, who, position))

const bodies = async (tenant: TenantStore, query: RowQuery, of: ConversationId = id) =>
  (await rowsOf(tenant, query, of))?.map(({ body }) => JSON.parse(body) as string)

type ForkRule = (typeof derivedKinds)[DerivedKind]['forks']

/** Which rows of its source a fork has, and which rows of a fork its source has. */
const forkRules: Readonly<Record<ForkRule, (kind: DerivedKind, bench: Bench) => Promise<void>>> = {
  none: async (kind, { tl, tenant }) => {
    await append(tl, 'c', 4)
    const [theirs, own] = [by(kind, 'c', 1), by(kind, 'f', 1)]
    await put(tenant, [theirs])
    given(await tl.conversation('c').history.fork(4, 'f'))
    same(await rowsOf(tenant, { kind }, f), [], 'a new fork')
    await put(tenant, [own], f)
    same(await rowsOf(tenant, { kind }, f), [own], 'its own')
    same(await rowsOf(tenant, { kind }), [theirs], 'its source')
  },
  rows: async (kind, { tl, tenant }) => {
    await append(tl, 'c', 5)
    await put(tenant, allBy(kind, 'c', 0, 1, 3, 4))
    given(await tl.conversation('c').history.fork(3, 'f'))
    same(await bodies(tenant, { kind }, f), ['c 0', 'c 1'], 'a new fork')
    await append(tl, 'f', 3)
    await put(tenant, allBy(kind, 'later', 1, 2))
    same(await bodies(tenant, { kind }, f), ['c 0', 'later 1', 'later 2'], 'with later rows')
    await put(tenant, allBy(kind, 'f', 1, 3, 5), f)
    given(await tl.conversation('f').history.fork(4, 'g'))
    given(await tl.conversation('f').history.fork(1, 'early'))
    await append(tl, 'g', 2)
    await put(tenant, allBy(kind, 'g', 4, 5), g)
    const all = ['c 0', 'f 1', 'later 2', 'f 3', 'g 4', 'g 5']
    const span = { from: 1, to: 5 }
    const asked: readonly (readonly [Partial<RowQuery>, readonly string[]])[] = [
      [{}, all],
      [{ order: 'last' }, all.toReversed()],
      [{ span }, all.slice(1, 5)],
      [{ span, limit: 2 }, ['f 1', 'later 2']],
      [{ span, limit: 2, skip: 1 }, ['later 2', 'f 3']],
      [{ span, limit: 3, order: 'last' }, ['g 4', 'f 3', 'later 2']],
      // An own row hides the row of its source, whatever the label.
      [{ label: 'later' }, ['later 2']],
      [{ label: 'f', limit: 1, order: 'last' }, ['f 3']],
      [{ own: true }, ['g 4', 'g 5']],
    ]
    for (const [query, expected] of asked)
      same(await bodies(tenant, { kind, ...query }, g), expected, JSON.stringify(query))
    same(await bodies(tenant, { kind }, early), ['c 0'], 'a fork before the beginning of a fork')
    same(await bodies(tenant, { kind }), ['c 0', 'later 1', 'later 2', 'c 3', 'c 4'], 'the source')
  },
  nearest: async (kind, { tl, tenant }) => {
    await append(tl, 'c', 20)
    await put(tenant, [by(kind, 'c', 1, 4), by(kind, 'c', 2, 12)])
    given(await tl.conversation('c').history.fork(8, 'f'))
    given(await tl.conversation('f').history.fork(3, 'g'))
    const before = async (of: ConversationId, boundTo: number) =>
      bodies(tenant, { kind, boundTo, order: 'most', limit: 1 }, of)
    same(await before(f, 99), ['c 1'], 'of the source, for shared messages')
    same(await before(g, 99), [], 'for messages that are not shared')
    same(await bodies(tenant, { kind, own: true }, f), [], 'its own')
    await put(tenant, [by(kind, 'f', 1, 6)], f)
    same([await before(f, 99), await before(f, 5)], [['f 1'], ['c 1']], 'its own first')
    same(await before(id, 7), ['c 1'], 'the source does not see it')
  },
  snapshot: async (kind, { tl, tenant }) => {
    const count = async (of: ConversationId, who: string, bounds: readonly number[]) => {
      // Turns number the positions of the other snapshot kinds.
      for (const bound of bounds) {
        const [last] = (await rowsOf(tenant, { kind: 'turn', order: 'last', limit: 1 }, of)) ?? []
        const position = (last?.position ?? 0) + 1
        const turn = by('turn', who, position, bound)
        await put(tenant, kind === 'turn' ? [turn] : [turn, by(kind, who, position, bound)], of)
      }
    }
    await append(tl, 'c', 8)
    await count(id, 'c', [2, 4, 6])
    given(await tl.conversation('c').history.fork(5, 'f'))
    same(await bodies(tenant, { kind }, f), ['c 1', 'c 2'], 'of its source')
    await count(id, 'c', [8])
    same(await bodies(tenant, { kind }, f), ['c 1', 'c 2'], 'without later rows of its source')
    await append(tl, 'f', 3)
    await count(f, 'f', [6, 8])
    same(await bodies(tenant, { kind }, f), ['c 1', 'c 2', 'f 3', 'f 4'], 'and its own')
    same(await bodies(tenant, { kind, own: true }, f), ['f 3', 'f 4'], 'its own alone')
    same(await bodies(tenant, { kind }), ['c 1', 'c 2', 'c 3', 'c 4'], 'the source has its own')
    const across = { span: { from: 0, to: 4 }, order: 'last', limit: 2 } as const
    same(await bodies(tenant, { kind, ...across }, f), ['f 3', 'c 2'], 'across its point')
    const passed = { kind, limit: 2, skip: 1 }
    same(await bodies(tenant, passed, f), ['c 2', 'f 3'], 'across its point, after one')
    given(await tl.conversation('f').history.fork(7, 'g'))
    given(await tl.conversation('f').history.fork(2, 'early'))
    same(await bodies(tenant, { kind }, early), ['c 1'], 'a fork before the beginning of a fork')
    await append(tl, 'g', 2)
    await count(g, 'g', [9])
    same(await bodies(tenant, { kind }, g), ['c 1', 'c 2', 'f 3', 'g 4'], 'a fork of the fork')
    given(await tl.conversation('c').history.fork(0, 'apart'))
    same(await bodies(tenant, { kind }, 'apart' as never), [], 'one that shares nothing')
  },
}

export const kindCases = casesFor(kindNames, (kind) => {
  const { forks, kept, positions } = derivedKinds[kind]
  return {
    [`keeps rows as they are, as long as their conversation: ${kind}`]: async (bench) => {
      const { tl, store, tenant } = bench
      same(await rowsOf(tenant, { kind }), null, 'of nothing')
      for (const each of ['b', 'c']) await append(tl, each, 4)
      same(await rowsOf(tenant, { kind }), [], 'before the first')
      const rows = () => allBy(kind, hardText, 1, 2, 3)
      const mine = rows()
      await put(tenant, mine)
      same(await rowsOf(tenant, { kind }), rows(), 'in order')
      same(await rowsOf(tenant, { kind, order: 'last' }), rows().toReversed(), 'newest first')
      for (const each of [mine, (await rowsOf(tenant, { kind })) ?? []])
        for (const one of each) Object.assign(one, { body: 'spoilt' })
      same(await rowsOf(tenant, { kind }), rows(), 'of which it returned copies')
      if (positions !== 'next') {
        const other = by(kind, 'other', 2, 0)
        await put(tenant, [other])
        same(await rowsOf(tenant, { kind }), rows().with(1, other), 'one replaced')
      }
      same(await rowsOf(tenant, { kind }, 'b' as never), [], 'of another conversation')
      same(await rowsOf(store.tenant('other' as never), { kind }), null, 'of another tenant')
      await tl.conversation('c').history.purge()
      same(await rowsOf(tenant, { kind }), null, 'a purged conversation')
      await append(tl, 'c', 4)
      same(await rowsOf(tenant, { kind }), [], 'of a new one')
    },
    [`accepts rows only at valid positions, and nothing of a commit with others: ${kind}`]: async ({
      tl,
      tenant,
    }) => {
      await append(tl, 'c', 4)
      const good = by(kind, 'c', 1)
      await put(tenant, [good])
      const second = by(kind, 'bad', 2)
      const refused: readonly DerivedRow[] = [
        ...[-1, 0.5, Number.NaN].map((position) => by(kind, 'bad', position, 0)),
        ...(positions === 'message' ? [by(kind, 'bad', 4)] : []),
        ...(positions === 'next' ? allBy(kind, 'bad', 1, 3) : []),
        ...(positions === 'next' ? [5, null].map((bound) => ({ ...second, bound })) : []),
      ]
      for (const bad of refused)
        await refuses('INVARIANT_BROKEN', `at ${bad.position} to ${bad.bound}`, () =>
          commit(tenant, { fields: { title: 'T' }, put: [row(), bad] }),
        )
      const { title, version } = (await tenant.load({ id }))?.conversation ?? {}
      same([title, version], [null, 1], 'the conversation')
      same(await rowsOf(tenant, { kind }), [good], 'its rows')
      await put(tenant, [by(kind, 'c', 2)])
      same(await bodies(tenant, { kind }), ['c 1', 'c 2'], 'the next one')
    },
    [`shares rows with forks by its rule, ${forks}: ${kind}`]: (bench) =>
      forkRules[forks](kind, bench),
    ...(kept !== null && keptCase(kind, kept)),
  }
})

function keptCase(kind: DerivedKind, kept: number): ReturnType<typeof casesFor> {
  return {
    [`keeps the rows that were written last: ${kind}`]: async ({ tl, tenant }) => {
      await append(tl, 'c', 4)
      const written = (position: number) => ({ ...by(kind, 'c', position), key: `${position}` })
      const left = async () => (await rowsOf(tenant, { kind }))?.map(({ position }) => position)
      const numbers = (from: number) => Array.from({ length: kept }, (_, index) => from + index)
      const many = numbers(1).concat(kept + 1, kept + 2, kept + 3)
      if (derivedKinds[kind].positions === 'running') {
        for (const position of many)
          await tenant.record({ id, put: [{ ...written(position), position: 'next' }] })
        same(await left(), numbers(4), 'as many as are kept, under their own numbers')
        const [last] = (await rowsOf(tenant, { kind, order: 'last', limit: 1, bare: true })) ?? []
        same(last?.position, kept + 3, 'the number of the last')
        same(await rowsOf(tenant, { kind, key: '3' }), [], 'a deleted row')
        return
      }
      await put(tenant, many.map(written))
      same(await left(), numbers(4), 'as many as are kept')
      await put(tenant, [written(4), written(kept + 4)])
      same(await left(), numbers(5), 'a replaced row keeps its age')
      await commit(tenant, { drop: [{ kind, key: '5' }], put: [written(5)] })
      await put(tenant, [written(1)])
      const expected = [1, 5, ...numbers(7).slice(0, -2)]
      same(await left(), expected, 'a dropped and rewritten row is the newest')
    },
  }
}
