/** The rules for derived rows and titles when a message is edited, removed or purged. */
import { derivedKinds, kindNames, MessageChange } from '../../domain/derived-kinds.ts'
import type { DerivedKind, DerivedRow } from '../../domain/derived-row.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { fail, ok } from '../../domain/result.ts'
import type { TenantStore } from '../../ports/store.ts'
import { build } from '../build.ts'
import { given, same } from '../contract.ts'
import { sampleRows, sampleTurn } from '../store-contract/sample-rows.ts'
import {
  append,
  type Bench,
  casesFor,
  id,
  put,
  row,
  rowsOf,
  type StoreCases,
} from './case.test-support.ts'

const [f, g] = ['f', 'g'] as [ConversationId, ConversationId]

type Rows = Readonly<Record<DerivedKind, readonly DerivedRow[]>>

const ways = {
  edit: (tl: Bench['tl'], seq: number, of: string = id) =>
    tl.conversation(of).history.edit(seq, { role: 'user', content: 'other' }),
  remove: (tl: Bench['tl'], seq: number, of: string = id) =>
    tl.conversation(of).history.remove(seq),
  purge: async (tl: Bench['tl'], seq: number, of: string = id) => {
    const { kind } = await tl.conversation(of).history.purgeMessage(seq, { forks: 'purge' })
    return kind === 'purged' ? ok(null) : fail({ kind })
  },
}

/** Rows of every kind; rows with a bound are also queried separately. */
async function allRows(tenant: TenantStore, of: ConversationId = id): Promise<Rows> {
  const rows = await Promise.all(
    kindNames.map(async (kind) => {
      const found = (await rowsOf(tenant, { kind }, of)) ?? []
      const bounded = await rowsOf(tenant, { kind, boundTo: 99 }, of)
      const expected = found.filter(({ bound }) => bound !== null)
      same(bounded, expected, `rows of the kind ${kind} with a bound`)
      return [kind, found] as const
    }),
  )
  return Object.fromEntries(rows) as Rows
}

/** By the rules of the kinds, in their order. */
function remaining(rows: Rows, seq: number, how: keyof typeof ways): Rows {
  const change = new MessageChange([seq], how === 'purge' ? 'dropped' : 'kept')
  const remainsOf = (each: DerivedRow): DerivedRow | null => {
    const { remains } = derivedKinds[each.kind]
    if (typeof remains === 'function') return remains(each, change)
    return remains === 'all' || (remains === 'other-places' && each.position !== seq) ? each : null
  }
  const left = kindNames.map((kind) => [kind, rows[kind].flatMap((each) => remainsOf(each) ?? [])])
  return Object.fromEntries(left) as Rows
}

/** A fork reads the nearest rows of its source, without copies, so they may change. */
const ownNearest = (rows: Rows) => ({ ...rows, summary: null })

/** A source, a fork with own rows before and after its point, and a fork of the fork. */
async function family({ tl, tenant }: Bench): Promise<TenantStore> {
  await append(tl, 'c', 8)
  await put(tenant, Object.values(sampleRows).flat())
  given(await tl.conversation('c').history.fork(7, 'f'))
  await tl.conversation('f').append([...build().user('f').user('f')])
  const facts = (places: readonly number[]) =>
    places.map((position) => row({ kind: 'facts', position, body: '"own"' }))
  await put(tenant, [...facts([0, 1, 3, 7]), ...sampleTurn(4, 'f')], f)
  given(await tl.conversation('f').history.fork(8, 'g'))
  await append(tl, 'g', 2)
  await put(tenant, [...facts([0, 8]), ...sampleTurn(5, 'g'), ...sampleRows.receipt], g)
  return tenant
}

