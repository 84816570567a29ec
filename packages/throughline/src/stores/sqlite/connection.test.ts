import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ThroughlineError } from '../../errors.ts'
import { SqliteConnection, type SqliteDriver, storeError } from './connection.ts'

const failed = (errcode: number) => Object.assign(new Error(`failed ${errcode}`), { errcode })
const [plainError, diskError] = [failed(1), failed(10)]

/** A driver that records statements, and fails where `errors` has an error for one. */
function fakeDriver(state: Pick<SqliteDriver, 'isTransaction' | 'inTransaction'> = {}) {
  const ran: string[] = []
  const prepared: string[] = []
  const errors = new Map<string, Error>()
  const call = (sql: string) => {
    ran.push(sql)
    const error = errors.get(sql)
    if (error !== undefined) throw error
    return sql === 'nothing' ? undefined : { found: sql }
  }
  const driver: SqliteDriver = {
    exec: call,
    prepare: (sql) => {
      prepared.push(sql)
      return {
        run: () => call(sql),
        get: () => call(sql),
        all: () => [call(sql)],
      }
    },
    close: () => call('close'),
    ...state,
  }
  return { driver, ran, prepared, errors }
}

function opened(
  state: Parameters<typeof fakeDriver>[0] = {},
  durability: 'full' | 'normal' = 'normal',
) {
  const fake = fakeDriver(state)
  return { ...fake, connection: new SqliteConnection(fake.driver, 'the file', durability) }
}

const withCode = (code: string) => expect.objectContaining({ code })

describe('statements', () => {
  it('are prepared once, and return their rows', () => {
    const { connection, prepared } = opened()
    expect(connection.get('one')).toEqual({ found: 'one' })
    expect(connection.get('one')).toEqual({ found: 'one' })
    expect(connection.get('nothing')).toBeNull()
    expect(connection.all('two')).toEqual([{ found: 'two' }])
    expect(prepared).toEqual(['one', 'nothing', 'two'])
  })

  it('are not run with undefined', () => {
    const { connection, ran } = opened()
    expect(() => connection.run('one', [undefined as never])).toThrow('a value for "one"')
    expect(ran).toEqual([])
  })

  it('insert and update rows', () => {
    const { connection, prepared } = opened()
    connection.insert('t', { a: 1, b: 'x' })
    connection.update('t', { a: 1, b: 'x' }, 'c = ?', [2])
    expect(prepared).toEqual([
      'INSERT INTO t (a,b) VALUES (?,?)',
      'UPDATE t SET a = ?, b = ? WHERE c = ?',
    ])
  })

  it('fail after the connection was closed, which happens once', () => {
    const { connection, ran } = opened()
    connection.close()
    connection.close()
    expect(ran).toEqual(['close'])
    expect(() => connection.run('one')).toThrow(withCode('STORE_CLOSED'))
    expect(() => connection.run('one')).toThrow('the file was closed')
  })

  it('report an error of closing with a code', () => {
    const { connection, errors } = opened()
    errors.set('close', failed(5))
    expect(() => connection.close()).toThrow(withCode('STORE_BUSY'))
  })
})

