/** The gateway over a socket: modes, refusals, retries, bodies in every encoding, and what it must not let through. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type StartedGateway,
  type StartedGatewayOptions,
  startGateway,
} from '../../../harness/gateway/started-gateway.ts'

async function started(options: StartedGatewayOptions = {}): Promise<StartedGateway> {
  const gateway = await startGateway(options)
  onTestFinished(() => gateway.stop())
  return gateway
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
  readonly method?: string
  readonly body?: Uint8Array<ArrayBuffer> | string | null
}

async function send({ url, key }: StartedGateway, { headers, path, method, body }: Sent = {}) {
  const response = await fetch(url + (path ?? '/v1/messages?beta=true'), {
    method: method ?? 'POST',
    redirect: 'manual',
    headers: {
      ...{ 'content-type': 'application/json', 'x-throughline-key': key, 'x-api-key': 'own' },
      'anthropic-version': '2023-06-01',
      ...headers,
    },
    ...(body !== null && { body: body ?? asked('Which port?') }),
  })
  const text = await response.text()
  const decision = response.headers.get('x-throughline-decision') ?? ''
  const conversation = response.headers.get('x-throughline-conversation') ?? ''
  return { status: response.status, text, decision, conversation, headers: response.headers }
}

type Message = { readonly role: string; readonly content: unknown }

const user = (text: string): Message => ({ role: 'user', content: text })
const assistant = (text: string): Message => ({ role: 'assistant', content: text })

function asked(...messages: readonly (string | Message)[]): string {
  const list = messages.map((each) => (typeof each === 'string' ? user(each) : each))
  // Spaces, key order and an escape that `JSON.stringify` would not write.
  return `{ "max_tokens":100,\n "messages": ${JSON.stringify(list)}, "model":"small", "metadata":{"user_id":"\\u0061"} }`
}

/** Many turns: more than the window has room for. */
function long(turns: number): readonly Message[] {
  return Array.from({ length: turns }, (_, turn) => [
    user(`Question ${turn}: ${'what is in the file, and why? '.repeat(40)}`),
    assistant(`Answer ${turn}: ${'the file has a function, and a test. '.repeat(40)}`),
  ]).flat()
}

const named = { 'x-throughline-conversation': 'mine' }

describe('a request that fits', () => {
  it('passes byte for byte, with its query and its own headers, but not ours', async () => {
    const gateway = await started()
    const body = asked('Which port?')
    const { status, text, decision, headers } = await send(gateway, {
      body,
      headers: { 'anthropic-beta': 'a,b', 'x-own': '1', ...named },
    })
    const [call] = gateway.upstream.calls
    expect(status).toBe(200)
    expect(call?.body.toString()).toBe(body)
    expect(call?.path).toBe('/v1/messages?beta=true')
    expect(call?.headers).toMatchObject({
      'anthropic-beta': 'a,b',
      'x-own': '1',
      'x-api-key': 'own',
    })
    expect(Object.keys(call?.headers ?? {}).filter((name) => /throughline/.test(name))).toEqual([])
    expect(text).toBe(call?.answer.toString())
    expect(decision).toBe('class=new; by=new; action=passed')
    expect(headers.get('request-id')).toBe('req_0')
    expect((await gateway.messages('mine')).map(({ role, status: kept }) => [role, kept])).toEqual([
      ['user', 'complete'],
      ['assistant', 'complete'],
    ])
  })

  it('keeps compressed bytes, and refuses bodies above the limit, before and after decompression', async () => {
    const gateway = await started({ gateway: { maxBodyBytes: 20_000 } })
    const body = Buffer.from(asked('Which port?'))
    for (const [encoding, packed] of [
      ['gzip', gzipSync(body)],
      ['br', brotliCompressSync(body)],
      ['zstd', zstdCompressSync(body)],
    ] as const) {
      const answer = await sendRaw(gateway, packed, encoding)
      expect([encoding, answer.status]).toEqual([encoding, 400])
      expect(gateway.upstream.calls.at(-1)?.body.equals(packed)).toBe(true)
      expect(gateway.upstream.calls.at(-1)?.headers['content-encoding']).toBe(encoding)
    }
    const bomb = gzipSync(Buffer.from(asked('x'.repeat(1_000_000))))
    expect((await sendRaw(gateway, bomb, 'gzip')).status).toBe(413)
    expect((await send(gateway, { body: asked('x'.repeat(30_000)) })).status).toBe(413)
    expect((await sendRaw(gateway, body, 'lzma')).status).toBe(415)
    expect((await sendRaw(gateway, Buffer.from('not gzip'), 'gzip')).status).toBe(400)
  })

  it('is passed on where it is no request that we can read', async () => {
    const gateway = await started({ refuse: () => ({ status: 400, body: { error: 'no' } }) })
    for (const body of [
      '[]',
      '{"model":1}',
      'no json',
      '{"model":"small","messages":[{"role":"x"}]}',
    ]) {
      const { status, decision } = await send(gateway, { body })
      expect([status, decision]).toEqual([400, 'class=unread; action=passed'])
      expect(gateway.upstream.calls.at(-1)?.body.toString()).toBe(body)
    }
  })
})

