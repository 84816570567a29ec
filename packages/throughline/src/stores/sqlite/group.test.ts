import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { conversationId, tenantId } from '../../domain/ids.ts'
import type { SqliteDriver } from './connection.ts'
import { openConnection } from './open-connection.ts'
import { writesOf } from './tenant.ts'

function logged() {
  const database = new DatabaseSync(':memory:')
  const ran: string[] = []
  const log = (sql: string) => {
    if (/^(?:BEGIN|COMMIT|ROLLBACK|PRAGMA synchronous)/.test(sql)) ran.push(sql)
  }
  const driver: SqliteDriver = {
    close: () => database.close(),
    exec: (sql) => {
      log(sql)
      database.exec(sql)
    },
    prepare: (sql) => {
      const statement = database.prepare(sql)
      return {
        run: (...values) => {
          log(sql)
          return statement.run(...values)
        },
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
      }
    },
    get isTransaction() {
      return database.isTransaction
    },
  }
  const connection = openConnection(driver, {
    ...{ durability: 'full', busyTimeoutMs: 1, readOnly: false, erasesAtOpen: true },
  })
  ran.length = 0
  const writes = writesOf({ connection, tenant: tenantId('t') })
  const create = (id: string) =>
    writes.create({
      ...{ id: conversationId(id), title: null, meta: null, parent: null, forkedFrom: null },
      at: 1,
    }).kind
  const count = () => Number(connection.get('SELECT count(*) AS n FROM conversations')?.['n'])
  return { connection, writes, create, count, ran }
}

it('writes a group in one transaction', () => {
  const { connection, create, count, ran } = logged()
  expect(connection.group(true, () => [create('a'), create('b'), create('a')])).toEqual([
    ...['created', 'created', 'exists'],
  ])
  expect(ran).toEqual(['BEGIN IMMEDIATE', 'COMMIT'])
  expect(count()).toBe(2)
  connection.close()
})

it('stores nothing of a group in which a write fails, and the next write alone', () => {
  const { connection, create, count, ran } = logged()
  const fail = () =>
    connection.group(true, () => {
      create('a')
      throw new Error('refused')
    })
  expect(fail).toThrow('refused')
  expect(count()).toBe(0)
  ran.length = 0
  create('b')
  expect(ran).toEqual(['BEGIN IMMEDIATE', 'COMMIT'])
  connection.close()
})

it('does not wait for the disk where no write of the group does', () => {
  const { connection, writes, create, ran } = logged()
  create('a')
  ran.length = 0
  const id = conversationId('a')
  const record = () => writes.record({ id, drop: [{ kind: 'request', key: 'x' }] }).kind
  expect(connection.group(false, () => [record(), record()])).toEqual(['recorded', 'recorded'])
  expect(ran).toEqual([
    'PRAGMA synchronous = NORMAL',
    ...['BEGIN IMMEDIATE', 'COMMIT'],
    'PRAGMA synchronous = FULL',
  ])
  connection.close()
})
