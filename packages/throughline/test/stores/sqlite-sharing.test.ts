/** Several connections to one file: what each sees, and what none of them may break. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { createThroughline, isThroughlineError } from 'throughline'
import { type SqliteDriver, sqlite } from 'throughline/stores/sqlite'
import { build } from 'throughline/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { faultyDriver } from '../../src/testing/faulty-driver.test-support.ts'
import { inProcesses, testFolder } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

/** A driver that runs other code before each matching statement. */
function interrupted(driver: SqliteDriver, when: RegExp, act: () => void): SqliteDriver {
  const before = (sql: string) => {
    if (when.test(sql)) act()
  }
  return {
    exec: (sql) => {
      before(sql)
      return driver.exec(sql)
    },
    close: () => driver.close(),
    prepare: (sql) => {
      const statement = driver.prepare(sql)
      const acting =
        <Values extends unknown[], Value>(call: (...values: Values) => Value) =>
        (...values: Values) => {
          before(sql)
          return call(...values)
        }
      return {
        run: acting(statement.run.bind(statement)),
        get: acting(statement.get.bind(statement)),
        all: acting(statement.all.bind(statement)),
      }
    },
  }
}

describe('a new file', () => {
  it('can be created by another process while it is opened', async () => {
    const file = folder.file('race.db')
    let made = false
    const driver = interrupted(
      new DatabaseSync(file),
      /user_version|sqlite_schema|journal_mode/,
      () => {
        if (made) return
        made = true
        void sqlite(file).close()
      },
    )
    const tl = createThroughline({ store: sqlite(driver) })
    expect((await tl.conversation('c').append({ role: 'user', content: 'x' })).head).toBe(1)
    await tl.close()
  })

  it('can be opened by many processes at the same instant', { timeout: 60_000 }, async () => {
    const start = Date.now() + 1_500
    const script = `
      import { sqlite } from 'throughline/stores/sqlite'
      for (let round = 0; round < 30; round += 1) {
        while (Date.now() < ${start} + round * 40);
        await sqlite(${JSON.stringify(folder.file('many'))} + round + '.db').close()
      }`
    const codes = await inProcesses(4, script)
    expect(codes).toEqual([0, 0, 0, 0])
  })
})

describe('reading', () => {
  it('sees one state while another connection purges', async () => {
    const file = folder.file('snapshot.db')
    const writer = createThroughline({ store: sqlite(file, { busyTimeoutMs: 0 }) })
    await writer.conversation('c').append([...build().user('a').says('b')])
    await writer.conversation('c').history.fork(1, 'f')
    // Each query of the reader begins one.
    const purges: Promise<unknown>[] = []
    const driver = interrupted(new DatabaseSync(file), /FROM messages/, () => {
      const purge = writer.conversation('c').history.purge({ forks: 'purge' })
      purges.push(purge.catch(() => null))
    })
    const reader = createThroughline({ store: sqlite(driver) })
    const answer = await Array.fromAsync(reader.conversation('f').messages()).catch(
      (error: unknown) => error,
    )
    expect(isThroughlineError(answer)).toBe(false)
    expect(answer).toHaveLength(1)
    expect((await Promise.all(purges))[0]).toMatchObject({ kind: 'purged' })
    expect(await Array.fromAsync(reader.conversation('f').messages())).toEqual([])
    await reader.close()
    await writer.close()
  })

  it('keeps a purge from erasing everything, which the purge reports', async () => {
    const file = folder.file('held.db')
    const tl = createThroughline({ store: sqlite(file, { busyTimeoutMs: 0 }) })
    await tl.conversation('c').append({ role: 'user', content: 'canary-77' })
    const reader = new DatabaseSync(file)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM messages').get()
    expect(await tl.conversation('c').history.purge()).toMatchObject({
      kind: 'purged',
      erased: false,
    })
    reader.exec('COMMIT')
    reader.close()
    await tl.close()
    expect(readFileSync(file).includes('canary-77')).toBe(false)
  })

  it('refuses a conversation that was purged and created again between two pages', async () => {
    const tl = createThroughline()
    const chat = tl.conversation('c')
    const some = (text: string) =>
      Array.from({ length: 700 }, () => ({ role: 'user' as const, content: text }))
    await chat.append(some('old'))
    const read = async () => {
      for await (const { seq } of chat.messages())
        if (seq === 10) {
          await chat.history.purge()
          await chat.append(some('new'))
        }
    }
    await expect(read()).rejects.toMatchObject({ code: 'CONVERSATION_REPLACED' })
  })

  it('refuses to end early when the conversation was purged between two pages', async () => {
    for (const later of [0, 3]) {
      const chat = createThroughline().conversation('c')
      const some = (count: number) =>
        Array.from({ length: count }, () => ({ role: 'user' as const, content: 'x' }))
      await chat.append(some(700))
      const read = async () => {
        for await (const { seq } of chat.messages())
          if (seq === 10) {
            await chat.history.purge()
            await chat.append(some(later))
          }
      }
      await expect(read()).rejects.toMatchObject({ code: 'CONVERSATION_REPLACED' })
    }
  })

  it('ends where the log ends, also at the border of a page', async () => {
    const chat = createThroughline().conversation('c')
    await chat.append(
      Array.from({ length: 1_000 }, () => ({ role: 'user' as const, content: 'x' })),
    )
    expect(await Array.fromAsync(chat.messages())).toHaveLength(1_000)
  })
})