function sendRaw(gateway: StartedGateway, body: Buffer, encoding: string) {
  return send(gateway, { body: new Uint8Array(body), headers: { 'content-encoding': encoding } })
}

describe('modes', () => {
  it('off stores nothing, shadow changes nothing, on compacts', async () => {
    const gateway = await started()
    const body = asked(...long(40), 'And now?')
    const off = await send(gateway, { body, headers: { 'x-throughline-mode': 'off', ...named } })
    expect(off.decision).toBe('class=off; action=passed')
    expect(await gateway.conversations()).toEqual([])
    const shadow = await send(gateway, {
      body,
      headers: { 'x-throughline-mode': 'shadow', ...named },
    })
    expect(shadow.decision).toMatch(/^class=new; by=new; action=shadow; epoch=1; tokens=\d+$/)
    expect(gateway.upstream.calls.at(-1)?.body.toString()).toBe(body)
    const on = await send(gateway, {
      body: asked(...long(40), 'And now?', assistant('Answer 1.'), 'And then?'),
      headers: named,
    })
    expect(on.decision).toMatch(/^class=continue; by=header; action=compacted; /)
    const sent = gateway.upstream.calls.at(-1)?.body.toString() ?? ''
    expect(sent.length).toBeLessThan(body.length / 2)
    expect(sent).toContain('"metadata":{"user_id":"\\u0061"} }')
    expect((await send(gateway, { headers: { 'x-throughline-mode': 'of' } })).status).toBe(400)
  })

  it('follow the name of the key', async () => {
    const gateway = await started({ gateway: { keys: { first: 'off' } } })
    expect((await send(gateway)).decision).toBe('class=off; action=passed')
  })
})

describe('what an upstream refuses', () => {
  it('is tried once more, smaller, when it was too long', async () => {
    const tooLong = {
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 9000 tokens > 4000 maximum',
      },
    }
    const gateway = await started({
      refuse: (number) => (number === 0 ? { status: 400, body: tooLong } : null),
    })
    const { status, decision } = await send(gateway, { body: asked(...long(12), 'And now?') })
    expect([status, decision]).toEqual([200, expect.stringContaining('retried=overflow')])
    const [first, second] = gateway.upstream.calls
    expect(second?.body.length).toBeLessThan(first?.body.length ?? 0)
  })

  it('is passed on in its own bytes otherwise', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const gateway = await started({ refuse: () => ({ status: 529, body: error }) })
    const { status, text } = await send(gateway)
    expect([status, text]).toEqual([529, JSON.stringify(error)])
    expect(gateway.upstream.calls).toHaveLength(1)
  })

  it('is tried once more without earlier reasoning when a signature is not accepted', async () => {
    const error = {
      error: {
        type: 'invalid_request_error',
        message: 'messages.1: Invalid `signature` in `thinking` block',
      },
    }
    const gateway = await started({
      refuse: (number) => (number === 0 ? { status: 400, body: error } : null),
    })
    const thought = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'text', text: 'On 1.' },
      ],
    }
    const { status, decision } = await send(gateway, {
      body: asked('Which port?', thought, 'Why?'),
    })
    expect([status, decision]).toEqual([200, expect.stringContaining('retried=thinking')])
    const sent = gateway.upstream.calls.at(-1)?.body.toString()
    expect(sent).toContain('[{"type":"text","text":"On 1."}]')
    expect(sent).not.toContain('Hm.')
  })

  it('is our own error, in the words of the API, where nothing can be left out', async () => {
    const gateway = await started()
    const body = JSON.stringify({
      model: 'small',
      max_tokens: 9,
      system: 'Rules. '.repeat(40_000),
      messages: [user('Go.')],
    })
    const { status, text } = await send(gateway, { body })
    expect([status, JSON.parse(text).error.message]).toEqual([
      400,
      expect.stringMatching(/^prompt is too long: \d+ tokens > 16000 maximum$/),
    ])
    expect(gateway.upstream.calls).toHaveLength(0)
  })
})

