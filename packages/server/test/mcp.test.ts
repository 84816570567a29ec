/** MCP over processes and sockets: a client finds its own conversation, and never that of another. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InMemoryTransport } from '@modelcontextprotocol/client'
import { createThroughline } from 'throughline'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type StartedGateway,
  type StartedGatewayOptions,
  startGateway,
} from '../../../harness/gateway/started-gateway.ts'
import { sqliteGatewayIndex } from '../src/gateway/gateway-index.ts'
import { createServerKey } from '../src/index.ts'
import type { Caller } from '../src/mcp/caller.ts'
import { createMcpServer, serverVersion } from '../src/mcp/mcp-server.ts'
import {
  callTool,
  createClient,
  createSession,
  overHttp,
  overStdio,
  versions,
} from './mcp-clients.ts'

const names = ['recall', 'expand', 'pin', 'note', 'status', 'compact', 'list_conversations']

/** Answers a question about a tool with a call of it. */
const answer: NonNullable<StartedGatewayOptions['answer']> = (number, body) =>
  /use the tool/.test(JSON.stringify((body['messages'] as readonly unknown[]).at(-1)))
    ? { calls: [{ name: 'recall', input: { query: 'port' } }] }
    : { text: `Answer ${number}.` }

async function started(options: StartedGatewayOptions = {}): Promise<StartedGateway> {
  const gateway = await startGateway({ answer, ...options })
  onTestFinished(() => gateway.stop())
  return gateway
}

const claude = (session: string) => ({ 'x-claude-code-session-id': session })

