import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import type { RecordCommand } from '../../ports/store.ts'
import { append, id, row, tenantOf } from '../../testing/store-cases/case.test-support.ts'
import { createThroughline } from '../../throughline.ts'
import { type SqliteDriver, sqlite } from '../sqlite.ts'

/** A store with one conversation, and the statements that a record runs. */
async function recording() {
  const database = new DatabaseSync(':memory:')
  const ran: string[] = []
  const driver: SqliteDriver = {
    close: () => database.close(),
    exec: (sql) => {
      ran.push(sql)
      database.exec(sql)
    },
    prepare: (sql) => {
      const statement = database.prepare(sql)
      const logged = <Value>(answer: () => Value) => {
        ran.push(sql)
        return answer()
      }
      return {
        run: (...values) => logged(() => statement.run(...values)),
        get: (...values) => logged(() => statement.get(...values)),
        all: (...values) => logged(() => statement.all(...values)),
      }
    },
  }
  const store = sqlite(driver)
  await append(createThroughline({ store }), 'c', 2)
  const record = async (command: Omit<RecordCommand, 'id'>, of = id) => {
    ran.length = 0
    const { kind } = await tenantOf(store).record({ id: of, ...command })
    const isSynced = !ran.includes('PRAGMA synchronous = NORMAL')
    return { kind, isSynced, isTransaction: ran.includes('BEGIN IMMEDIATE') }
  }
  return { store, record }
}

const event = { kind: 'conversation-updated', fields: [] } as const
const next = { ...row({ kind: 'request' }), position: 'next' } as const

it('waits for the disk only to record events', async () => {
  const { store, record } = await recording()
  const put = [row()]
  expect(await record({ put })).toMatchObject({ kind: 'recorded', isSynced: false })
  expect(await record({ put, events: [] })).toMatchObject({ isSynced: false })
  expect(await record({ put, events: [event], at: 9 })).toMatchObject({ isSynced: true })
  expect(await record({ put, events: [event, event], at: 9 })).toMatchObject({ isSynced: true })
  await store.close()
})

it('records the next row alone without a transaction', async () => {
  const { store, record } = await recording()
  expect(await record({ put: [next] })).toEqual({
    ...{ kind: 'recorded', isSynced: false, isTransaction: false },
  })
  expect(await record({ put: [next] }, 'missing' as typeof id)).toMatchObject({
    kind: 'not-found',
    isTransaction: false,
  })
  const others: readonly Omit<RecordCommand, 'id'>[] = [
    { put: [next, next] },
    { put: [row()] },
    { put: [] },
    { put: [next], drop: [{ kind: 'asking', key: 'x' }] },
    { put: [next], annotate: { kind: 'receipt', value: { from: 0, to: 1 } } },
    { put: [next], events: [event], at: 9 },
  ]
  for (const command of others)
    expect(await record(command)).toMatchObject({ kind: 'recorded', isTransaction: true })
  const rows = await tenantOf(store).load({ id, rows: [{ kind: 'request' }] })
  expect(rows?.rows[0]?.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6])
  await store.close()
})

it('records nothing for another state of the conversation', async () => {
  const { store, record } = await recording()
  const { serial = 0 } = (await tenantOf(store).load({ id })) ?? {}
  const known = row({ kind: 'receipt', position: 1, bound: 7 })
  await record({ put: [known] })
  const onlyIf = { serial, rewrites: 0, row: known }
  const kindOf = async (changed: Partial<typeof onlyIf>) =>
    (await record({ put: [next], onlyIf: { ...onlyIf, ...changed } })).kind
  expect(await kindOf({})).toBe('recorded')
  expect(await kindOf({ serial: serial + 1 })).toBe('not-found')
  expect(await kindOf({ rewrites: 1 })).toBe('rewritten')
  expect(await kindOf({ row: { ...known, position: 2 } })).toBe('not-found')
  expect(await kindOf({ row: { ...known, bound: 8 } })).toBe('row-changed')
  await store.close()
})