describe('a transaction', () => {
  it('takes the write lock at once if it writes', () => {
    const { connection, ran } = opened()
    expect(connection.write(() => connection.get('one'))).toEqual({ found: 'one' })
    expect(connection.read(() => 7)).toBe(7)
    expect(ran).toEqual(['BEGIN IMMEDIATE', 'one', 'COMMIT', 'BEGIN', 'COMMIT'])
  })

  const failing = new ThroughlineError('STORE_FULL', 'no room')
  const fail = () => {
    throw failing
  }

  it.each([
    [{}, ['BEGIN', 'ROLLBACK']],
    [{ isTransaction: true }, ['BEGIN', 'ROLLBACK']],
    [{ inTransaction: true }, ['BEGIN', 'ROLLBACK']],
    // After some errors SQLite has ended it.
    [{ isTransaction: false }, ['BEGIN']],
    [{ inTransaction: false }, ['BEGIN']],
  ])('that fails is rolled back: %o', (state, statements) => {
    const { connection, ran } = opened(state)
    expect(() => connection.read(fail)).toThrow(failing)
    expect(ran).toEqual(statements)
    connection.run('next')
    expect(ran).toEqual([...statements, 'next'])
  })

  it.each([
    // An open transaction of the caller makes BEGIN fail with SQLITE_ERROR.
    [{}, plainError, false],
    [{}, diskError, true],
    [{ isTransaction: true }, diskError, false],
  ])('that cannot begin (%o, %s) may be one of the caller', (state, error, isRolledBack) => {
    const { connection, ran, errors } = opened(state)
    errors.set('BEGIN', error)
    expect(() => connection.read(() => 7)).toThrow(withCode('STORE_FAILED'))
    expect(ran.includes('ROLLBACK')).toBe(isRolledBack)
  })

  it('that was not open before BEGIN, but is afterwards, is ours', () => {
    let isOpen = false
    const { driver, ran, errors } = fakeDriver()
    const watched: SqliteDriver = {
      ...driver,
      prepare: (sql) => {
        isOpen = true
        return driver.prepare(sql)
      },
      get isTransaction() {
        return isOpen
      },
    }
    errors.set('BEGIN', plainError)
    const connection = new SqliteConnection(watched, 'the file', 'normal')
    expect(() => connection.read(() => 7)).toThrow('failed 1')
    expect(ran).toEqual(['BEGIN', 'ROLLBACK'])
  })
})

describe('a transaction that cannot be rolled back', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  /** A connection in this state, and how often it tried to roll back. */
  function stuck(error: Error = diskError) {
    const fake = opened()
    fake.errors.set('ROLLBACK', error)
    expect(() =>
      fake.connection.read(() => {
        throw new Error('first')
      }),
    ).toThrow('first')
    return { ...fake, tries: () => fake.ran.filter((sql) => sql === 'ROLLBACK').length }
  }

  it('is over if SQLite says that there is none', () => {
    const { connection, tries } = stuck(plainError)
    connection.run('next')
    vi.advanceTimersByTime(10_000)
    expect(tries()).toBe(1)
  })

  it('stays open if the driver says so, whatever the error', () => {
    const { connection, errors, ran } = opened({ isTransaction: true })
    errors.set('ROLLBACK', plainError)
    expect(() =>
      connection.read(() => {
        throw new Error('first')
      }),
    ).toThrow('first')
    expect(() => connection.run('next')).toThrow('cannot be rolled back')
    expect(ran).not.toContain('next')
  })

  it('lets no statement run, and is tried again before each', () => {
    const { connection, errors, ran, tries } = stuck()
    expect(() => connection.run('next')).toThrow('cannot be rolled back; close the store')
    expect(tries()).toBe(2)
    expect(ran).not.toContain('next')
    errors.clear()
    connection.run('next')
    connection.run('last')
    expect(ran.slice(-3)).toEqual(['ROLLBACK', 'next', 'last'])
    vi.advanceTimersByTime(10_000)
    expect(tries()).toBe(3)
  })

  it('is tried again every 50 ms, until it succeeds', () => {
    const { connection, errors, tries } = stuck()
    vi.advanceTimersByTime(49)
    expect(tries()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(tries()).toBe(2)
    vi.advanceTimersByTime(100)
    expect(tries()).toBe(4)
    errors.clear()
    vi.advanceTimersByTime(10_000)
    expect(tries()).toBe(5)
    connection.run('next')
  })

  it('ends with the connection after a second', () => {
    const { ran, connection, tries } = stuck()
    vi.advanceTimersByTime(20 * 50 - 1)
    expect([tries(), ran.includes('close')]).toEqual([20, false])
    vi.advanceTimersByTime(1)
    expect([tries(), ran.includes('close')]).toEqual([20, true])
    expect(() => connection.run('next')).toThrow(withCode('STORE_CLOSED'))
    vi.advanceTimersByTime(10_000)
    expect(tries()).toBe(20)
  })

  it('is not tried again after the connection was closed', () => {
    const { connection, tries } = stuck()
    connection.close()
    vi.advanceTimersByTime(10_000)
    expect(tries()).toBe(1)
  })

  it('has one timer, however many statements failed', () => {
    const { connection } = stuck()
    for (const _ of [1, 2, 3]) expect(() => connection.run('next')).toThrow('rolled back')
    expect(vi.getTimerCount()).toBe(1)
  })
})