export const rewriteRowCases: StoreCases = {
  ...casesFor(['edit', 'remove', 'purge'] as const, (how) => ({
    [`drops rows derived from a message, and nothing else: ${how}`]: async (bench) => {
      const { tl, tenant } = bench
      await append(tl, 'c', 10)
      await put(tenant, Object.values(sampleRows).flat())
      same(await allRows(tenant), sampleRows, 'before')
      let expected: Rows = sampleRows
      for (const seq of [9, 4, 5, 1]) {
        given<unknown>(await ways[how](tl, seq))
        expected = remaining(expected, seq, how)
        same(await allRows(tenant), expected, `after a change of message ${seq}`)
      }
      const { facts, summary, turn } = expected
      same([facts.length, summary.length, turn.length], [5, 0, 4], 'what is left')
      await put(tenant, sampleTurn(5))
      same((await rowsOf(tenant, { kind: 'turn' }))?.length, 5, 'the next turn')
    },
  })),
  ...casesFor(['edit', 'remove'] as const, (how) =>
    casesFor([id, f, g], (changed) => ({
      [`keeps rows of others derived from shared messages: ${how} in ${changed}`]: async (
        bench,
      ) => {
        const tenant = await family(bench)
        const others = [id, f, g].filter((other) => other !== changed)
        // At the second change they already have rows of their own.
        for (const seq of [3, 1, 6]) {
          const before = await Promise.all(others.map((of) => allRows(tenant, of)))
          const mine = await allRows(tenant, changed)
          given<unknown>(await ways[how](bench.tl, seq, changed))
          const after = await Promise.all(others.map((of) => allRows(tenant, of)))
          same(after.map(ownNearest), before.map(ownNearest), `the others, of message ${seq}`)
          same(await allRows(tenant, changed), remaining(mine, seq, how), `of message ${seq}`)
        }
        for (const each of [id, f, g]) {
          const [last] = (await rowsOf(tenant, { kind: 'turn', order: 'last' }, each)) ?? []
          const next = row({ kind: 'turn', position: (last?.position ?? 0) + 1, bound: 7 })
          same((await put(tenant, [next], each)).kind, 'committed', `the next turn of ${each}`)
        }
      },
    })),
  ),
  'drops rows of a message that answers a removed call, also beside another call': async (
    bench,
  ) => {
    const { tl, tenant } = bench
    const results = ['call-0', 'call-1'].map(
      (callId) => ({ type: 'tool-result', callId, output: 'x' }) as const,
    )
    await tl
      .conversation('c')
      .append([...build().calls('read').calls('run'), { role: 'tool', content: results }])
    await tl.conversation('c').append([...build().calls('write').user('b')])
    await put(
      tenant,
      [0, 1, 2, 3, 4].map((position) => row({ kind: 'facts', position, body: '"own"' })),
    )
    given(await ways.remove(tl, 0))
    const left = (await rowsOf(tenant, { kind: 'facts' })) ?? []
    same(
      left.map(({ position }) => position),
      [1, 3, 4],
      'the places of what is left',
    )
  },
  'keeps the rows of a fork through edits of its sources': async (bench) => {
    const tenant = await family(bench)
    const before = ownNearest(await allRows(tenant, g))
    for (const [of, seq] of [
      [f, 7],
      [f, 2],
      [id, 0],
      [f, 6],
    ] as const) {
      given<unknown>(await ways.edit(bench.tl, seq, of))
      same(ownNearest(await allRows(tenant, g)), before, `after an edit of ${seq} in ${of}`)
    }
  },
  'drops rows of a purged message in all forks': async (bench) => {
    const tenant = await family(bench)
    for (const [of, seq] of [
      [id, 4],
      [f, 7],
      [g, 1],
    ] as const) {
      const before = await Promise.all([id, f, g].map((each) => allRows(tenant, each)))
      given<unknown>(await ways.purge(bench.tl, seq, of))
      const after = await Promise.all([id, f, g].map((each) => allRows(tenant, each)))
      // The source has another message there than its forks.
      const expected = before.map((rows, at) =>
        seq === 7 && at === 0 ? rows : remaining(rows, seq, 'purge'),
      )
      same(after.map(ownNearest), expected.map(ownNearest), `message ${seq} in ${of}`)
    }
  },
  'drops rows derived from a result when its call changes': async ({ tl, tenant }) => {
    await tl.conversation('c').append([...build().user('a').calls('read').result('b').says('c')])
    await put(tenant, sampleRows.facts.slice(0, 4))
    given(await tl.conversation('c').history.remove(1))
    const left = (await rowsOf(tenant, { kind: 'facts' }))?.map(({ position }) => position)
    same(left, [0, 3], 'the rows')
  },
  'drops facts of the results of a purged call that the fork had edited': async (bench) => {
    const { tl, tenant, chat } = bench
    await chat.append([...build().user('a').calls('read').result('b').says('c')])
    given(await chat.history.fork(4, f))
    given(await ways.edit(tl, 0, f))
    const edited = { role: 'assistant', content: 'nothing to read' } as const
    given(await tl.conversation(f).history.edit(1, edited))
    await put(tenant, sampleRows.facts.slice(0, 4))
    given(await ways.purge(tl, 1, f))
    const left = (await rowsOf(tenant, { kind: 'facts' }))?.map(({ position }) => position)
    same(left, [0, 3], 'facts of the source')
  },
  'makes a title from a message, without secrets and in one line': async ({ chat }) => {
    const address = (password: string) => `clone https://ada:${password}@example.com/a.git`
    await chat.append([...build().user('  Look at\n the gate  ').user(address('hunter2'))])
    const named = async (titleFrom: number) => {
      const { title, titleFrom: from } = given(await chat.update({ titleFrom }))
      return [title, from]
    }
    same(await named(0), ['Look at the gate', 0], 'the title')
    same(await named(1), [address('[redacted: password in an address]'), 1], 'a secret')
    same((await chat.update({ titleFrom: 7 })).ok, false, 'a position after the end')
    same(given(await chat.update({ title: 'Mine' })).titleFrom, null, 'the title of a caller')
    same((await chat.info())?.titleFrom, null, 'the same, read back')
  },
  'makes the title again when its message is edited, removed or purged': async ({ chat }) => {
    await chat.append([...build().user('first canary').says('b').user('second').user('third')])
    given(await chat.update({ titleFrom: 0 }))
    const title = async () => {
      const { title, titleFrom } = (await chat.info()) ?? {}
      return [title, titleFrom]
    }
    given(await chat.history.edit(0, { role: 'user', content: 'first again' }))
    same(await title(), ['first again', 0], 'after an edit')
    given(await chat.history.remove(1))
    same(await title(), ['first again', 0], 'after the removal of another message')
    given(await chat.history.remove(0))
    same(await title(), ['second', 2], 'after a removal')
    await chat.history.purgeMessage(2)
    same(await title(), ['third', 3], 'after a purge')
    await chat.history.purgeMessage(3)
    same(await title(), [null, null], 'without messages')
  },
  'keeps the title of a caller, whatever the messages contain': async ({ tl }) => {
    const chat = given(await tl.begin('c', { title: 'first' }))
    await chat.append([...build().user('first').user('second')])
    await chat.history.purgeMessage(0)
    same((await chat.info())?.title, 'first', 'the title')
  },
  'updates the titles of forks after a purge of a shared message, not after a removal': async (
    bench,
  ) => {
    const { chat } = bench
    await chat.append([...build().user('canary').user('second').user('third')])
    const fork = given(await chat.history.fork(2, 'fork'))
    given(await fork.update({ titleFrom: 0 }))
    const late = given(await chat.history.fork(2, 'late'))
    given(await late.update({ titleFrom: 1 }))
    given(await chat.history.remove(1))
    same((await late.info())?.title, 'second', 'of a message that is removed elsewhere')
    await chat.history.purgeMessage(0, { forks: 'purge' })
    same((await fork.info())?.title, 'second', 'of a purged message')
    same((await late.info())?.title, 'second', 'of another message')
  },
}
