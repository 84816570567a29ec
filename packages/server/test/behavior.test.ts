import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { canary, otherModel, type SampleWorld, sampleModel, sampleWorld } from './sample-world.ts'

const worlds: SampleWorld[] = []
const newWorld = async (...options: Parameters<typeof sampleWorld>) => {
  const world = await sampleWorld(...options)
  worlds.push(world)
  return world
}
afterAll(async () => {
  for (const world of worlds) await world.close()
})

const json = (text: string) => JSON.parse(text)
const talk = '/v1/conversations/talk'

describe('answers', () => {
  it('have the ledger, newest first, with what it covers', async () => {
    const { send } = await newWorld()
    const { text } = await send({ method: 'GET', path: `${talk}/ledger?kind=file` })
    const ledger = json(text)
    expect(ledger.items.map(({ label }: { label: string }) => label)).toContain('src/server.ts')
    expect(ledger.to).toBe(14)
  })

  it('page through summaries, turns and receipts until next is null', async () => {
    const { send } = await newWorld()
    for (const text of ['One.', 'Two.', 'Three.'])
      await send({
        ...{ method: 'PUT', path: `${talk}/summary` },
        text: JSON.stringify({ model: sampleModel, text }),
      })
    const texts: string[] = []
    let cursor = '0'
    do {
      const page = json(
        (await send({ method: 'GET', path: `${talk}/summaries?limit=2&cursor=${cursor}` })).text,
      )
      texts.push(...page.items.map((each: { text: string }) => each.text))
      cursor = page.next
    } while (cursor !== null)
    expect(texts).toEqual(['Three.', 'Two.', 'One.'])
  })

  it('export what an import reads back, with files, keys and originals', async () => {
    const { send, secrets } = await newWorld()
    const { text } = await send({ method: 'GET', path: `${talk}/export` })
    const imported = () =>
      send({
        ...{ method: 'POST', path: '/v1/import', key: secrets.other },
        text: JSON.stringify({ text }),
      })
    expect(json((await imported()).text).conversations).toEqual([
      { id: 'talk', messages: 14, added: 14 },
    ])
    expect(json((await imported()).text).conversations[0].added).toBe(0)
    const list = async (key: string) => {
      const answer = await send({ method: 'GET', path: `${talk}/messages`, key })
      return json(answer.text).items.map(
        ({ key: _, ...rest }: { readonly key: string | null }) => rest,
      )
    }
    expect(await list(secrets.other)).toEqual(await list(secrets.read))
  })

  it('list the entities of the turns, by type and state', async () => {
    const { send } = await newWorld()
    const list = async (query: string) =>
      json((await send({ method: 'GET', path: `${talk}/entities?${query}` })).text).items.map(
        ({ label }: { label: string }) => label,
      )
    expect(await list('type=recipe&state=active')).toEqual(['Soup'])
    expect(await list('state=pending')).toEqual([])
  })

  it('name the step of a turn, and undo and restore a compaction', async () => {
    const { send } = await newWorld()
    const step = await send({ method: 'GET', path: `${talk}/memory/turns/1/steps/0` })
    expect(json(step.text).result).toEqual({ port: 47113 })
    const post = (path: string, body: object) =>
      send({ method: 'POST', path: `${talk}/${path}`, text: JSON.stringify(body) })
    expect((await post('compactions', { model: otherModel })).status).toBe(201)
    const undone = json((await post('compactions/undo', { model: otherModel })).text)
    expect(undone).toMatchObject({ model: otherModel, line: 0 })
    const versions = json((await send({ method: 'GET', path: `${talk}/versions` })).text).items
    const before = versions.find(
      ({ model, line }: { model: string; line: number }) => model === otherModel && line > 0,
    )
    const restored = await post('compactions/restore', { version: before?.version ?? -1 })
    expect([restored.status, json(restored.text).line > 0]).toEqual([200, true])
  })

  it('have pages of a limited size', async () => {
    const { send, throughline } = await newWorld({ isEmpty: true })
    const chat = throughline.tenant('home').conversation('talk')
    const content = 'x'.repeat(1_500_000)
    await chat.append(Array.from({ length: 9 }, () => ({ role: 'user', content })))
    const seqs: number[] = []
    let pages = 0
    let cursor: string | null = '0'
    while (cursor !== null) {
      const path = `${talk}/messages?limit=1000&cursor=${cursor}`
      const page = json((await send({ method: 'GET', path })).text)
      seqs.push(...page.items.map(({ seq }: { seq: number }) => seq))
      cursor = page.next
      pages += 1
    }
    expect([pages, seqs]).toEqual([3, [0, 1, 2, 3, 4, 5, 6, 7, 8]])
  })

  it('page through turns without cutting one, also where a page of messages ends inside of it', async () => {
    const { send, throughline } = await newWorld({ isEmpty: true })
    const chat = throughline.tenant('home').conversation('talk')
    const roles = ['user', 'assistant', 'assistant'] as const
    await chat.append(
      Array.from({ length: 10_004 }, (_, at) => ({ role: roles[at % 3] ?? 'user', content: 'x' })),
    )
    const pages: unknown[][] = []
    for (let cursor: string | null = '0'; cursor !== null; ) {
      const page = json(
        (await send({ method: 'GET', path: `${talk}/turns?cursor=${cursor}` })).text,
      )
      pages.push(page.items)
      cursor = page.next
    }
    expect(pages.map(({ length }) => length)).toEqual([3333, 2])
    expect(pages.flat()).toEqual(await chat.turns())
    const few = await send({ method: 'GET', path: `${talk}/turns?from=3&to=9` })
    expect(json(few.text)).toMatchObject({ items: [{}, {}], next: null })
  })

  it('page through versions and purges, newest first', async () => {
    const { send, throughline } = await newWorld()
    const listed = async (path: string) => {
      const items: Record<string, unknown>[] = []
      for (let cursor = ''; ; ) {
        const page = json((await send({ method: 'GET', path: `${path}limit=1${cursor}` })).text)
        items.push(...page.items)
        if (page.next === null) return items
        cursor = `&cursor=${page.next}`
      }
    }
    const chat = throughline.tenant('home').conversation('talk')
    await chat.history.undo()
    const versions = await chat.history.versions({ limit: 100 })
    expect(versions.length).toBeGreaterThan(1)
    expect(await listed(`${talk}/versions?`)).toEqual(versions)
    for (const id of ['one', 'two', 'three', 'two']) {
      const each = throughline.tenant('home').conversation(id)
      await each.append({ role: 'user', content: 'Hello' })
      await each.history.purge()
    }
    const purges = await throughline.tenant('home').purges({ limit: 100 })
    expect(purges).toHaveLength(4)
    expect(await listed('/v1/purges?')).toEqual(purges)
    const ofTwo = await listed('/v1/purges?conversation=two&')
    expect(ofTwo.map(({ number }) => number)).toEqual([4, 2])
  })

  it('refuse a query that the operation does not take, and one that is given twice', async () => {
    const { send } = await newWorld()
    for (const query of ['colour=red', 'limit=1&limit=2', '__proto__=1'])
      expect((await send({ method: 'GET', path: `${talk}/messages?${query}` })).status).toBe(400)
  })
})