describe('a memory that fails', () => {
  it('does not keep a request that fits from its answer', async () => {
    const gateway = await started()
    // An id that no conversation may have.
    const { status, decision } = await send(gateway, {
      headers: { 'x-throughline-conversation': 'x'.repeat(600) },
    })
    expect([status, decision]).toEqual([200, expect.stringContaining('failedOpen=ID_INVALID')])
  })
})

describe('an answer that is cut', () => {
  it('is stored as incomplete, and the question is not lost', async () => {
    const gateway = await started({ cutAfter: (number) => (number === 0 ? 800 : null) })
    const body = asked('Which port?').replace('{ ', '{ "stream":true, ')
    await expect(send(gateway, { body, headers: named })).rejects.toThrow()
    const stored = await gateway.messages('mine')
    expect(stored.map(({ role, status }) => [role, status])).toEqual([
      ['user', 'complete'],
      ['assistant', 'incomplete'],
    ])
  })

  it('does not end the conversation of a client that left, and has more in its question', async () => {
    const gateway = await started({
      answer: (number) => ({
        ...{ text: 'Slowly.', calls: [{ name: 'read', input: { path: 'a.ts' } }] },
        pauseMs: number === 0 ? 60_000 : 0,
      }),
    })
    const left = new AbortController()
    const slow = asked('Which port?').replace('{ ', '{ "stream":true, ')
    const response = await fetch(`${gateway.url}/v1/messages`, {
      ...{ method: 'POST', body: slow, signal: left.signal },
      headers: { 'x-throughline-key': gateway.key, 'x-api-key': 'own', ...named },
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (let text = ''; !text.includes('Slo'); ) text += (await reader?.read())?.value ?? ''
    left.abort()
    // Otherwise the next request may come before the gateway knows that the client left.
    await expect.poll(async () => (await gateway.messages('mine')).length).toBe(2)
    const grown = user('Which port?\n[interrupted]')
    const next = asked(grown, assistant('Nothing to say.'), user('And now?'))
    const { decision } = await send(gateway, { body: next, headers: named })
    expect(decision).toContain('class=continue; by=header')
    expect(await gateway.conversations()).toEqual(['mine'])
  })

  it('keeps a question without an answer when the client asks another one in its place', async () => {
    const gateway = await started({ cutAfter: (number) => (number === 0 ? 500 : null) })
    const path = '/v1/chat/completions'
    const body = asked('Which port?').replace('{ ', '{ "stream":true, ')
    await expect(send(gateway, { path, body, headers: named })).rejects.toThrow()
    const next = asked('Which host?', assistant('The second.'), 'And now?')
    await send(gateway, { path, body: next, headers: named })
    expect((await gateway.messages('mine'))[0]?.parts[0]?.text).toBe('Which port?')
    expect(await gateway.conversations()).toHaveLength(2)
  })

  it.each([
    ['asks again', []],
    ['goes on without it', [user('[interrupted]'), user('And now?')]],
    ['has other words in its place', [assistant('Nothing to say.'), user('And now?')]],
    [
      'has more in the question, and other words in its place',
      [user('Which port?\n[interrupted]'), assistant('Nothing to say.'), user('And now?')],
    ],
  ])('does not end the conversation of a client that %s', async (_, next: readonly Message[]) => {
    const gateway = await started({ cutAfter: (number) => (number === 0 ? 500 : null) })
    const body = asked('Which port?').replace('{ ', '{ "stream":true, ')
    const path = '/v1/chat/completions'
    await expect(send(gateway, { path, body, headers: named })).rejects.toThrow()
    const isGrown = next[0]?.content !== '[interrupted]' && next[0]?.role === 'user'
    const history = isGrown ? next : [user('Which port?'), ...next]
    const again = await send(gateway, { path, body: asked(...history), headers: named })
    expect(again.decision).toContain('class=continue; by=header')
    const further = [...history, assistant('Answer 1.'), user('And then?')]
    const later = await send(gateway, { path, body: asked(...further), headers: named })
    expect(later.decision).toContain('class=continue; by=header')
    const stored = await gateway.messages('mine')
    const whole = stored.filter(({ status }) => status === 'complete')
    expect(whole.map(({ role }) => role)).toEqual([...further.map(({ role }) => role), 'assistant'])
    const cut = stored.filter(({ status }) => status === 'incomplete')
    expect(cut.map(({ parts }) => parts[0]?.text)).toEqual([expect.stringMatching(/^Answ/)])
    expect(await gateway.conversations()).toEqual(['mine'])
  })

  it.each(['asks again', 'goes on'])('is not sent later when the client %s', async (how) => {
    const call = { name: 'read', input: { path: 'a.ts' } }
    const gateway = await started({
      answer: (number) =>
        number === 0 ? { text: 'The half of it.', calls: [call, call] } : { text: 'All of it.' },
      cutAfter: (number) => (number === 0 ? 1300 : null),
    })
    const question = [...long(24), user('Which port?')]
    const body = asked(...question).replace('{ ', '{ "stream":true, ')
    await expect(send(gateway, { body, headers: named })).rejects.toThrow()
    const kept = (await gateway.messages('mine')).at(-1)
    expect(kept).toMatchObject({ role: 'assistant', status: 'incomplete' })
    expect(kept?.parts.map(({ type }) => type)).toEqual(['text', 'tool-call'])
    const next = how === 'goes on' ? [assistant('Nothing to say.'), user('And now?')] : []
    const first = [...question, ...next]
    for (const history of [first, [...first, assistant('All of it.'), user('And then?')]]) {
      const { status, decision } = await send(gateway, { body: asked(...history), headers: named })
      expect([status, decision]).toEqual([
        ...[200, expect.stringContaining('class=continue; by=header; action=compacted')],
      ])
      const sent = String(gateway.upstream.calls.at(-1)?.body)
      expect(sent).toContain(String(history.at(-1)?.content))
      expect(sent).not.toMatch(/The half|tool_use|tool_result|No new message/)
    }
    expect(await gateway.messages('mine')).toContainEqual(kept)
  })
})

describe('beside conversations', () => {
  it('counts what would be sent, thirty at once, and stores none of it', async () => {
    const gateway = await started()
    const history = [...long(40), user('And now?')]
    await send(gateway, { body: asked(...history), headers: named })
    const whole = asked(...history, assistant('Answer 0.'), 'Why?')
    const counts = await Promise.all(
      Array.from({ length: 30 }, () =>
        send(gateway, { body: whole, headers: named, path: '/v1/messages/count_tokens' }),
      ),
    )
    for (const { status, text, decision } of counts) {
      expect([status, decision]).toEqual([200, expect.stringContaining('class=count')])
      expect(JSON.parse(text).input_tokens).toBeLessThan(12_000)
    }
    expect(await gateway.messages('mine')).toHaveLength(history.length + 1)
  })

  it('stores no titles and no summaries of the client', async () => {
    const gateway = await started()
    const title = asked('Generate a title for this conversation:', 'Hello.')
    expect(
      (await send(gateway, { body: asked('Generate a title for this conversation: Hello.') }))
        .decision,
    ).toContain('class=side')
    expect(title).toContain('Generate')
    const question = user('Which port?')
    await send(gateway, { body: asked(question), headers: named })
    const summary = user('CRITICAL: Respond with TEXT ONLY. Do NOT call any tools. Summarize all.')
    const asks = await send(gateway, {
      body: asked(question, assistant('Answer 1.'), summary),
      headers: named,
    })
    expect(asks.decision).toContain('class=client-compaction; by=header')
    expect(await gateway.messages('mine')).toHaveLength(2)
  })

  it('finds the conversation by its path, and makes children for sub-agents', async () => {
    const gateway = await started()
    expect((await send(gateway, { path: '/c/by%20path/v1/messages' })).status).toBe(200)
    expect(gateway.upstream.calls.at(-1)?.path).toBe('/v1/messages')
    const session = { 'x-claude-code-session-id': 's1' }
    const parent = await send(gateway, { headers: session })
    const child = await send(gateway, {
      headers: { ...session, 'x-claude-code-agent-id': 'a1' },
      body: asked('Look around.'),
    })
    expect([parent.decision, child.decision]).toEqual([
      expect.stringContaining('class=new'),
      expect.stringContaining('class=child'),
    ])
    // Sub-agents of other clients have ids of their own, and name the session that started them.
    const others = await Promise.all(
      [
        ['thread-id', 'x-codex-parent-thread-id'],
        ['x-session-id', 'x-parent-session-id'],
      ].map(async ([own = '', of = '']) => {
        const lead = await send(gateway, { headers: { [own]: 't1' } })
        const headers = { [own]: 't2', [of]: 't1' }
        const helper = await send(gateway, { headers, body: asked('Look around, too.') })
        expect(helper.decision).toContain('class=child')
        return [helper, lead] as const
      }),
    )
    for (const [made, by] of [[child, parent] as const, ...others]) {
      const row = await gateway.get(`/v1/conversations/${encodeURIComponent(made.conversation)}`)
      expect(row).toMatchObject({ parent: { conversationId: by.conversation } })
    }
    expect(await gateway.conversations()).toContain('by path')
  })
})

it('compacts the history of a request for a summary, also without the last answer', async () => {
  const gateway = await started({ windowTokens: 16_000 })
  const calls = [{ name: 'read', input: { path: 'a.ts' } }]
  const call = { type: 'tool_use', id: 'toolu_of_the_last_call', ...calls[0] }
  const result = { type: 'tool_result', tool_use_id: call.id, content: 'port 8080' }
  const tools = '"tools":[{"name":"read","input_schema":{"type":"object"}}]'
  const history = [...long(60), user('And the port?'), { role: 'assistant', content: [call] }]
  const ask = (...messages: readonly Message[]) =>
    send(gateway, { headers: named, body: asked(...messages).replace('{ ', `{ ${tools}, `) })
  await ask(...history, { role: 'user', content: [result] })
  const prompt = 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools. Summarize.'
  const summary = { role: 'user', content: [result, { type: 'text', text: prompt }] }
  const { status, decision } = await ask(...history, summary)
  expect([status, decision]).toEqual([
    ...[200, expect.stringMatching('class=client-compaction.*action=compacted')],
  ])
  expect(String(gateway.upstream.calls.at(-1)?.body).split(result.content).length).toBe(2)
})

it('sends no more cache hints than the client, which has them on its newest message only', async () => {
  const gateway = await started({
    windowTokens: 16_000,
    answer: (number) => ({ calls: [{ name: 'read', input: { path: `src/${number}.ts` } }] }),
  })
  const tools = '"tools":[{"name":"read","input_schema":{"type":"object"}}]'
  const hint = { cache_control: { type: 'ephemeral' } }
  const history: Message[] = []
  const reminder = { type: 'text', text: 'Take care.' }
  let newest: readonly object[] = [{ type: 'text', text: 'Read all files.' }]
  let decision = ''
  for (let turn = 0; turn < 20; turn += 1) {
    const message = { role: 'user', content: newest.with(-1, { ...newest.at(-1), ...hint }) }
    const body = asked(...history, message).replace('{ ', `{ ${tools}, `)
    const answer = await send(gateway, { headers: named, body })
    expect(answer.status, answer.text).toBe(200)
    decision = answer.decision
    const { content } = JSON.parse(answer.text)
    history.push({ role: 'user', content: newest }, { role: 'assistant', content })
    const output = `File ${turn}: ${'a function, and a test of it. '.repeat(turn === 18 ? 4000 : 120)}`
    const result = { type: 'tool_result', tool_use_id: content.at(-1).id, content: output }
    newest = turn === 18 ? [result] : [result, reminder]
  }
  const sent = gateway.upstream.calls.map(({ body }) => String(body))
  expect(sent.map((body) => body.split('"cache_control"').length - 1)).toEqual(sent.map(() => 1))
  // Of results that the gateway has shortened, too: the last one is larger than the window.
  expect(decision).toContain('action=compacted')
  const { messages } = JSON.parse(sent.at(-1) ?? '')
  expect(messages.at(-1).content.at(-1)).toMatchObject(hint)
})

describe('after a compaction of the client', () => {
  it('sends answers that only the log has in the form of the API', async () => {
    const words = (number: number) => `Answer ${number}: ${'it exports a function. '.repeat(60)}`
    const gateway = await started({ answer: (number) => ({ text: words(number) }) })
    const history: Message[] = []
    for (let turn = 0; turn < 26; turn += 1) {
      history.push(user(`Question ${turn}: ${'what does it export? '.repeat(60)}`))
      await send(gateway, { body: asked(...history), headers: named })
      history.push(assistant(words(turn)))
    }
    const summary = 'This session is being continued from a previous conversation. They read files.'
    // Many bytes and few tokens, so that the size of the body says nothing.
    const system = `{ "system":"Be brief.${' '.repeat(30_000)}", `
    const { status, decision, text } = await send(gateway, {
      body: asked(summary, ...history.slice(-1), 'And this?').replace('{ ', system),
      headers: named,
    })
    expect(decision).toContain('class=after-client-compaction')
    expect([status, decision, text]).toEqual([
      ...[200, expect.stringContaining('action=compacted')],
      expect.any(String),
    ])
    const sent = String(gateway.upstream.calls.at(-1)?.body)
    expect(sent).toContain(words(24))
    expect(sent).not.toContain('"parts"')
  })
})

it('keeps questions in their place that a client sends again beside its summary', async () => {
  const gateway = await started()
  const ask = (...texts: readonly string[]) => {
    const messages = texts.map((content) => ({ role: 'user', content }))
    const body = JSON.stringify({ model: 'small', messages })
    return send(gateway, { path: '/v1/chat/completions', headers: { 'thread-id': 't9' }, body })
  }
  const { conversation } = await ask('Which port?')
  const questions = ['Which port?', 'And why?']
  await send(gateway, {
    path: '/v1/chat/completions',
    headers: { 'thread-id': 't9' },
    body: JSON.stringify({
      model: 'small',
      messages: [user('Which port?'), assistant('Answer 0.'), user('And why?')],
    }),
  })
  const summary = 'Another language model started to solve this problem and produced a summary.'
  const after = await ask(...questions, summary, 'Go on.')
  expect(after.decision).toContain('class=after-client-compaction')
  expect(after.conversation).toBe(conversation)
  const list = await gateway.messages(conversation)
  const texts = list.flatMap(({ role, parts }) => (role === 'user' ? [parts[0]?.text] : []))
  expect(texts).toEqual([...questions, summary, 'Go on.'])
})

it('continues a conversation whose reasoning the client sends to another model as text', async () => {
  const calls = [{ name: 'read', input: { path: 'a.ts' } }]
  const gateway = await started({
    answer: (number) => ({ thinking: `Thought ${number}.`, text: 'I read it.', calls }),
  })
  const tools = '"tools":[{"name":"read","input_schema":{"type":"object"}}]'
  const first = asked('Which port?').replace('{ ', `{ ${tools}, `)
  const { text, conversation } = await send(gateway, { body: first })
  const { content } = JSON.parse(text) as { content: readonly Record<string, unknown>[] }
  const spoken = content.map(({ signature, thinking, ...block }) =>
    signature === undefined ? block : { type: 'text', text: thinking },
  )
  const results = content.flatMap(({ type, id }) =>
    type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: id, content: 'port 8080' }] : [],
  )
  const next = asked(
    'Which port?',
    { role: 'assistant', content: spoken },
    { role: 'user', content: results },
  )
  const again = await send(gateway, { body: next.replace('{ ', `{ ${tools}, `) })
  expect([again.status, again.conversation, again.decision]).toEqual([
    ...[200, conversation],
    expect.stringContaining('class=continue; by=passed-id'),
  ])
})

