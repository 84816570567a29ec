import { createThroughline } from 'throughline'
import { expect, it } from 'vitest'
import { sqliteAccess } from '../src/index.ts'
import { purgeExpired } from '../src/retention.ts'

const day = 86_400_000

it('purges what was inactive for too long, per tenant, and records it', async () => {
  let time = 100 * day
  const now = () => time
  const throughline = createThroughline({ clock: { now } })
  const access = sqliteAccess(':memory:', now)
  for (const tenant of ['default', 'short', 'forever'])
    access.createKey({ tenant, name: 'k', role: 'admin' })
  const hello = { role: 'user', content: 'Hello' } as const
  const of = (tenant: string) => throughline.tenant(tenant)
  for (const tenant of ['default', 'short', 'forever', 'unknown'])
    await of(tenant).conversation('old').append(hello)
  await of('default').conversation('active').append(hello)
  await of('default').conversation('parent').append(hello)
  await of('default').conversation('source').append(hello)
  const write = {
    tenant: 'default',
    key: 'k1',
    fingerprint: 'f',
    conversation: 'old',
    repeatable: false,
  }
  access.reserve(write)
  access.complete(write, { status: 200, etag: null, body: 'Hello' })
  const retention = { days: 30, tenants: { short: 7, forever: null } }
  const purge = () => purgeExpired({ throughline, access, retention, now })
  const idsIn = async (tenant: string) => (await of(tenant).list()).map(({ id }) => id)

  time += 10 * day
  expect(await purge()).toBe(1)
  expect(await idsIn('short')).toEqual([])
  await of('default').conversation('active').append(hello)
  await of('default').begin('child', { parent: { conversationId: 'parent' } })
  await of('default').conversation('child').append(hello)
  await of('default').conversation('source').history.fork(1, 'fork')
  // An import of yesterday with messages of last year.
  await of('default')
    .conversation('imported')
    .append({ ...hello, createdAt: 1 })

  time += 25 * day
  expect(await purge()).toBe(1)
  expect(await idsIn('default')).toEqual([
    'active',
    'child',
    'fork',
    'imported',
    'parent',
    'source',
  ])
  expect(access.reserve(write)).toEqual({ kind: 'new' })
  const [audited] = access.audit('default', { before: 1e9, limit: 1 })
  expect(audited).toMatchObject({
    key: 'retention',
    operation: 'purgeConversation',
    subject: 'old',
  })

  time += 10 * day
  await purge()
  // The fork is gone, so the next pass purges its source, too.
  await purge()
  expect(await idsIn('default')).toEqual([])
  expect([await idsIn('forever'), await idsIn('unknown')]).toEqual([['old'], ['old']])
  await throughline.close()
  access.close()
})
