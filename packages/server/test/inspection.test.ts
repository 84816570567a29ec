import { expect, it, onTestFinished } from 'vitest'
import { costsOf } from '../src/request-costs.ts'
import { sampleWorld } from './sample-world.ts'

async function world(options: Parameters<typeof sampleWorld>[0] = {}) {
  const made = await sampleWorld(options)
  onTestFinished(made.close)
  const read = async (path: string, key?: string) => {
    const { status, text } = await made.send({ method: 'GET', path, key })
    return { status, body: JSON.parse(text) as Readonly<Record<string, unknown>> }
  }
  return { ...made, read }
}

const one = '/v1/conversations/talk'

it('rebuilds a request with the bytes that the context call had returned', async () => {
  const { send, read } = await world()
  const text = JSON.stringify({ model: 'small', system: 'Be brief.' })
  const built = await send({ method: 'POST', path: `${one}/context`, text })
  const { fingerprint, messages } = JSON.parse(built.text)
  const { body } = await read(`${one}/requests/${fingerprint}`)
  expect(body['difference']).toBeNull()
  const withoutTokens = (body['messages'] as readonly { readonly tokens: number }[]).map(
    ({ tokens: _, ...message }) => message,
  )
  expect(JSON.stringify(withoutTokens)).toBe(JSON.stringify(messages))
  expect((await read(`${one}/requests/none`)).status).toBe(404)
})

it('searches titles and ids of the own tenant only, page by page', async () => {
  const { read, throughline, secrets } = await world()
  const tenant = throughline.tenant('home')
  for (const id of ['invoice-1', 'invoice-2', 'invoice-3', 'other'])
    await tenant.begin(id, { title: id === 'other' ? 'An INVOICE, too' : null })
  const ids = async (query: string, key?: string) => {
    const { body } = await read(`/v1/overview?${query}`, key)
    const items = body['items'] as readonly { readonly conversation: { readonly id: string } }[]
    return { ids: items.map(({ conversation }) => conversation.id), next: body['next'] as string }
  }
  const first = await ids('search=Invoice&limit=2')
  expect(first.ids).toEqual(['invoice-1', 'invoice-2'])
  const second = await ids(`search=Invoice&limit=2&cursor=${first.next}`)
  expect(second).toEqual({ ids: ['invoice-3', 'other'], next: null })
  expect((await ids('search=invoice', secrets.other)).ids).toEqual([])
})

it('previews an undo without doing it', async () => {
  const { send, read } = await world()
  const before = await read(`${one}/versions`)
  const undo = (path: string) => send({ method: 'POST', path: one + path, text: '{}' })
  const preview = await undo('/compactions/undo/preview')
  expect(await read(`${one}/versions`)).toEqual(before)
  const done = await undo('/compactions/undo')
  const { line, of } = JSON.parse(done.text)
  expect(JSON.parse(preview.text)).toMatchObject({ line, of })
  expect(JSON.parse((await undo('/compactions/undo/preview')).text)).toMatchObject({
    failure: { kind: 'fewer' },
  })
})

it('lists the messages of one origin, and the newest events', async () => {
  const { read } = await world()
  const people = await read(`${one}/messages?origin=person&limit=2`)
  const seqs = (people.body['items'] as readonly { readonly seq: number }[]).map(({ seq }) => seq)
  expect(seqs).toEqual([0, 4])
  expect(people.body['next']).toBe('5')
  const all = await read(`${one}/messages?origins=true&limit=4`)
  expect(
    (all.body['items'] as readonly { readonly origin: string }[]).map(({ origin }) => origin),
  ).toEqual(['person', 'model', 'tool', 'model'])
  const whole = (await read(`${one}/events`)).body['items'] as readonly object[]
  for (const limit of [1, 2, whole.length])
    expect((await read(`${one}/events?newest=true&limit=${limit}`)).body['items']).toEqual(
      whole.slice(-limit),
    )
})

it('prices requests with the cached prefix, and other methods beside them', async () => {
  const { send, read, throughline } = await world()
  const chat = throughline.tenant('home').conversation('priced')
  for (let turn = 0; turn < 12; turn += 1) {
    await chat.append({ role: 'user', content: `Question ${turn}: ${'port 47113 '.repeat(30)}` })
    const path = '/v1/conversations/priced/context'
    await send({ method: 'POST', path, text: JSON.stringify({ model: 'small' }) })
    await chat.append({ role: 'assistant', content: 'It is 47113. '.repeat(20) })
  }
  const { body } = await read('/v1/conversations/priced/costs')
  const totals = body['totals'] as Readonly<
    Record<string, { readonly cost: number; readonly tooLarge: number }>
  >
  const items = body['items'] as readonly {
    readonly tokens: number
    readonly cachedTokens: number
  }[]
  expect(items).toHaveLength(12)
  expect(items[1]?.cachedTokens).toBe(items[0]?.tokens)
  expect(totals['full']?.tooLarge).toBeGreaterThan(0)
  expect(totals['sliding']?.tooLarge).toBe(0)
  expect(totals['throughline']?.cost).toBeLessThan(totals['sliding']?.cost ?? 0)
})

it('counts nothing as cached after a lost prefix', () => {
  const use = { model: 'small', at: 0, fingerprint: 'f', epoch: 0 }
  const requests = [
    { ...use, tokens: 500, brokenBy: 'trigger' },
    { ...use, tokens: 1000, brokenBy: null },
    { ...use, tokens: 400, brokenBy: null },
  ] as unknown as Parameters<typeof costsOf>[0]
  expect(
    costsOf(requests).map(({ cachedTokens, freshTokens, cost }) => [
      cachedTokens,
      freshTokens,
      cost,
    ]),
  ).toEqual([
    [0, 400, 400],
    [400, 600, 640],
    [0, 500, 500],
  ])
})

it('answers in a chat, keeps the words of a person when the model fails, and says when there is none', async () => {
  const { send, read } = await world()
  const ask = (target: typeof send, content: string) =>
    target({
      method: 'POST',
      path: '/v1/conversations/chat/replies',
      text: JSON.stringify({ content }),
    })
  const answered = await ask(send, 'And the invoice?')
  expect(answered.status).toBe(201)
  expect(JSON.parse(answered.text)).toMatchObject({ text: 'It is paid.', seq: 1 })
  const { body } = await read('/v1/conversations/chat/messages')
  expect((body['items'] as readonly { readonly role: string }[]).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
  ])
  const failing = await world({
    chatModel: {
      id: 'small',
      card: null,
      generate: async () => ({
        kind: 'failed',
        failure: { cause: 'refused', status: 401, retryAfterMs: null, message: 'no credit' },
      }),
    },
  })
  const failed = await ask(failing.send, 'And now?')
  expect(failed.status).toBe(502)
  expect(failed.text).toContain('no credit')
  const kept = await failing.read('/v1/conversations/chat/messages')
  expect(kept.body['items']).toHaveLength(1)
  const off = await world({ chatModel: null })
  expect((await ask(off.send, 'Hello?')).text).toContain('CHAT_OFF')
})