describe('the docs page', () => {
  it('has every operation, and loads nothing', async () => {
    const { send, operations } = await newWorld({ isEmpty: true })
    const { text, headers } = await send({ method: 'GET', path: '/docs', key: null })
    for (const { id } of operations) expect(text).toContain(`<details id="${id}">`)
    expect(text).not.toMatch(/<script|<link|<img|src=|url\(/)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('keys', () => {
  it('get another name and another end', async () => {
    const { send, secrets, facts } = await newWorld()
    const patch = (body: object) =>
      send({ method: 'PATCH', path: `/v1/keys/${facts.keyId}`, text: JSON.stringify(body) })
    expect(json((await patch({ name: 'dashboard' })).text)).toMatchObject({ name: 'dashboard' })
    expect((await send({ method: 'GET', path: talk, key: secrets.read })).status).toBe(200)
    expect(json((await patch({ expiresAt: 1 })).text)).toMatchObject({ expiresAt: 1 })
    expect((await send({ method: 'GET', path: talk, key: secrets.read })).status).toBe(401)
    await patch({ expiresAt: null })
    expect((await send({ method: 'GET', path: talk, key: secrets.read })).status).toBe(200)
  })

  it('have a rate each, with the time to wait', async () => {
    const { send, secrets } = await newWorld({ limits: { requestsPerMinute: 3 } })
    const asked = (key: string) => send({ method: 'GET', path: talk, key })
    const statuses = []
    for (let at = 0; at < 4; at += 1) statuses.push((await asked(secrets.read)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    const refused = await asked(secrets.read)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(20)
    expect((await asked(secrets.write)).status).toBe(200)
  })
})

describe('streams', () => {
  const open = (world: SampleWorld, method = 'GET') =>
    world.server.fetch(
      new Request(`http://localhost${talk}/events/stream`, {
        ...{ method, headers: { authorization: `Bearer ${world.secrets.read}` } },
      }),
    )

  it('end when their key is revoked', async () => {
    const world = await newWorld()
    const { body } = await open(world)
    const reader = body?.getReader()
    await reader?.read()
    world.access.revokeKey(world.facts.keyId)
    await world.throughline.tenant('home').conversation('talk').pin('#1')
    let isDone = false
    while (!isDone) isDone = (await reader?.read())?.done !== false
    expect((await open(world)).status).toBe(401)
  })

  it('are limited for each key, and HEAD leaves none open', async () => {
    const world = await newWorld({ limits: { streamsPerKey: 2 } })
    for (let at = 0; at < 5; at += 1) expect((await open(world, 'HEAD')).status).toBe(200)
    const first = await open(world)
    const second = await open(world)
    expect([second.status, (await open(world)).status]).toEqual([200, 429])
    await first.body?.cancel()
    const again = await open(world)
    expect(again.status).toBe(200)
    await second.body?.cancel()
    await again.body?.cancel()
  })
})

describe('an Idempotency-Key', () => {
  const append = { messages: [{ role: 'user', content: 'One.', key: 'own' }] }

  it('goes with messages that have keys of their own', async () => {
    const { send } = await newWorld()
    const sent = {
      ...{ method: 'POST', path: `${talk}/messages`, text: JSON.stringify(append) },
      headers: { 'idempotency-key': 'k' },
    }
    const first = await send(sent)
    expect([first.status, (await send(sent)).text]).toEqual([201, first.text])
  })

  it('is refused where it is empty, too long or not ASCII', async () => {
    const { send } = await newWorld()
    for (const key of ['', 'x'.repeat(256), 'clé'])
      expect(
        (
          await send({
            ...{ method: 'POST', path: `${talk}/messages`, text: JSON.stringify(append) },
            headers: { 'idempotency-key': key },
          })
        ).status,
      ).toBe(400)
  })

  it('keeps no content of a conversation that was purged, nor of its children', async () => {
    const { send, access } = await newWorld()
    const create = (id: string, parent: object | null) =>
      send({
        ...{ method: 'POST', path: '/v1/conversations', headers: { 'idempotency-key': id } },
        text: JSON.stringify({ id, title: `secret ${id}`, parent }),
      })
    await create('mother', null)
    await create('child', { conversationId: 'mother' })
    await create('stranger', null)
    const stored = (id: string) =>
      access.reserve({
        tenant: 'home',
        key: id,
        fingerprint: '',
        conversation: id,
        repeatable: false,
      }).kind
    await send({ method: 'DELETE', path: '/v1/conversations/mother' })
    expect(['mother', 'child', 'stranger'].map(stored)).toEqual(['new', 'new', 'other-request'])
  })

  it('gives 409 after a crash where If-Match may name the version before the edit itself', async () => {
    const { send, access } = await newWorld()
    const { headers } = await send({ method: 'GET', path: `${talk}/messages/0` })
    const text = JSON.stringify({ role: 'user', content: 'Edited.' })
    const edit = (more: object) =>
      send({
        ...{ method: 'PUT', path: `${talk}/messages/0`, text },
        headers: { 'idempotency-key': 'edit', ...more },
      })
    const fingerprint = createHash('sha256').update(`PUT ${talk}/messages/0\n${text}`).digest('hex')
    const write = {
      tenant: 'home',
      key: 'edit',
      fingerprint,
      conversation: 'talk',
      repeatable: false,
    }
    access.reserve(write)
    // As a new process finds it.
    access.forgetAnswers('home', ['talk'], null)
    const answer = await edit({ 'if-match': headers.get('etag') ?? '' })
    expect([answer.status, json(answer.text).code]).toEqual([409, 'OUTCOME_UNKNOWN'])
  })

  it('stores no answer of a request that ran while its conversation was purged', async () => {
    const { access } = await newWorld()
    const write = {
      tenant: 'home',
      key: 'slow',
      fingerprint: 'f',
      conversation: 'talk',
      repeatable: false,
    }
    access.reserve(write)
    access.forgetAnswers('home', ['talk'], null)
    access.complete(write, { status: 200, etag: null, body: canary })
    expect(access.reserve(write)).toEqual({ kind: 'interrupted' })
  })
})

describe('If-Match', () => {
  it('guards a purge and a removal by the version of the conversation', async () => {
    const { send } = await newWorld()
    const { headers } = await send({ method: 'GET', path: talk })
    const etag = headers.get('etag') ?? ''
    const remove = (tag: string) =>
      send({ method: 'DELETE', path: `${talk}/messages/2`, headers: { 'if-match': tag } })
    expect((await remove('"old"')).status).toBe(412)
    expect((await remove(etag)).status).toBe(200)
    const purge = await send({ method: 'DELETE', path: talk, headers: { 'if-match': etag } })
    expect(purge.status).toBe(412)
  })

  it('lets one of many concurrent edits through', async () => {
    const { send } = await newWorld()
    const { headers } = await send({ method: 'GET', path: `${talk}/messages/0` })
    const edits = Array.from({ length: 8 }, (_, at) =>
      send({
        ...{ method: 'PUT', path: `${talk}/messages/0` },
        text: JSON.stringify({ role: 'user', content: `edit ${at}` }),
        headers: { 'if-match': headers.get('etag') ?? '' },
      }),
    )
    const statuses = (await Promise.all(edits)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, ...Array(7).fill(412)])
  })
})

describe('a conversation', () => {
  const ids = [
    '__proto__',
    'a/b',
    '../../etc/passwd',
    '💥 é',
    'constructor',
    '%2e%2e',
    'x'.repeat(512),
  ]

  it.each(ids)('may be called %s', async (id) => {
    const { send } = await newWorld({ isEmpty: true })
    const at = `/v1/conversations/${encodeURIComponent(id)}`
    const text = JSON.stringify({ messages: [{ role: 'user', content: id }] })
    expect((await send({ method: 'POST', path: `${at}/messages`, text })).status).toBe(201)
    expect(json((await send({ method: 'GET', path: at })).text).id).toBe(id)
    const listed = json((await send({ method: 'GET', path: '/v1/conversations' })).text)
    expect(listed.items.map((each: { id: string }) => each.id)).toEqual([id])
    expect((await send({ method: 'DELETE', path: at })).status).toBe(200)
    expect((await send({ method: 'GET', path: at })).status).toBe(404)
    expect(Object.hasOwn(Object.prototype, 'messages')).toBe(false)
  })

  it('gets one effect from many requests with one Idempotency-Key at once', async () => {
    const { send } = await newWorld()
    const { status } = await send({ method: 'GET', path: `${talk}/status` })
    const requests = Array.from({ length: 20 }, () =>
      send({
        ...{ method: 'POST', path: `${talk}/compactions`, headers: { 'idempotency-key': 'race' } },
        text: JSON.stringify({ model: otherModel }),
      }),
    )
    const statuses = (await Promise.all(requests)).map((each) => each.status)
    expect([status, statuses.filter((each) => each === 201).length]).toEqual([200, 1])
    expect(statuses.filter((each) => each === 409)).toHaveLength(19)
    const receipts = json((await send({ method: 'GET', path: `${talk}/compactions` })).text).items
    expect(receipts.filter(({ model }: { model: string }) => model === otherModel)).toHaveLength(1)
  })
})

describe('other origins', () => {
  it('may call and read only where they are in the settings', async () => {
    const { send } = await newWorld({ origins: ['https://app.example'] })
    const ask = (method: string, origin: string) =>
      send({
        method,
        path: talk,
        key: method === 'OPTIONS' ? null : undefined,
        headers: { origin },
      })
    const preflight = await ask('OPTIONS', 'https://app.example')
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Idempotency-Key')
    const allowed = await ask('GET', 'https://app.example')
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example')
    for (const method of ['OPTIONS', 'GET']) {
      const refused = await ask(method, 'https://evil.example')
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
        403,
        null,
      ])
    }
  })
})
