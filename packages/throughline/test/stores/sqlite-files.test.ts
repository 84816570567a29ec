import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { createThroughline, type Store } from 'throughline'
import { type SqliteDriver, sqlite } from 'throughline/stores/sqlite'
import { build } from 'throughline/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConversation } from '../../src/derived/state.ts'
import { inProcesses, integrity, testFolder } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const refusal = (open: () => Store) => {
  try {
    open()
  } catch (error) {
    return error
  }
  return null
}

/** Whether a test may mount file systems, which some container runtimes forbid. */
const mounts = spawnSync('unshare', ['-rm', 'true']).status === 0

describe('a file on a medium that is read-only', () => {
  it.skipIf(!mounts)('is refused as read-only, whether the file exists or not', async () => {
    const path = folder.file('medium')
    mkdirSync(path)
    await createThroughline({ store: sqlite(`${path}/there.db`) }).close()
    const script = `
      import { sqlite } from 'throughline/stores/sqlite'
      for (const name of ['there.db', 'missing.db'])
        try { sqlite('${path}/' + name); console.log('opened') }
        catch (error) { console.log(error.code) }
      await sqlite('${path}/there.db', { readOnly: true }).close()`
    const seal = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
    const node = [process.execPath, '--conditions=throughline-source', '--input-type=module']
    const { stdout, stderr } = spawnSync(
      'unshare',
      ['-rm', 'sh', '-c', seal, 'sh', path, ...node, '-e', script],
      { encoding: 'utf8', cwd: import.meta.dirname },
    )
    expect([stdout, stderr]).toEqual(['STORE_READ_ONLY\nSTORE_READ_ONLY\n', ''])
  })
})

describe('a file that the store must not write', () => {
  it('is refused and left as it is when it is no database', () => {
    const file = folder.file('text.db')
    writeFileSync(file, 'these are my notes, and not a database at all\n'.repeat(100))
    expectUntouched(file, 'STORE_CORRUPT')
  })

  it('is refused and left as it is when its first page is damaged', async () => {
    const file = folder.file('damaged.db')
    const tl = createThroughline({ store: sqlite(file) })
    await tl.conversation('c').append({ role: 'user', content: 'x'.repeat(10_000) })
    await tl.close()
    const bytes = readFileSync(file)
    bytes.fill(0xab, 100, 4_000)
    writeFileSync(file, bytes)
    expectUntouched(file, 'STORE_CORRUPT')
  })

  it('is refused and left as it is when a newer version wrote it', async () => {
    const file = folder.file('newer.db')
    await createThroughline({ store: sqlite(file) }).close()
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 999')
    database.close()
    expectUntouched(file, 'STORE_NEWER')
  })

  it('is refused and left as it is when an older version wrote it, with a hint', async () => {
    const file = folder.file('older.db')
    await createThroughline({ store: sqlite(file) }).close()
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 15')
    database.close()
    expectUntouched(file, 'STORE_OLDER')
    expect(() => sqlite(file)).toThrow(
      /has schema version 15; this release knows 17\. Export its conversations with the older/,
    )
  })

  it('is refused and left as it is when it is the database of another program', () => {
    const file = folder.file('foreign.db')
    const database = new DatabaseSync(file)
    database.exec('CREATE TABLE bookmarks (url TEXT)')
    database.close()
    expectUntouched(file, 'STORE_FOREIGN')
  })

  it('is refused with its log unchanged, when another program has not closed it', () => {
    const file = folder.file('foreign-log.db')
    const database = new DatabaseSync(file)
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE bookmarks (url TEXT)')
    const [whole, log] = [readFileSync(file), readFileSync(`${file}-wal`)]
    database.close()
    writeFileSync(file, whole)
    writeFileSync(`${file}-wal`, log)
    expectUntouched(file, 'STORE_FOREIGN')
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true)
  })

  it('is refused when it is a folder', () => {
    const path = folder.file('folder')
    mkdirSync(path)
    expect(refusal(() => sqlite(path))).toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`SQLite file "${path}" is a folder; name a file in it`),
    })
  })

  it('is refused when its folder is missing, which is named and not created', () => {
    expect(refusal(() => sqlite(folder.file('no/such/folder/x.db')))).toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(
        `the folder "${folder.file('no/such/folder')}" does not exist; create it first`,
      ),
    })
    expect(existsSync(folder.file('no'))).toBe(false)
  })

  it('is refused when its folder is a file', () => {
    const path = folder.file('notes.txt')
    writeFileSync(path, 'notes')
    expect(refusal(() => sqlite(`${path}/x.db`))).toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`"${path}" is not a folder`),
    })
  })

  function expectUntouched(file: string, code: string): void {
    const before = readFileSync(file)
    expect(refusal(() => sqlite(file))).toMatchObject({ code })
    expect(readFileSync(file).equals(before)).toBe(true)
  }
})

