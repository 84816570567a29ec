/** Derived rows of any kind, which a store handles without knowing their content. */
import { derivedKinds } from '../../domain/derived-kinds.ts'
import type { DerivedRow } from '../../domain/derived-row.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { RowQuery } from '../../ports/store.ts'
import { given, holds, pluck, refuses, same } from '../contract.ts'
import { sampleRows } from '../store-contract/sample-rows.ts'
import {
  append,
  commit,
  hardText,
  id,
  put,
  row,
  rowsOf,
  type StoreCases,
  stateOf,
} from './case.test-support.ts'

const events = [{ kind: 'conversation-updated', fields: [] }] as const

export const rowCases: StoreCases = {
  'loads rows as they were put, by position, key, label and bound, with or without bodies': async (
    bench,
  ) => {
    const { tl, tenant } = bench
    same(await rowsOf(tenant, { kind: 'version' }), null, 'of nothing')
    await append(tl, 'c', 1)
    const [a, b, c] = [
      row({ kind: 'version', position: 1, key: 'k', label: 'x', bound: 7 }),
      row({ kind: 'version', position: 2, key: 'l', label: null, bound: 5 }),
      row({ kind: 'version', position: 3, key: 'k', label: 'x' }),
    ]
    await put(tenant, [b, c, a])
    const query = { kind: 'version' } as const
    const asked: readonly (readonly [Partial<RowQuery>, readonly DerivedRow[]])[] = [
      [{}, [a, b, c]],
      [{ order: 'last' }, [c, b, a]],
      [{ order: 'last', limit: 1, skip: 1 }, [b]],
      [{ order: 'least', boundTo: 9 }, [b, a]],
      [{ order: 'most', boundTo: 5 }, [b]],
      [{ order: 'most', boundTo: 9 }, [a, b]],
      [{ key: 'k', order: 'last' }, [c, a]],
      [{ label: 'x' }, [a, c]],
      [{ label: null }, [b]],
      [{ span: { from: 2, to: 3 } }, [b]],
      [{ label: null, limit: 1 }, [b]],
      [{ limit: 0 }, []],
      [{ span: { from: 1, to: 9 }, limit: Number.MAX_SAFE_INTEGER }, [a, b, c]],
      [{ key: { labelOf: { kind: 'view', key: 'v' } } }, []],
    ]
    for (const [more, expected] of asked)
      same(await rowsOf(tenant, { ...query, ...more }), expected, JSON.stringify(more))
    const bare = await rowsOf(tenant, { ...query, bare: true, limit: 1 })
    same(bare, [{ ...a, body: '' }], 'without bodies')
    await put(tenant, [row({ kind: 'view', key: 'v', label: 'k' })])
    const key = { labelOf: { kind: 'view', key: 'v' } } as const
    same(await rowsOf(tenant, { ...query, key }), [a, c], 'of the label of another row')
    const both = await tenant.load({ id, rows: [query, { kind: 'view', bare: true }] })
    same(pluck(both?.rows ?? [], 'length'), [3, 1], 'of two queries')
  },
  'drops and labels rows by key in the commit that puts others, or in none': async (bench) => {
    const { tl, tenant } = bench
    await append(tl, 'c', 1)
    const view = (position: number) => row({ kind: 'view', position, key: 'm' })
    await put(tenant, [view(1), row({ kind: 'summary', key: 's' })])
    const relabelled = { kind: 'summary', label: 'withdrawn' } as const
    const command = {
      id,
      expectedVersion: 1,
      events,
      at: 9,
      put: [view(2)],
      drop: [{ kind: 'view', key: 'm' }],
      relabel: ['s', 'unknown'].map((key) => ({ ...relabelled, key })),
    } as const
    const refused = { ...command, put: [row({ kind: 'facts', position: 1 })] }
    await refuses('INVARIANT_BROKEN', 'a row of no message', () => tenant.commit(refused))
    const seen = async () => [
      (await rowsOf(tenant, { kind: 'view' }))?.map(({ position }) => position),
      (await rowsOf(tenant, { kind: 'summary' }))?.map(({ label }) => label),
    ]
    same(await seen(), [[1], [null]], 'after a refused commit')
    await tenant.commit(command)
    same(await seen(), [[2], ['withdrawn']], 'after the commit')
  },
  'records under a guard only where conversation, history and row are the same': async (bench) => {
    const { tl, tenant } = bench
    await append(tl, 'c', 2)
    const waiting = row({ kind: 'receipt', position: 1, bound: 4 })
    await put(tenant, [waiting])
    const { serial = -1 } = (await tenant.load({ id })) ?? {}
    const onlyIf = { serial, rewrites: 0, row: waiting }
    const done = { ...waiting, bound: null }
    const command = { id, put: [done], onlyIf, events, at: 11 }
    const count = async () => (await tenant.events({ id, after: 0, limit: 99 }))?.length
    const before = await count()
    const kindOf = async (guard: Partial<typeof onlyIf>) =>
      (await tenant.record({ ...command, onlyIf: { ...onlyIf, ...guard } })).kind
    same(await kindOf({ serial: serial + 1 }), 'not-found', 'another conversation')
    same(await kindOf({ rewrites: 1 }), 'rewritten', 'another history')
    same(await kindOf({ row: { ...waiting, bound: 5 } }), 'row-changed', 'another bound')
    same(await kindOf({ row: { ...waiting, position: 2 } }), 'not-found', 'another row')
    same(await rowsOf(tenant, { kind: 'receipt' }), [waiting], 'the rows')
    same(await count(), before, 'events')
    same(await tenant.record(command), { kind: 'recorded' }, 'the same')
    same(await tenant.record(command), { kind: 'row-changed' }, 'once more')
    same(await rowsOf(tenant, { kind: 'receipt' }), [done], 'the recorded row')
    same(await count(), (before ?? 0) + 1, 'one event')
    const { row: _, ...anyRow } = onlyIf
    const facts = { id, put: [row({ kind: 'facts', position: 1 })], onlyIf: anyRow }
    same(
      await tenant.record({ ...facts, onlyIf: { ...anyRow, rewrites: 1 } }),
      { kind: 'rewritten' },
      'no row, another history',
    )
    same(await rowsOf(tenant, { kind: 'facts' }), [], 'no facts')
    same(await tenant.record(facts), { kind: 'recorded' }, 'no row')
    same(await rowsOf(tenant, { kind: 'facts' }), facts.put, 'the facts')
  },
  'distinguishes similar keys, and keeps text of a megabyte': async ({ tl, tenant }) => {
    await append(tl, 'c', 1)
    const keys = [hardText, hardText.toWellFormed()].map((key) => JSON.stringify(key))
    const rows = keys.map((key) => row({ kind: 'view', key, body: JSON.stringify(key) }))
    await put(tenant, rows)
    for (const [at, key] of keys.entries())
      same(await rowsOf(tenant, { kind: 'view', key }), [rows[at]], key)
    const body = JSON.stringify(`${hardText}\u{1f600}\\ \r\n`.repeat(50_000))
    await put(tenant, [row({ body })])
    const [found] = (await rowsOf(tenant, { kind: 'asking' })) ?? []
    // `same` would print megabytes.
    holds(found?.body === body, 'a body of a megabyte must be the same')
  },
  'loads no rows where the conversation has the known version': async (bench) => {
    const { tl, tenant } = bench
    await append(tl, 'c', 1)
    await put(tenant, [row()])
    const seen = async (unlessVersion: number) =>
      (await rowsOf(tenant, { kind: 'asking', unlessVersion }))?.length
    same([await seen(0), await seen(1)], [1, 0], 'an older version, and this one')
    await append(tl, 'c', 1)
    same(await seen(1), 0, 'after a message')
    await commit(tenant, { fields: { title: 'T' } })
    same(await seen(1), 1, 'after a commit')
  },
  'records rows without a version and an event, and nothing for a missing conversation': async (
    bench,
  ) => {
    const { tl, tenant } = bench
    const next = { ...row({ kind: 'request' }), position: 'next' } as const
    const notFound = { kind: 'not-found' }
    same(await tenant.record({ id, put: [next] }), notFound, 'for no conversation')
    same(await tenant.load({ id }), null, 'which does not exist')
    await append(tl.tenant('other'), 'c', 1)
    same(await tenant.record({ id, put: [next] }), notFound, "for another tenant's")
    await append(tl, 'c', 1)
    const before = await stateOf(tenant)
    same(await tenant.record({ id }), { kind: 'recorded' }, 'nothing')
    await tenant.record({ id, put: [next] })
    await tenant.record({ id, put: [row(), next, next] })
    same(await stateOf(tenant), before, 'the conversation and its events')
    const positions = (await rowsOf(tenant, { kind: 'request' }))?.map((each) => each.position)
    same(positions, [1, 2, 3], 'the positions that it gave')
    same(await rowsOf(tenant, { kind: 'asking' }), [row()], 'a row with a position')
    same((await rowsOf(tenant, { kind: 'request' }, 'd' as never)) ?? null, null, 'of another')
  },
  'keeps a recorded row with the same label, and replaces another': async (bench) => {
    const { tl, tenant } = bench
    await append(tl, 'c', 1)
    const insert = (label: string, body: string, position = 5) =>
      ({ ...row({ kind: 'insert', position, label, body }), keepsSame: true }) as const
    const record = async (...rows: readonly ReturnType<typeof insert>[]) => {
      await tenant.record({ id, put: rows })
      return (await rowsOf(tenant, { kind: 'insert' }))?.map(({ body }) => body).join()
    }
    same(await record(insert('a', '1'), insert('a', '2')), '1', 'in one record')
    same(await record(insert('a', '3'), insert('a', '4', 7)), '1,4', 'in another')
    same(await record(insert('b', '5')), '5,4', 'of another label')
    const { kept } = derivedKinds.insert
    const more = Array.from({ length: (kept ?? 0) - 1 }, (_, at) => insert('c', '6', 10 + at))
    same((await record(...more))?.startsWith('5,6'), true, 'which is the newest then')
  },
  'adds a value to rows with a bound, by the rule of their kind': async ({ tl, tenant }) => {
    await append(tl, 'c', 4)
    const receipts = sampleRows.receipt.map((each, at) =>
      at === 0 ? each : { ...each, bound: null },
    )
    await put(tenant, receipts)
    const values = [0, 1, 0].map((from) => ({ from, to: 2 }))
    for (const value of values) await tenant.record({ id, annotate: { kind: 'receipt', value } })
    const expected = values.reduce(
      (one, each) => derivedKinds.receipt.withAnnotation?.(one, each) ?? one,
      receipts[0] ?? row(),
    )
    same(await rowsOf(tenant, { kind: 'receipt' }), receipts.with(0, expected), 'the rows')
  },
  'keeps the rows of a fork when its source copies shared rows': async (bench) => {
    const { tl, tenant } = bench
    const factsBy = (who: string, ...places: readonly number[]) => {
      const body = JSON.stringify(who)
      return places.map((position) => row({ kind: 'facts', position, label: 'user', body }))
    }
    const [middle, late] = ['f', 'g'] as [ConversationId, ConversationId]
    await append(tl, 'c', 4)
    await put(tenant, factsBy('c', 0, 1, 2, 3))
    given(await tl.conversation('c').history.fork(4, 'f'))
    await append(tl, 'f', 1)
    await put(tenant, factsBy('f', 0, 1, 3, 4), middle)
    given(await tl.conversation('f').history.fork(5, 'g'))
    await put(tenant, factsBy('g', 0, 3), late)
    const seen = async (of: ConversationId) =>
      (await rowsOf(tenant, { kind: 'facts' }, of))?.map(({ body }) => JSON.parse(body)).join('')
    same([await seen(late), await seen(middle)], ['gfcgf', 'ffcff'], 'before')
    // The edit copies shared rows, so the fork no longer refers to this conversation.
    given(await tl.conversation('f').history.edit(2, { role: 'user', content: 'other' }))
    same([await seen(late), await seen(middle)], ['gfcgf', 'ffff'], 'after an edit')
    same(await seen(id), 'cccc', 'the first')
  },
}
