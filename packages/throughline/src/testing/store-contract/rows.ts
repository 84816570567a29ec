/** Derived rows of any kind: what a store does with them without knowing what they are. */
import type { DerivedRow } from '../../domain/derived-row.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { RowQuery, TenantStore } from '../../ports/store.ts'
import { given, refuses, same } from '../contract.ts'
import { hardText } from '../derived-samples.ts'
import { append, id, tenantOf } from '../noted-facts.ts'
import type { StoreCase } from './case.ts'

const row = (changes: Partial<DerivedRow> = {}): DerivedRow => ({
  kind: 'asking',
  position: 0,
  key: '',
  bound: null,
  label: null,
  body: JSON.stringify(hardText),
  ...changes,
})

const events = [{ kind: 'conversation-updated', fields: [] }] as const

const rowsOf = async (tenant: TenantStore, query: RowQuery, of: ConversationId = id) =>
  (await tenant.load({ id: of, rows: [query] }))?.rows[0] ?? null

const put = async (tenant: TenantStore, rows: readonly DerivedRow[], of: ConversationId = id) => {
  const { version = 0 } = (await tenant.load({ id: of }))?.conversation ?? {}
  return tenant.commit({ id: of, expectedVersion: version, put: rows, events, at: 9 })
}

export const rowCases: readonly StoreCase[] = [
  {
    name: 'loads rows as they were put, by position, key, label and bound, with or without bodies',
    run: async ({ tl, store }) => {
      const tenant = tenantOf(store)
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
        [{ order: 'most', boundTo: 6 }, [b]],
        [{ key: 'k', order: 'last' }, [c, a]],
        [{ label: 'x' }, [a, c]],
        [{ label: null }, [b]],
        [{ span: { from: 2, to: 3 } }, [b]],
        [{ limit: 0 }, []],
        [{ key: { labelOf: { kind: 'view', key: 'v' } } }, []],
      ]
      for (const [more, expected] of asked)
        same(await rowsOf(tenant, { ...query, ...more }), expected, JSON.stringify(more))
      const bare = await rowsOf(tenant, { ...query, bare: true, limit: 1 })
      same(bare, [{ ...a, body: '' }], 'without bodies')
      await put(tenant, [row({ kind: 'view', key: 'v', label: 'k' })])
      const ofView = await rowsOf(tenant, {
        ...query,
        key: { labelOf: { kind: 'view', key: 'v' } },
      })
      same(ofView, [a, c], 'of the label of another row')
      const both = await tenant.load({ id, rows: [query, { kind: 'view', bare: true }] })
      same(
        both?.rows.map((rows) => rows.length),
        [3, 1],
        'of two queries',
      )
    },
  },
  {
    name: 'drops and labels rows by key in the commit that puts others, or in none',
    run: async ({ tl, store }) => {
      const tenant = tenantOf(store)
      await append(tl, 'c', 1)
      await put(tenant, [
        row({ kind: 'view', position: 1, key: 'm' }),
        row({ kind: 'summary', key: 's' }),
      ])
      const command = {
        id,
        expectedVersion: 1,
        drop: [{ kind: 'view', key: 'm' }],
        relabel: [
          { kind: 'summary', key: 's', label: 'withdrawn' },
          { kind: 'summary', key: 'unknown', label: 'withdrawn' },
        ],
        put: [row({ kind: 'view', position: 2, key: 'm' })],
        events,
        at: 9,
      } as const
      const refused = { ...command, put: [row({ kind: 'facts', position: 1 })] }
      await refuses('INVARIANT_BROKEN', 'a row of no message', () => tenant.commit(refused))
      const seen = async () => [
        (await rowsOf(tenant, { kind: 'view' }))?.map(({ position }) => position),
        (await rowsOf(tenant, { kind: 'summary' }))?.map(({ label }) => label),
      ]
      same(await seen(), [[1], [null]], 'behind a commit that was refused')
      await tenant.commit(command)
      same(await seen(), [[2], ['withdrawn']], 'behind the commit')
    },
  },
  {
    name: 'records under a guard only where conversation, history and row are the same',
    run: async ({ tl, store }) => {
      const tenant = tenantOf(store)
      await append(tl, 'c', 2)
      const waiting = row({ kind: 'receipt', position: 1, bound: 4 })
      await put(tenant, [waiting])
      const { serial = -1 } = (await tenant.load({ id })) ?? {}
      const only = { serial, rewrites: 0, row: waiting }
      const done = { ...waiting, bound: null }
      const command = { id, put: [done], only, events, at: 11 }
      const count = async () => (await tenant.events({ id, after: 0, limit: 99 }))?.length
      const before = await count()
      const kindOf = async (guard: Partial<typeof only>) =>
        (await tenant.record({ ...command, only: { ...only, ...guard } })).kind
      same(await kindOf({ serial: serial + 1 }), 'not-found', 'another conversation')
      same(await kindOf({ rewrites: 1 }), 'rewritten', 'another history')
      same(await kindOf({ row: { ...waiting, bound: 5 } }), 'row-changed', 'another bound')
      same(await kindOf({ row: { ...waiting, position: 2 } }), 'not-found', 'another row')
      same(await rowsOf(tenant, { kind: 'receipt' }), [waiting], 'what is there')
      same(await count(), before, 'events')
      same(await tenant.record(command), { kind: 'recorded' }, 'the same')
      same(await tenant.record(command), { kind: 'row-changed' }, 'once more')
      same(await rowsOf(tenant, { kind: 'receipt' }), [done], 'what was recorded')
      same(await count(), (before ?? 0) + 1, 'one event')
    },
  },
  {
    name: 'leaves what was spent on models to no fork, nor to a conversation begun anew',
    run: async ({ tl, store }) => {
      const tenant = tenantOf(store)
      await append(tl, 'c', 2)
      await put(tenant, [row()])
      const turn = row({ kind: 'turn', position: 1, bound: 2 })
      await put(tenant, [turn])
      given(await tl.conversation('c').history.fork(2, 'f'))
      same(await rowsOf(tenant, { kind: 'asking' }, 'f' as ConversationId), [], 'of a fork')
      same(await rowsOf(tenant, { kind: 'turn' }, 'f' as ConversationId), [turn], 'its turns')
      same(await rowsOf(tenant, { kind: 'asking' }), [row()], 'of its source')
      same(await rowsOf(tenant, { kind: 'turn' }), [turn], 'turns of its source')
      await tl.conversation('c').history.purge({ forks: 'purge' })
      await append(tl, 'c', 2)
      for (const kind of ['asking', 'turn'] as const)
        same(await rowsOf(tenant, { kind }), [], `${kind} of a new one`)
    },
  },
  {
    name: 'keeps the rows of a fork as they are where its source gets rows of its own',
    run: async ({ tl, store }) => {
      const tenant = tenantOf(store)
      const fact = (position: number, by: string) =>
        row({ kind: 'facts', position, label: 'user', body: JSON.stringify(by) })
      const [middle, late] = ['f', 'g'] as [ConversationId, ConversationId]
      await append(tl, 'c', 4)
      await put(
        tenant,
        [0, 1, 2, 3].map((seq) => fact(seq, 'c')),
      )
      given(await tl.conversation('c').history.fork(4, 'f'))
      await append(tl, 'f', 1)
      await put(
        tenant,
        [0, 1, 3, 4].map((seq) => fact(seq, 'f')),
        middle,
      )
      given(await tl.conversation('f').history.fork(5, 'g'))
      await put(tenant, [fact(0, 'g'), fact(3, 'g')], late)
      const seen = async (of: ConversationId) =>
        (await rowsOf(tenant, { kind: 'facts' }, of))?.map(({ body }) => JSON.parse(body)).join('')
      same([await seen(late), await seen(middle)], ['gfcgf', 'ffcff'], 'before')
      // From there on the source of the fork has rows of its own, and is referred to no longer.
      given(await tl.conversation('f').history.edit(2, { role: 'user', content: 'other' }))
      same([await seen(late), await seen(middle)], ['gfcgf', 'ffff'], 'behind an edit')
      same(await seen(id), 'cccc', 'the first')
    },
  },
]
