import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { backupServer, readServerSettings, restoreServer, startServer } from '../src/index.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function start(folder: string) {
  const limits = { requestsPerMinute: 1_000_000 }
  const given = { folder, port: 0, logLevel: 'silent' as const, limits }
  return startServer(readServerSettings(given, { env: {} }), {})
}

type Started = Awaited<ReturnType<typeof start>>

async function append({ url }: Started, key: string, [id, n]: readonly [string, number]) {
  const response = await fetch(`${url}/v1/conversations/${id}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `${id}-${n}`,
    },
    body: JSON.stringify({ messages: [{ role: 'user', content: `${id} ${n} `.repeat(200) }] }),
  })
  return response.status
}

it('copies a server under writes; after a restore, repeated writes lose and double nothing', async () => {
  const [folder, other] = [newFolder(), newFolder()]
  const server = await start(folder)
  const key = server.firstKey ?? ''
  const sent: (readonly [string, number])[] = []
  let isRunning = true
  const writers = ['a', 'b', 'c', 'd'].map(async (id) => {
    for (let n = 0; isRunning; n += 1) {
      expect(await append(server, key, [id, n])).toBe(201)
      sent.push([id, n])
    }
  })
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(20), { timeout: 20_000 })
  const before = [...sent]
  const files = await backupServer(folder, join(other, 'copy'))
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(before.length), { timeout: 20_000 })
  isRunning = false
  await Promise.all(writers)
  await server.stop()
  expect(files.map(({ name }) => name)).toEqual(['access.db', 'conversations.db'])
  expect(statSync(join(other, 'copy')).mode & 0o777).toBe(0o700)
  expect(sent.length).toBeGreaterThan(before.length)

  const restored = join(other, 'restored')
  expect((await restoreServer(join(other, 'copy'), restored)).replaced).toBeNull()
  const again = await start(restored)
  expect(again.firstKey).toBeNull()
  const headers = { authorization: `Bearer ${key}` }
  const heads = async () => {
    const response = await fetch(`${again.url}/v1/conversations`, { headers })
    const { items } = (await response.json()) as { items: readonly { id: string; head: number }[] }
    return new Map(items.map(({ id, head }) => [id, head]))
  }
  const restoredHeads = await heads()
  for (const [id, n] of before) expect(restoredHeads.get(id)).toBeGreaterThan(n)
  for (const write of sent) expect(await append(again, key, write)).toBe(201)
  const counts = Map.groupBy(sent, ([id]) => id)
  expect(await heads()).toEqual(new Map([...counts].map(([id, each]) => [id, each.length])))
  await again.stop()
})

it('refuses what is no backup, a changed copy, a running server and existing databases', async () => {
  const [folder, other] = [newFolder(), newFolder()]
  const server = await start(folder)
  const copy = join(other, 'copy')
  await expect(backupServer(other, copy)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  await backupServer(folder, copy)
  await expect(backupServer(folder, copy)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  await expect(restoreServer(other, folder)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  await expect(restoreServer(copy, folder, { replace: true })).rejects.toMatchObject({
    ...{ code: 'FOLDER_IN_USE' },
  })
  await server.stop()
  await expect(restoreServer(copy, folder)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  const { replaced } = await restoreServer(copy, folder, { replace: true })
  expect(existsSync(join(replaced ?? '', 'conversations.db'))).toBe(true)
  await (await start(folder)).stop()

  appendFileSync(join(copy, 'conversations.db'), 'x')
  await expect(restoreServer(copy, join(other, 'x'))).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
  })
  rmSync(join(copy, 'conversations.db'))
  await expect(restoreServer(copy, join(other, 'x'))).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
  })
})

it('has nothing of what was purged before', async () => {
  const [folder, other] = [newFolder(), newFolder()]
  const server = await start(folder)
  const key = server.firstKey ?? ''
  await append(server, key, ['canary-in-id', 1])
  const url = `${server.url}/v1/conversations/canary-in-id`
  await fetch(url, { method: 'DELETE', headers: { authorization: `Bearer ${key}` } })
  await backupServer(folder, join(other, 'copy'))
  await server.stop()
  const bytes = readFileSync(join(other, 'copy/conversations.db'), 'latin1')
  expect(bytes).not.toContain('canary-in-id 1')
  const database = new DatabaseSync(join(other, 'copy/conversations.db'), { readOnly: true })
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  database.close()
  writeFileSync(join(other, 'copy/backup.json'), '{"files":[]}')
  await expect(restoreServer(join(other, 'copy'), join(other, 'y'))).rejects.toMatchObject({
    ...{ code: 'STORE_CORRUPT' },
  })
})
