import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { SqliteConnection } from './connection.ts'
import { createTables } from './schema.ts'
import { schemaVersion } from './schema-data.ts'

/** Opens a database in memory that another program has changed before. */
function opened(sql: string) {
  const driver = new DatabaseSync(':memory:')
  driver.exec(sql)
  const count = () => driver.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()
  return { connection: new SqliteConnection(driver, 'A database', 'normal'), count }
}

it('creates the tables once', () => {
  const { connection, count } = opened('')
  createTables(connection, 'A database')
  const created = count()
  createTables(connection, 'A database')
  expect(count()).toEqual(created)
  expect(connection.get('PRAGMA user_version')).toEqual({ user_version: schemaVersion })
})

it('creates no tables beside those that another program created since the file was checked', () => {
  const { connection, count } = opened('CREATE TABLE t (a)')
  expect(() => createTables(connection, 'A database')).toThrow(
    expect.objectContaining({ code: 'STORE_FOREIGN' }),
  )
  expect(count()).toEqual({ tables: 1 })
})