describe('a write that need not wait for the disk', () => {
  const [off, on] = ['PRAGMA synchronous = NORMAL', 'PRAGMA synchronous = FULL']

  it('turns the sync off and on again', () => {
    const { connection, ran } = opened({}, 'full')
    expect(connection.withoutSync(() => connection.get('one'))).toEqual({ found: 'one' })
    expect(ran).toEqual([off, 'one', on])
    ran.length = 0
    connection.writeWithoutSync(() => connection.run('two'))
    expect(ran).toEqual([off, 'BEGIN IMMEDIATE', 'two', 'COMMIT', on])
    ran.length = 0
    connection.write(() => connection.run('three'))
    expect(ran).toEqual(['BEGIN IMMEDIATE', 'three', 'COMMIT'])
  })

  it('changes nothing where no write waits', () => {
    const { connection, ran } = opened({}, 'normal')
    connection.writeWithoutSync(() => connection.run('one'))
    expect(ran).toEqual(['BEGIN IMMEDIATE', 'one', 'COMMIT'])
  })

  it('turns the sync on also if it fails', () => {
    const { connection, ran, errors } = opened({}, 'full')
    errors.set('one', diskError)
    expect(() => connection.withoutSync(() => connection.run('one'))).toThrow('failed 10')
    expect(ran).toEqual([off, 'one', on])
  })

  it('is done though the sync cannot be turned on, which the next write does first', () => {
    const { connection, ran, errors } = opened({}, 'full')
    errors.set(on, diskError)
    connection.withoutSync(() => connection.run('one'))
    expect(() => connection.write(() => connection.run('two'))).toThrow('failed 10')
    expect(ran).toEqual([off, 'one', on, on])
    errors.clear()
    ran.length = 0
    for (const sql of ['two', 'three']) connection.write(() => connection.run(sql))
    const begin = 'BEGIN IMMEDIATE'
    expect(ran).toEqual([on, begin, 'two', 'COMMIT', begin, 'three', 'COMMIT'])
  })
})

describe('an error of a driver', () => {
  const codeOf = (cause: unknown) => storeError(cause, 'the file').code

  it.each([
    [5, 'SQLITE_BUSY', 'STORE_BUSY'],
    [6, 'SQLITE_LOCKED', 'STORE_BUSY'],
    [8, 'SQLITE_READONLY', 'STORE_READ_ONLY'],
    [11, 'SQLITE_CORRUPT', 'STORE_CORRUPT'],
    [13, 'SQLITE_FULL', 'STORE_FULL'],
    [26, 'SQLITE_NOTADB', 'STORE_CORRUPT'],
    [1, 'SQLITE_ERROR', 'STORE_FAILED'],
    [7, 'SQLITE_NOMEM', 'STORE_FAILED'],
  ])('with number %i or name %s is %s', (errcode, name, code) => {
    expect(codeOf({ errcode, code: 'ERR_SQLITE_ERROR' })).toBe(code)
    // Extended result codes.
    expect(codeOf({ errcode: errcode + 256 * 3 })).toBe(code)
    expect(codeOf({ code: name })).toBe(code)
    expect(codeOf({ code: `${name}_SNAPSHOT` })).toBe(code)
    expect(codeOf({ code: `NO_${name}` })).toBe('STORE_FAILED')
  })

  it('has a message with the file and the reason', () => {
    expect(storeError(diskError, 'the file')).toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('the file: failed 10'),
      cause: diskError,
    })
    for (const cause of [null, undefined, 'words'])
      expect(storeError(cause, 'the file').message).toContain(`the file: ${cause}`)
    const own = new ThroughlineError('STORE_FULL', 'no room')
    expect(storeError(own, 'the file')).toBe(own)
  })
})
