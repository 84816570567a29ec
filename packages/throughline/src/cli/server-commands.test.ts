import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testWorld } from './world.test-support.ts'

const silent = ['--port', '0', '--log', 'silent']

/** Resolves when the command has written its line about the start. */
async function startedServer(world: ReturnType<typeof testWorld>, ...words: readonly string[]) {
  const ended = world.run('serve', '--json', ...silent, ...words)
  while (!world.output().stdout.includes('\n'))
    await new Promise((resolve) => setTimeout(resolve, 10))
  return { ended, started: JSON.parse(world.output().stdout) as Record<string, string> }
}

it('serves until it is interrupted, and names its first key once', async () => {
  const world = testWorld()
  const { ended, started } = await startedServer(world)
  expect(started['folder']).toBe(join(world.folder, 'throughline/server'))
  const headers = { authorization: `Bearer ${started['firstKey']}` }
  expect((await fetch(`${started['url']}/v1/conversations`, { headers })).status).toBe(200)
  world.interrupt.abort()
  expect(await ended).toMatchObject({ exitCode: 0, stderr: '' })
})

it('creates keys, makes a backup and restores it', async () => {
  const world = testWorld()
  const made = await world.run('serve', '--new-key', 'crm', '--role', 'write', '--tenant', 'a')
  expect(made.stdout).toMatch(/^tl_[\w-]{43}\n$/)
  const { ended, started } = await startedServer(world)
  expect(started['firstKey']).toBeNull()
  const headers = { authorization: `Bearer ${made.stdout.trim()}` }
  expect((await fetch(`${started['url']}/v1/conversations`, { headers })).status).toBe(200)
  expect((await fetch(`${started['url']}/v1/keys`, { headers })).status).toBe(403)
  world.interrupt.abort()
  await ended

  const copy = join(world.folder, 'copy')
  const second = testWorld()
  const folder = ['--folder', join(world.folder, 'throughline/server')]
  expect((await second.run('backup', copy, ...folder)).stdout).toMatch(
    /^Copied access.db and conversations.db to /,
  )
  expect(existsSync(join(copy, 'conversations.db'))).toBe(true)
  const refused = await second.run('restore', copy, ...folder)
  expect([refused.exitCode, refused.stderr]).toEqual([78, expect.stringContaining('--replace')])
  const restored = await second.run('restore', copy, ...folder, '--replace')
  expect(restored).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('replaced-') })
})

it('serves the gateway before the upstream of its flag', async () => {
  const world = testWorld()
  const upstream = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ path: request.url, key: request.headers['x-api-key'] ?? null }))
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const { port } = upstream.address() as AddressInfo
  const words = ['--upstream', `http://127.0.0.1:${port}/v1`, ...silent]
  const ended = world.run('gateway', '--json', ...words)
  while (!world.output().stdout.includes('\n'))
    await new Promise((resolve) => setTimeout(resolve, 10))
  const { url, firstKey } = JSON.parse(world.output().stdout) as Record<string, string>
  const headers = { 'x-throughline-key': `${firstKey}`, 'x-api-key': 'own' }
  const answer = await fetch(`${url}/v1/models?limit=1`, { headers })
  expect(await answer.json()).toEqual({ path: '/v1/models?limit=1', key: 'own' })
  world.interrupt.abort()
  expect(await ended).toMatchObject({ exitCode: 0, stderr: '' })
  upstream.close()
  const wrong = await testWorld().run('gateway', '--upstream', 'mistral=http://x', ...silent)
  expect([wrong.exitCode, wrong.stderr]).toEqual([64, expect.stringContaining('unknown API')])
})

it('copies no folder whose conversations are in PostgreSQL', async () => {
  const { run } = testWorld({ env: { THROUGHLINE_DATABASE: 'postgres://app:k3y@localhost/chats' } })
  for (const [command, tool] of [
    ['backup', 'pg_dump -Fc --schema=throughline --schema=throughline_jobs -f chats.dump'],
    ['restore', 'pg_restore --exit-on-error chats.dump -d'],
  ] as const) {
    const { exitCode, stderr } = await run(command, 'copy')
    expect(exitCode).toBe(78)
    expect(stderr).toContain(`Run "${tool} postgres://app@localhost/chats" instead`)
  }
})

it('explains wrong words and settings', async () => {
  const { run } = testWorld({ env: { THROUGHLINE_POLICY: 'unknown' } })
  expect(await run('serve', 'now')).toMatchObject({ exitCode: 64 })
  expect(await run('backup')).toMatchObject({ exitCode: 64 })
  expect(await run('serve', '--config', 'missing.json')).toMatchObject({ exitCode: 78 })
  const wrong = await run('serve', ...silent)
  expect([wrong.exitCode, wrong.stderr]).toEqual([78, expect.stringContaining('policy')])
})