describe('a request that leaves most of the window to the answer', () => {
  it('keeps half of the window', async () => {
    const gateway = await started()
    const body = asked(...long(6), user('And now?')).replace(
      '"max_tokens":100',
      '"max_tokens":12000',
    )
    const { status, decision } = await send(gateway, { body })
    expect([status, decision]).toEqual([200, expect.stringContaining('action=passed')])
  })
})

describe('access', () => {
  it('needs our key, and says so in the form of the API', async () => {
    const gateway = await started()
    const none = { 'x-throughline-key': '' }
    const answers = [
      await send(gateway, { headers: none }),
      await send(gateway, { headers: none, path: '/v1/chat/completions' }),
      await send(gateway, { headers: none, path: '/v1beta/models/small:generateContent' }),
    ]
    expect(answers.map(({ status, text }) => [status, JSON.parse(text).error])).toEqual([
      [401, expect.objectContaining({ type: 'authentication_error' })],
      [401, expect.objectContaining({ code: 'key_missing' })],
      [401, expect.objectContaining({ status: 'UNAUTHENTICATED' })],
    ])
    expect(gateway.upstream.calls).toHaveLength(0)
  })

  it('never sends our key on, and asks for the upstream’s', async () => {
    const gateway = await started()
    const { status, text } = await send(gateway, {
      headers: { 'x-throughline-key': '', 'x-api-key': gateway.key },
    })
    expect([status, text]).toEqual([401, expect.stringContaining('the upstream has no key')])
    await send(gateway, { headers: { authorization: `Bearer ${gateway.key}` } })
    expect(JSON.stringify(gateway.upstream.calls.map(({ headers }) => headers))).not.toContain(
      gateway.key,
    )
  })

  it('follows no redirect', async () => {
    const hits: string[] = []
    const trap = createServer((request, response) => {
      hits.push(request.url ?? '')
      response.writeHead(307, { location: `http://127.0.0.1:${port}/stolen` }).end()
    })
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void trap.close())
    const { port } = trap.address() as AddressInfo
    const address = { url: `http://127.0.0.1:${port}` }
    const gateway = await started({
      gateway: { upstreams: { anthropic: address, openai: address, gemini: address } },
    })
    for (const header of ['host', 'x-forwarded-host', 'x-upstream', 'x-base-url', 'forwarded'])
      await send(gateway, header === 'host' ? {} : { headers: { [header]: 'evil.example' } })
    const { status, headers } = await send(gateway)
    expect([status, headers.get('location')]).toEqual([502, null])
    expect(new Set(hits)).toEqual(new Set(['/v1/messages?beta=true']))
  })

  it('answers greetings and sockets at once', async () => {
    const gateway = await started()
    expect((await send(gateway, { method: 'HEAD', path: '/api/hello', body: null })).status).toBe(
      200,
    )
    expect((await send(gateway, { method: 'GET', path: '/v1/responses', body: null })).status).toBe(
      426,
    )
    const models = await send(gateway, { method: 'GET', path: '/v1/models', body: null })
    expect([models.status, JSON.parse(models.text).data[0].id]).toEqual([200, 'small'])
  })

  it('keeps tenants apart that send the same session', async () => {
    const gateway = await started()
    const made = await fetch(`${gateway.url}/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tenant: 'other', name: 'theirs', role: 'write' }),
    })
    const { secret } = (await made.json()) as { readonly secret: string }
    const session = { 'x-claude-code-session-id': 'same' }
    const mine = await send(gateway, { headers: session })
    const theirs = await send(gateway, { headers: { ...session, 'x-throughline-key': secret } })
    expect(theirs.decision).toContain('class=new')
    expect(theirs.conversation).not.toBe(mine.conversation)
    expect(await gateway.conversations()).toEqual([mine.conversation])
  })
})

it('hashes random requests equal on both sides', async () => {
  const gateway = await started({ refuse: () => ({ status: 418, body: {} }) })
  for (let number = 0; number < 40; number += 1) {
    const body = asked('a\u2028b'.repeat(number), assistant('é😀'.repeat(number) || 'x'), 'Why?')
    await send(gateway, { body })
    const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
    expect(hash(gateway.upstream.calls.at(-1)?.body ?? '')).toBe(hash(body))
  }
})

it('continues a conversation of Gemini whose client names the calls itself and repeats their results', async () => {
  const calls = [{ name: 'read', input: { path: 'a.ts' } }]
  const gateway = await started({
    answer: (number) => (number === 0 ? { text: 'I read it.', calls } : { text: 'It is 8080.' }),
    refuse: (_, text) =>
      text.split('"functionResponse"').length > 2 ? { status: refusal, body: {} } : null,
  })
  let refusal = 400
  const path = '/v1beta/models/small:generateContent'
  const tools = [{ functionDeclarations: [{ name: 'read', parameters: { type: 'object' } }] }]
  const ask = (...contents: readonly object[]) =>
    send(gateway, { path, body: JSON.stringify({ contents, tools }) })
  const userText = (text: string) => ({ role: 'user', parts: [{ text }] })
  const call = {
    ...{ functionCall: { id: 'read_1795129923295_0', name: 'read', args: { path: 'a.ts' } } },
    thoughtSignature: 'skip_thought_signature_validator',
  }
  const answer = { role: 'model', parts: [{ text: 'I read it.' }, call] }
  const result = {
    functionResponse: {
      ...{ id: 'read_1795129923295_0', name: 'read' },
      response: { output: '8080' },
    },
  }
  const first = await ask(userText('Which port?'))
  const second = await ask(userText('Which port?'), answer, { role: 'user', parts: [result] })
  const again = [
    ...[userText('Which port?'), answer, { role: 'user', parts: [result, result] }],
    ...[{ role: 'model', parts: [{ text: 'It is 8080.' }] }, userText('Why?')],
  ]
  const resumed = await ask(...again)
  expect([second.decision, resumed.decision], resumed.text).toEqual([
    expect.stringContaining('class=continue'),
    expect.stringMatching('class=continue.*retried=repeats'),
  ])
  expect([second.conversation, resumed.conversation]).toEqual(
    Array.from({ length: 2 }, () => first.conversation),
  )
  expect(resumed.text).toContain('It is 8080.')
  refusal = 429
  const limited = await ask(...again)
  expect([limited.status, limited.decision]).toEqual([429, expect.not.stringContaining('retried')])
  const stored = await gateway.get(`/v1/conversations/${first.conversation}/messages`)
  const { items } = stored as { readonly items: readonly { readonly parts: readonly object[] }[] }
  const callIds = items.flatMap(({ parts }) =>
    parts.flatMap((part) => ('callId' in part ? [part.callId] : [])),
  )
  expect(callIds).toEqual(['call_1_0_read', 'call_1_0_read'])
  const messages = await gateway.messages(first.conversation)
  expect(messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
  ])
})