describe('the tools', () => {
  it.each(versions)(
    'are listed, and answer over both transports, in version %s',
    async (version) => {
      const gateway = await started()
      const session = createSession(gateway, claude('session-one'))
      await session.say('My database listens on port 6432.')
      const { conversation, callId } = await session.say('Please use the tool.')
      const stdio = await overStdio(
        gateway.folder,
        { CLAUDE_CODE_SESSION_ID: 'session-one' },
        version,
      )
      const http = await overHttp(gateway, version)
      for (const client of [stdio, http]) {
        expect(client.getServerVersion()?.name).toBe('throughline')
        const { tools } = await client.listTools()
        expect(tools.map(({ name }) => name)).toEqual(names)
        const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint === true)
        expect(readOnly.map(({ name }) => name)).toEqual([
          ...['recall', 'expand', 'status', 'list_conversations'],
        ])
        const meta = { 'claudecode/toolUseId': callId }
        const recalled = await callTool(client, 'recall', { query: 'port' }, meta)
        expect(recalled.text).toContain('port 6432')
        expect(recalled.data).toMatchObject({ conversation, passages: [{ anchor: '#0-#1' }] })
        const opened = await callTool(client, 'expand', { anchor: '#0' }, meta)
        expect(opened.data).toMatchObject({ conversation, next: null })
        expect(opened.text).toContain('My database listens on port 6432.')
      }
    },
  )

  it('change the conversation: pins, notes, and a compaction with the next request', async () => {
    const gateway = await started()
    const session = createSession(gateway, claude('session-one'))
    const first = await session.say('Always answer in French.')
    for (let turn = 0; turn < 15; turn += 1)
      await session.say(`Question ${turn}: ${'what is in the file, and why? '.repeat(60)}`)
    expect((await session.say('How many?')).decision).toContain('action=passed')
    const client = await overStdio(gateway.folder, { CLAUDE_CODE_SESSION_ID: 'session-one' })
    expect((await callTool(client, 'pin', { anchor: '#0' })).data).toEqual({
      ...{ conversation: first.conversation, pins: [0] },
    })
    expect((await callTool(client, 'note', { text: 'Chose blue, for contrast.' })).data).toEqual({
      ...{ conversation: first.conversation, notes: 1 },
    })
    expect((await callTool(client, 'recall', { query: 'blue contrast' })).data).toMatchObject({
      notes: [{ text: expect.stringContaining('Chose blue, for contrast.') }],
    })
    expect((await callTool(client, 'compact')).isError).toBe(false)
    expect((await callTool(client, 'status')).data).toMatchObject({
      ...{ pins: [0], notes: 1, compactsNext: true },
    })
    const next = await session.say('And now?')
    expect(next).toMatchObject({ conversation: first.conversation })
    expect(next.decision).toContain('action=compacted')
    expect((await callTool(client, 'status')).data).toMatchObject({
      ...{ compactsNext: false, compactions: 1, lastRequest: { model: 'small' } },
    })
    const removed = await callTool(client, 'pin', { anchor: '#0', remove: true })
    expect(removed.data).toMatchObject({ pins: [] })
    const root = `throughline://conversations/${encodeURIComponent(first.conversation)}`
    const textAt = async (name: string) => {
      const { contents } = await client.readResource({ uri: `${root}/${name}` })
      return (contents[0] as { readonly text: string }).text
    }
    expect(await textAt('summary')).toContain('French')
    expect(JSON.parse(await textAt('ledger'))).toMatchObject({ entries: expect.any(Array) })
    const list = await callTool(client, 'list_conversations')
    expect(list.data).toMatchObject({ conversations: [{ id: first.conversation }], more: false })
  })

  it('answer within the output limit of clients', async () => {
    const { throughline, caller } = inProcess()
    const words = Array.from({ length: 200_000 }, (_, at) => `port${at % 977}`).join(' ')
    for (let at = 0; at < 60; at += 1) {
      await throughline
        .conversation(`${'long'.repeat(40)}${at}`)
        .append({ role: 'user', content: at === 0 ? words : `port7 ${'word '.repeat(900)}${at}` })
    }
    await throughline.conversation(`${'long'.repeat(40)}0`).append(
      Array.from({ length: 40 }, () => ({
        role: 'user',
        content: `port7 ${words.slice(0, 9000)}`,
      })),
    )
    const client = await connected(caller)
    const conversation = `${'long'.repeat(40)}0`
    for (const [name, args] of [
      ['recall', { query: 'port7', limit: 20, conversation }],
      ['expand', { anchor: '#0-#40', conversation }],
      ['list_conversations', { limit: 50 }],
    ] as const) {
      const { text, data, isError } = await callTool(client, name, args)
      expect([name, isError]).toEqual([name, false])
      // A token has three characters at least in such a text; the limit is 25,000 tokens.
      expect([name, (text.length + JSON.stringify(data).length) / 3 < 25_000]).toEqual([name, true])
    }
  })

  it('are beside resources, and one that is missing is not found', async () => {
    const { caller } = inProcess()
    const client = await connected(caller)
    for (const id of ['none', '%E0%A4%A'])
      for (const name of ['summary', 'ledger']) {
        const uri = `throughline://conversations/${id}/${name}`
        await expect(client.readResource({ uri })).rejects.toMatchObject({
          ...{ code: -32602, data: { uri } },
        })
      }
  })

  it('and resources do not say what failed inside', async () => {
    const { throughline, caller } = inProcess()
    await throughline.close()
    const client = await connected({
      ...caller,
      tenant: {
        ...caller.tenant,
        conversation: () => {
          throw new Error('/secret/place/access.db')
        },
      },
    })
    const uri = 'throughline://conversations/chat/ledger'
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      ...{ code: -32603, message: expect.not.stringContaining('/secret') },
    })
  })

  it('have the version of the package', () => {
    const file = join(import.meta.dirname, '../package.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: serverVersion })
  })
})

describe('a call', () => {
  it('of Codex is about its thread', async () => {
    const gateway = await started()
    const [one, other] = ['one', 'other'].map((thread) =>
      createSession(gateway, { 'thread-id': thread, 'session-id': 'same' }),
    )
    await one?.say('The colour is blue.')
    await other?.say('The colour is red.')
    await one?.say('Which one?')
    const client = await overStdio(gateway.folder, {}, '2025-06-18')
    const meta = { threadId: 'one', sessionId: 'same', callId: 'call_123456789012' }
    const { text } = await callTool(client, 'recall', { query: 'colour' }, meta)
    expect(text).toContain('blue')
    expect(text).not.toContain('red')
  })

  it('of a sub-agent is about its own conversation, not that of the main agent', async () => {
    const gateway = await started()
    const main = createSession(gateway, claude('session-one'))
    await main.say('The colour is blue.')
    const agent = createSession(gateway, {
      ...claude('session-one'),
      'x-claude-code-agent-id': 'agent-one',
    })
    await agent.say('The colour is red.')
    await main.say('Which one?')
    const { callId } = await agent.say('Please use the tool.')
    const client = await overStdio(gateway.folder, { CLAUDE_CODE_SESSION_ID: 'session-one' })
    const ofAgent = { 'claudecode/toolUseId': callId }
    expect((await callTool(client, 'recall', { query: 'colour' }, ofAgent)).text).toContain('red')
    expect((await callTool(client, 'recall', { query: 'colour' })).text).toContain('blue')
  })

  it('of an unknown client is refused, unless it names a conversation', async () => {
    const gateway = await started()
    const session = createSession(gateway, claude('session-one'))
    const { conversation } = await session.say('The colour is blue.')
    await session.say('Which one?')
    const client = await overHttp(gateway)
    const refused = await callTool(client, 'recall', { query: 'colour' })
    expect(refused).toMatchObject({ isError: true, data: null })
    expect(refused.text).toMatch(/^\[NOT_FOUND: .*list_conversations\]$/)
    const other = await callTool(client, 'recall', { query: 'colour', conversation })
    expect(other.text).toContain('blue')
    const wrong = await callTool(client, 'recall', { query: 'colour', conversation: 'none' })
    expect(wrong.text).toBe(
      '[NOT_FOUND: there is no conversation "none"; list_conversations has the ids]',
    )
  })

  it('needs no running server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'throughline-mcp-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const client = await overStdio(join(folder, 'new'))
    expect((await callTool(client, 'list_conversations')).data).toMatchObject({
      conversations: [],
    })
  })
})

