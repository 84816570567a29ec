import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { ConversationId } from '../../domain/ids.ts'
import type { Store } from '../../ports/store.ts'
import { sha256 } from '../../system.ts'
import { row, tenantOf } from '../../testing/store-cases/case.test-support.ts'
import { jsonFile } from '../json-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
let files = 0
const newFile = () => join(folder, `${files++}.json`)
afterAll(() => rmSync(folder, { recursive: true }))

const id = 'c' as ConversationId
const empty = { title: null, meta: null, parent: null, forkedFrom: null, at: 5 }
const create = (store: Store, name = 'c') =>
  tenantOf(store).create({ id: name as ConversationId, ...empty })

const withCode = (code: string) => expect.objectContaining({ code })

describe('a change of a JSON file', () => {
  it('is written at once with its events, and later without any', async () => {
    const file = newFile()
    const store = jsonFile(file)
    await create(store)
    const put = [row({ key: 'found', body: '"later"' })]
    const before = readFileSync(file, 'utf8')
    await tenantOf(store).record({ id, put })
    expect(readFileSync(file, 'utf8')).toBe(before)
    const events = [{ kind: 'conversation-updated', fields: [] }] as const
    await tenantOf(store).record({ id, put: [row({ key: 'other' })], events, at: 9 })
    expect(readFileSync(file, 'utf8')).toContain('later')
    await tenantOf(store).record({ id, put: [row({ key: 'third' })] })
    expect(readFileSync(file, 'utf8')).not.toContain('third')
    await store.close()
    expect(readFileSync(file, 'utf8')).toContain('third')
  })

  it('is not needed to read and close it', async () => {
    const file = newFile()
    const store = jsonFile(file)
    await create(store)
    await store.close()
    const formatted = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')), null, 1)
    writeFileSync(file, formatted)
    const again = jsonFile(file)
    expect((await tenantOf(again).load({ id }))?.conversation.createdAt).toBe(5)
    await again.close()
    expect(readFileSync(file, 'utf8')).toBe(formatted)
  })

  it('keeps the mode of the file, and a link to it', async () => {
    const file = newFile()
    const link = newFile()
    const store = jsonFile(file)
    await create(store)
    await store.close()
    // A new file would not be created with this mode.
    chmodSync(file, 0o666)
    symlinkSync(file, link)
    const linked = jsonFile(link)
    await create(linked, 'other')
    await linked.close()
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o666)
    expect(readFileSync(file, 'utf8')).toContain('"other"')
  })
})

describe('a write of a JSON file', () => {
  const fs = process.getBuiltinModule('node:fs')
  afterEach(() => vi.restoreAllMocks())

  it('reaches the disk before it is acknowledged, and leaves no file open', async () => {
    const file = newFile()
    const store = jsonFile(file)
    const calls: string[] = []
    const names = ['openSync', 'fsyncSync', 'closeSync', 'renameSync'] as const
    for (const name of names) {
      const original = fs[name] as (...given: readonly unknown[]) => unknown
      vi.spyOn(fs, name).mockImplementation(((...given: readonly unknown[]) => {
        calls.push(name)
        return original(...given)
      }) as never)
    }
    await create(store)
    const write = ['openSync', 'fsyncSync', 'closeSync']
    expect(calls).toEqual([...write, 'renameSync', ...write])
    vi.restoreAllMocks()
    await store.close()
  })

  it('that fails leaves no temporary file, and a code', async () => {
    const file = newFile()
    const store = jsonFile(file)
    await create(store)
    vi.spyOn(fs, 'renameSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
    })
    await expect(create(store, 'lost')).rejects.toEqual(withCode('STORE_FULL'))
    expect(existsSync(`${file}.tmp`)).toBe(false)
    expect(await tenantOf(store).load({ id: 'lost' as ConversationId })).toBeNull()
    await store.close()
  })
})

describe('a JSON file that is opened again', () => {
  it('has the same events, and gives no conversation a used number', async () => {
    const file = newFile()
    const store = jsonFile(file)
    await create(store)
    await create(store, 'purged')
    const tenant = tenantOf(store)
    const serialOf = async (of: Store, name: string) =>
      (await tenantOf(of).load({ id: name as ConversationId }))?.serial ?? 0
    const used = await serialOf(store, 'purged')
    await tenant.commit({
      ...{ id, expectedVersion: 0, at: 6 },
      events: [{ kind: 'conversation-updated', fields: [] }],
    })
    await tenant.purge({ id: 'purged' as ConversationId, forks: 'refuse', at: 7 })
    const events = await tenant.events({ id, after: 0, limit: 9 })
    expect(events).toHaveLength(2)
    await store.close()
    const again = jsonFile(file)
    expect(await tenantOf(again).events({ id, after: 0, limit: 9 })).toEqual(events)
    const purge = { id: 'purged' as ConversationId, forks: 'refuse', at: 8 } as const
    expect((await tenantOf(again).purge(purge)).kind).toBe('already-purged')
    await create(again, 'new')
    expect(await serialOf(again, 'new')).toBeGreaterThan(used)
    await again.close()
  })

  it('reserves the numbers that another process has used', async () => {
    const file = newFile()
    const store = jsonFile(file)
    await create(store)
    const { serial = 0 } = (await tenantOf(store).load({ id })) ?? {}
    await store.close()
    const written = JSON.parse(readFileSync(file, 'utf8')) as { state: { lastSerial: number } }
    expect(written.state.lastSerial).toBeGreaterThanOrEqual(serial)
    const state = { ...written.state, lastSerial: serial + 1_000 }
    const hash = sha256(JSON.stringify(state))
    writeFileSync(file, JSON.stringify({ ...written, state, sha256: hash }))
    const again = jsonFile(file)
    await create(again, 'new')
    const created = await tenantOf(again).load({ id: 'new' as ConversationId })
    expect(created?.serial).toBe(serial + 1_001)
    await again.close()
  })
})

describe('a closed JSON file', () => {
  it('refuses commands, and may be closed twice', async () => {
    const store = jsonFile(newFile())
    await create(store)
    await store.close()
    await store.close()
    await expect(create(store)).rejects.toEqual(withCode('STORE_CLOSED'))
    await expect(tenantOf(store).load({ id })).rejects.toEqual(withCode('STORE_CLOSED'))
  })
})

describe('a path that is no JSON file of ours', () => {
  it.each([
    ['', 'CONFIG_INVALID'],
    [7, 'CONFIG_INVALID'],
    [folder, 'CONFIG_INVALID'],
    [join(folder, 'missing', 'chat.json'), 'CONFIG_INVALID'],
  ])('is refused: %j', (path, code) => {
    expect(() => jsonFile(path as string)).toThrow(withCode(code))
  })

  it.each([
    ['', 'STORE_CORRUPT'],
    ['null', 'STORE_CORRUPT'],
    ['"state"', 'STORE_CORRUPT'],
    ['{}', 'STORE_CORRUPT'],
    ['{"state":{}}', 'STORE_FOREIGN'],
    ['{"state":{},"format":"throughline-json-file"}', 'STORE_NEWER'],
    ['{"state":{},"format":"throughline-json-file","version":1,"sha256":""}', 'STORE_CORRUPT'],
  ])('is refused for its content: %s', (content, code) => {
    const file = newFile()
    writeFileSync(file, content)
    expect(() => jsonFile(file)).toThrow(withCode(code))
    expect(readFileSync(file, 'utf8')).toBe(content)
    // No lock is left.
    expect(() => jsonFile(file)).toThrow(withCode(code))
  })
})