describe('options of the SQLite store', () => {
  it('are refused when unknown or out of range', () => {
    const bad: readonly unknown[] = [
      { durable: true },
      { durability: 'fast' },
      { busyTimeoutMs: -1 },
      { busyTimeoutMs: 0.5 },
      { busyTimeoutMs: 2 ** 31 },
      { readOnly: 'yes' },
    ]
    for (const options of bad)
      expect(refusal(() => sqlite(folder.file('options.db'), options as object))).toMatchObject({
        code: 'CONFIG_INVALID',
      })
  })

  it('may wait for a lock as long as SQLite can, or not at all', async () => {
    for (const busyTimeoutMs of [0, 2 ** 31 - 1]) {
      const driver = new DatabaseSync(folder.file(`busy-${busyTimeoutMs}.db`))
      const store = sqlite(driver, { busyTimeoutMs })
      expect(driver.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: busyTimeoutMs })
      await store.close()
    }
  })

  it('do not depend on the defaults of a driver', async () => {
    const driver = new DatabaseSync(folder.file('defaults.db'), {
      enableForeignKeyConstraints: false,
    })
    const store = sqlite(driver)
    expect(driver.prepare('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 })
    expect(driver.prepare('PRAGMA secure_delete').get()).toEqual({ secure_delete: 1 })
    await store.close()
  })

  it('decide whether a commit waits for the disk', async () => {
    for (const [durability, synchronous] of [
      ['full', 2],
      ['normal', 1],
    ] as const) {
      const driver = new DatabaseSync(folder.file(`${durability}.db`))
      const store = sqlite(driver, { durability })
      expect(driver.prepare('PRAGMA synchronous').get()).toEqual({ synchronous })
      expect(driver.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
      await store.close()
    }
  })
})

describe('a SQLite file', () => {
  it('can only be read by its owner', async () => {
    const file = folder.file('private.db')
    const tl = createThroughline({ store: sqlite(file) })
    await tl.conversation('c').append({ role: 'user', content: 'secret' })
    for (const suffix of ['', '-wal', '-shm'])
      expect(statSync(file + suffix).mode & 0o777).toBe(0o600)
    await tl.close()
  })

  it('keeps everything when it is closed and opened again', async () => {
    const file = folder.file('again.db')
    const first = createThroughline({ store: sqlite(file) })
    await first.conversation('c').append([...build().user('a').calls('read')], { key: 'k' })
    const before = await Array.fromAsync(first.conversation('c').messages())
    await first.close()
    const second = createThroughline({ store: sqlite(file) })
    expect(await Array.fromAsync(second.conversation('c').messages())).toEqual(before)
    const again = await second
      .conversation('c')
      .append([...build().user('a').calls('read')], { key: 'k' })
    expect(again.entries.map((entry) => entry.repeated)).toEqual([true, true])
    const late = await second
      .conversation('c')
      .append([...build().calls('x').result('done')].slice(1))
    expect(late.entries[0]?.marks).toEqual([])
    await second.close()
  })

  it('has no byte of a purged conversation', async () => {
    const file = folder.file('purge.db')
    const canary = 'canary-4f1d9a7c'
    const tl = createThroughline({ store: sqlite(file) })
    await tl.begin(`${canary}-id`, { title: canary, meta: { canary } })
    const chat = tl.conversation(`${canary}-id`)
    for (let turn = 0; turn < 20; turn += 1)
      await chat.append({
        role: 'user',
        content: [
          { type: 'text', text: canary.repeat(turn * 40) },
          {
            type: 'file',
            mediaType: 'text/plain',
            data: new TextEncoder().encode(`${canary} ${turn}`),
          },
          { type: 'tool-call', callId: `${canary}-${turn}`, name: canary, input: {} },
        ],
        key: `${canary}-${turn}`,
        raw: `{"raw": "${canary}"}`,
      })
    await tl.conversation('other').append({ role: 'user', content: 'stays' })
    expect(readFileSync(`${file}-wal`).includes(canary)).toBe(true)
    await chat.history.purge()
    for (const suffix of ['', '-wal'])
      expect(readFileSync(file + suffix).includes(canary)).toBe(false)
    expect((await tl.conversation('other').info())?.head).toBe(1)
    await tl.close()
    expect(readFileSync(file).includes(canary)).toBe(false)
  })

  it('reports a full disk with a code, and continues when there is room', async () => {
    const driver = new DatabaseSync(folder.file('full.db'))
    const tl = createThroughline({ store: sqlite(driver) })
    const chat = tl.conversation('c')
    await chat.append({ role: 'user', content: 'fits' })
    driver.exec('PRAGMA max_page_count = 30')
    await expect(
      chat.append({ role: 'user', content: 'x'.repeat(1_000_000) }),
    ).rejects.toMatchObject({
      code: 'STORE_FULL',
      retryable: true,
    })
    expect((await chat.info())?.head).toBe(1)
    driver.exec('PRAGMA max_page_count = 100000')
    expect((await chat.append({ role: 'user', content: 'x'.repeat(1_000_000) })).head).toBe(2)
    await tl.close()
  })

  it('reports the lock of another process with a code, after waiting', async () => {
    const file = folder.file('busy.db')
    const tl = createThroughline({ store: sqlite(file, { busyTimeoutMs: 50 }) })
    await tl.conversation('c').append({ role: 'user', content: 'a' })
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    await expect(tl.conversation('c').append({ role: 'user', content: 'b' })).rejects.toMatchObject(
      {
        code: 'STORE_BUSY',
        retryable: true,
      },
    )
    other.exec('ROLLBACK')
    expect((await tl.conversation('c').append({ role: 'user', content: 'b' })).head).toBe(2)
    other.close()
    await tl.close()
  })

  it('opens no file that another process locks, and opens it afterwards', async () => {
    const file = folder.file('locked.db')
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    const open = () => sqlite(file, { busyTimeoutMs: 0 })
    expect(open).toThrow(expect.objectContaining({ code: 'STORE_BUSY', retryable: true }))
    other.exec('ROLLBACK')
    await open().close()
    other.close()
  })

  it('gives dense positions to several processes that write at once', async () => {
    const file = folder.file('processes.db')
    const script = `
      import { createThroughline } from 'throughline'
      import { sqlite } from 'throughline/stores/sqlite'
      const tl = createThroughline({ store: sqlite(${JSON.stringify(file)}, { durability: 'normal' }) })
      for (let turn = 0; turn < 100; turn += 1)
        await tl.conversation('c').append({ role: 'user', content: process.pid + ' ' + turn, key: 'shared-' + turn % 10 + process.pid })
          .catch((error) => { if (error.code !== 'KEY_CONFLICT') throw error })
      await tl.close()`
    const codes = await inProcesses(4, script)
    expect(codes).toEqual([0, 0, 0, 0])
    const tl = createThroughline({ store: sqlite(file) })
    const messages = await Array.fromAsync(tl.conversation('c').messages())
    expect(messages.map((message) => message.seq)).toEqual(
      Array.from({ length: 40 }, (_, seq) => seq),
    )
    expect(new Set(messages.map((message) => message.key)).size).toBe(40)
    await tl.close()
    expect(integrity(file)).toBe('ok')
  })
})

describe('a SQLite file that is only read', () => {
  const written = async (name: string): Promise<string> => {
    const file = folder.file(name)
    const tl = createThroughline({ store: sqlite(file) })
    await tl.conversation('c').append({ role: 'user', content: 'a' })
    await tl.close()
    return file
  }

  it('is read, refuses writes, and creates no other file', async () => {
    const file = await written('read-only.db')
    const before = readFileSync(file)
    const tl = createThroughline({ store: sqlite(file, { readOnly: true }) })
    expect((await tl.conversation('c').info())?.head).toBe(1)
    await expect(tl.conversation('c').append({ role: 'user', content: 'b' })).rejects.toMatchObject(
      { code: 'STORE_READ_ONLY', retryable: false },
    )
    for (const suffix of ['-wal', '-shm']) expect(existsSync(file + suffix)).toBe(false)
    await tl.close()
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('shows commits of others that are still in the log', async () => {
    const file = await written('read-beside.db')
    const writer = createThroughline({ store: sqlite(file) })
    await writer.conversation('c').append({ role: 'user', content: 'b' })
    const tl = createThroughline({ store: sqlite(file, { readOnly: true }) })
    expect((await tl.conversation('c').info())?.head).toBe(2)
    await writer.conversation('c').append({ role: 'user', content: 'c' })
    expect((await tl.conversation('c').info())?.head).toBe(3)
    await tl.close()
    await writer.close()
  })

  it('never mixes two states when another process writes meanwhile', async () => {
    const file = await written('read-changed.db')
    // Some file systems have a time resolution of a few milliseconds.
    utimesSync(file, new Date(0), new Date(0))
    const tl = createThroughline({ store: sqlite(file, { readOnly: true }) })
    expect((await tl.conversation('c').info())?.head).toBe(1)
    const writer = createThroughline({ store: sqlite(file) })
    await writer.conversation('c').append({ role: 'user', content: 'b' })
    expect((await tl.conversation('c').info())?.head).toBe(1)
    await writer.close()
    await expect(tl.conversation('c').info()).rejects.toMatchObject({
      code: 'STORE_BUSY',
      retryable: true,
    })
    await tl.close()
    const again = createThroughline({ store: sqlite(file, { readOnly: true }) })
    expect((await again.conversation('c').info())?.head).toBe(2)
    await again.close()
  })

  it('is not created if it is missing', () => {
    const file = folder.file('read-missing.db')
    expect(refusal(() => sqlite(file, { readOnly: true }))).toMatchObject({ code: 'STORE_FAILED' })
    expect(existsSync(file)).toBe(false)
  })
})

describe('a driver of the caller', () => {
  it('is never given undefined, which better-sqlite3 would store as null', async () => {
    const Database = createRequire(import.meta.url)('better-sqlite3') as new (
      file: string,
    ) => SqliteDriver
    const store = sqlite(new Database(':memory:'))
    const tenant = store.tenant('t' as never)
    const broken = {
      id: 'c' as never,
      title: undefined as never,
      meta: null,
      parent: null,
      forkedFrom: null,
      at: 0,
    }
    await expect(tenant.create(broken)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    expect(await loadConversation(tenant, 'c' as never)).toBeNull()
    await store.close()
  })
})