describe('two sessions at once', () => {
  const perSession = 100

  /** How many answers have the colour of the other session, and how many have their own. */
  async function counted(ask: (session: 'blue' | 'red') => Promise<string>) {
    const figures = { own: 0, foreign: 0 }
    await Promise.all(
      (['blue', 'red'] as const).map(async (colour) => {
        for (let call = 0; call < perSession; call += 1) {
          const text = await ask(colour)
          if (text.includes(colour === 'blue' ? 'red' : 'blue')) figures.foreign += 1
          if (text.includes(colour)) figures.own += 1
        }
      }),
    )
    return figures
  }

  async function twoSessions(gateway: StartedGateway) {
    const calls = await Promise.all(
      ['blue', 'red'].map(async (colour) => {
        const session = createSession(gateway, claude(`session-${colour}`))
        await session.say(`The colour is ${colour}.`)
        return (await session.say('Please use the tool.')).callId
      }),
    )
    return { blue: calls[0] ?? null, red: calls[1] ?? null }
  }

  it('see only their own over stdio, by the environment', async () => {
    const gateway = await started()
    await twoSessions(gateway)
    const client = async (colour: string) =>
      overStdio(gateway.folder, { CLAUDE_CODE_SESSION_ID: `session-${colour}` })
    const clients = { blue: await client('blue'), red: await client('red') }
    const figures = await counted(
      async (colour) => (await callTool(clients[colour], 'recall', { query: 'colour' })).text,
    )
    expect(figures).toEqual({ own: 200, foreign: 0 })
  })

  it('see only their own over HTTP, by the ids of their calls', async () => {
    const gateway = await started()
    const calls = await twoSessions(gateway)
    const client = await overHttp(gateway, '2026-07-28')
    const figures = await counted(
      async (colour) =>
        (
          await callTool(
            client,
            'recall',
            { query: 'colour' },
            {
              'claudecode/toolUseId': calls[colour],
            },
          )
        ).text,
    )
    expect(figures).toEqual({ own: 200, foreign: 0 })
  })

  it('are distinguished by this check: a planted index that takes the newest is found', async () => {
    const gateway = await started()
    await twoSessions(gateway)
    const index = sqliteGatewayIndex(join(gateway.folder, 'access.db'))
    onTestFinished(() => index.close())
    const { throughline, caller } = inProcess()
    for (const colour of ['blue', 'red'])
      await throughline.conversation(colour).append(twoTurns(`The colour is ${colour}.`))
    const ask = async (find: Caller['index']) => {
      const clients = {
        blue: await connected({ ...caller, index: find, session: 'blue' }),
        red: await connected({ ...caller, index: find, session: 'red' }),
      }
      return counted(
        async (colour) => (await callTool(clients[colour], 'recall', { query: 'colour' })).text,
      )
    }
    const byId = {
      find: (_: string, ids: readonly string[]) =>
        ids.map((id) => (id.endsWith('red') ? 'red' : 'blue')),
    }
    expect(await ask(byId)).toEqual({ own: 200, foreign: 0 })
    const newest = { find: () => ['red', 'blue'] }
    expect((await ask(newest)).foreign).toBe(100)
  })
})