describe('a driver with a transaction of its caller', () => {
  it('is refused, and the transaction continues', async () => {
    const driver = new DatabaseSync(':memory:')
    const tl = createThroughline({ store: sqlite(driver) })
    driver.exec('CREATE TABLE mine (x)')
    driver.exec('BEGIN')
    driver.exec('INSERT INTO mine VALUES (1)')
    await expect(tl.conversation('c').append({ role: 'user', content: 'x' })).rejects.toMatchObject(
      {
        code: 'STORE_FAILED',
      },
    )
    driver.exec('COMMIT')
    expect(driver.prepare('SELECT count(*) AS n FROM mine').get()).toEqual({ n: 1 })
    expect((await tl.conversation('c').append({ role: 'user', content: 'x' })).head).toBe(1)
    await tl.close()
  })
})

it('reports a message that another program changed as corrupt', async () => {
  const driver = new DatabaseSync(':memory:')
  const tl = createThroughline({ store: sqlite(driver) })
  await tl.conversation('c').append({ role: 'user', content: 'x' })
  driver.exec(`UPDATE messages SET body = '{broken'`)
  await expect(Array.fromAsync(tl.conversation('c').messages())).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
  })
  await tl.close()
})

describe('a failed write', () => {
  it.each(['within a transaction', 'no transaction is active'])(
    'leaves no lock, whatever the path and the ids say: "%s"',
    async (words) => {
      const file = folder.file(`${words}.db`)
      const tl = createThroughline({ store: sqlite(file) })
      const chat = tl.conversation(words)
      await chat.append({ role: 'user', content: 'one' })
      const other = new DatabaseSync(file)
      other.exec('ALTER TABLE events RENAME TO elsewhere')
      await expect(chat.append({ role: 'user', content: 'two' })).rejects.toMatchObject({
        code: 'STORE_FAILED',
      })
      other.exec('ALTER TABLE elsewhere RENAME TO events')
      other.close()
      await chat.append({ role: 'user', content: 'three' })
      expect((await chat.info())?.head).toBe(2)
      await tl.close()
    },
  )
})

describe('a transaction that cannot be rolled back', () => {
  const message = { role: 'user', content: 'x' } as const

  /** `unlocked` resolves once the driver has rolled back or closed the connection. */
  function watched(inner: SqliteDriver) {
    const { promise: unlocked, resolve } = Promise.withResolvers<void>()
    const driver: SqliteDriver = {
      prepare: (sql) => inner.prepare(sql),
      exec: (sql) => {
        inner.exec(sql)
        if (sql === 'ROLLBACK') resolve()
      },
      close: () => {
        inner.close()
        resolve()
      },
    }
    return { driver, unlocked }
  }

  function canWrite(file: string): boolean {
    const other = new DatabaseSync(file)
    try {
      other.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK')
      return true
    } catch {
      return false
    } finally {
      other.close()
    }
  }

  it('releases the lock without another call, and the store continues', async () => {
    const file = folder.file('failed-rollback.db')
    const faulty = faultyDriver(new DatabaseSync(file))
    const { driver, unlocked } = watched(faulty)
    const chat = createThroughline({ store: sqlite(driver) }).conversation('c')
    await chat.append(message)
    faulty.arm({ at: 4, when: 'before', resultCode: 10, rollbackToo: true })
    await expect(chat.append(message)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    expect([faulty.fired, canWrite(file)]).toEqual([true, false])
    await unlocked
    expect(canWrite(file)).toBe(true)
    expect((await chat.append(message)).head).toBe(2)
  })

  it('closes its connection if it can never be rolled back', async () => {
    const file = folder.file('no-rollback.db')
    const inner = faultyDriver(new DatabaseSync(file))
    const { driver, unlocked } = watched({
      prepare: (sql) => inner.prepare(sql),
      close: () => inner.close(),
      exec: (sql) => {
        if (sql === 'ROLLBACK') throw new Error('planted')
        return inner.exec(sql)
      },
    })
    const chat = createThroughline({ store: sqlite(driver) }).conversation('c')
    await chat.append(message)
    inner.arm({ at: 4, when: 'before', resultCode: 10 })
    await expect(chat.append(message)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await unlocked
    expect(canWrite(file)).toBe(true)
    await expect(chat.append(message)).rejects.toMatchObject({ code: 'STORE_CLOSED' })
  })
})