describe('a key', () => {
  async function twoTenants() {
    const gateway = await started()
    const session = createSession(gateway, claude('session-one'))
    await session.say('The colour is blue.')
    const { conversation, callId } = await session.say('Please use the tool.')
    const key = (tenant: string, role: 'read' | 'write') =>
      createServerKey(gateway.folder, { tenant, name: `${tenant}-${role}`, role })
    return { gateway, conversation, callId, key }
  }

  it('decides the tenant: another one sees no conversation, by no sign', async () => {
    const { gateway, conversation, callId, key } = await twoTenants()
    const secret = key('other', 'write')
    const clients = [
      await overHttp({ url: gateway.url, key: secret }, '2026-07-28'),
      await overStdio(gateway.folder, {
        ...{ THROUGHLINE_KEY: secret, CLAUDE_CODE_SESSION_ID: 'session-one' },
      }),
    ]
    for (const client of clients) expect(await seenBy(client, conversation, callId)).toEqual([])
    const own = await overHttp(gateway, '2026-07-28')
    expect(await seenBy(own, conversation, callId)).toEqual(['argument', 'call', 'list', 'ledger'])
  })

  it('of another tenant would be found out, if its calls had the wrong one', async () => {
    const { throughline, caller } = inProcess()
    await throughline.conversation('chat').append(twoTurns('The colour is blue.'))
    const other = { ...caller, index: { find: () => ['chat'] }, tenantName: 'other' }
    const right = await connected({ ...other, tenant: throughline.tenant('other') })
    expect(await seenBy(right, 'chat', 'call_123456789012')).toEqual([])
    const planted = await connected(other)
    expect(await seenBy(planted, 'chat', 'call_123456789012')).toEqual([
      ...['argument', 'call', 'list', 'ledger'],
    ])
  })

  it('that may only read has no tools that write', async () => {
    const { gateway, key } = await twoTenants()
    const client = await overHttp({ url: gateway.url, key: key('default', 'read') })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['recall', 'expand', 'status', 'list_conversations'],
    ])
    await expect(callTool(client, 'pin', { anchor: '#0' })).rejects.toThrow(/pin/)
  })

  it('is needed over HTTP, and must be valid over stdio', async () => {
    const gateway = await started()
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const post = (more: Readonly<Record<string, string>>) =>
      fetch(`${gateway.url}/mcp`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify(body),
      })
    expect((await post({})).status).toBe(401)
    expect((await post({ 'x-throughline-key': 'tl_wrong' })).status).toBe(401)
    await expect(overStdio(gateway.folder, { THROUGHLINE_KEY: 'tl_wrong' })).rejects.toThrow()
  })

  /** By which ways a client reaches the conversation. */
  async function seenBy(
    client: Awaited<ReturnType<typeof overHttp>>,
    conversation: string,
    callId: string | null,
  ): Promise<readonly string[]> {
    const query = { query: 'colour' }
    const named = await callTool(client, 'recall', { ...query, conversation })
    const called = await callTool(client, 'recall', query, { 'claudecode/toolUseId': callId })
    const list = await callTool(client, 'list_conversations')
    const uri = `throughline://conversations/${encodeURIComponent(conversation)}/ledger`
    const ledger = await client.readResource({ uri }).catch(() => null)
    return [
      ...(named.text.includes('blue') ? ['argument'] : []),
      ...(called.text.includes('blue') ? ['call'] : []),
      ...(list.text.includes(conversation) ? ['list'] : []),
      ...(ledger === null ? [] : ['ledger']),
    ]
  }
})

/** Tools do not search the newest turn: it is in every context. */
function twoTurns(content: string) {
  return [content, 'Which one?'].map((each) => ({ role: 'user' as const, content: each }))
}

/** An engine in memory, and a caller of its tenant `default`. */
function inProcess() {
  const throughline = createThroughline()
  onTestFinished(() => throughline.close())
  const caller: Caller = {
    ...{ tenant: throughline.tenant('default'), tenantName: 'default', canWrite: true },
    ...{ index: null, session: null, changed: () => {} },
  }
  return { throughline, caller }
}

async function connected(caller: Caller) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const server = createMcpServer(caller)
  await server.connect(ours as Parameters<typeof server.connect>[0])
  const client = createClient('2025-11-25')
  await client.connect(theirs)
  onTestFinished(() => client.close())
  return client
}
