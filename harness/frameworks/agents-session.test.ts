/** The session of the OpenAI Agents SDK: its contract, compared with the SDK's own session in memory. */
import { type AgentInputItem, assistant, MemorySession, system, user } from '@openai/agents'
import fc from 'fast-check'
import { createThroughline } from 'throughline'
import { throughlineSession } from 'throughline/openai-agents'
import { sqlite } from 'throughline/stores/sqlite'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { runDoor } from './run-door.ts'

const call = (callId: string, more: object = {}) =>
  ({
    type: 'function_call',
    callId,
    name: 'read',
    arguments: '{"path":"a.ts"}',
    status: 'completed',
    providerData: { id: `fc_${callId}` },
    ...more,
  }) as AgentInputItem
const result = (callId: string) =>
  ({
    type: 'function_call_result',
    callId,
    name: 'read',
    status: 'completed',
    output: { type: 'text', text: 'const a = 1' },
  }) as AgentInputItem
const reasoning = { type: 'reasoning', id: 'rs_1', content: [] } as AgentInputItem
const picture = {
  role: 'user',
  content: [
    { type: 'input_text', text: 'Look.' },
    { type: 'input_image', image: 'data:image/png;base64,iVBORw0KGgo=' },
  ],
} as AgentInputItem
const hosted = {
  type: 'hosted_tool_call',
  id: 'ws_1',
  name: 'web_search_call',
  status: 'completed',
  providerData: { action: { type: 'search' } },
} as AgentInputItem
const samples = [
  ...[user('Hello.'), assistant('Hi.'), system('Be brief.'), call('1'), result('1')],
  ...[reasoning, picture, hosted],
]

type Transaction = Parameters<
  ReturnType<typeof throughlineSession>['applyHistoryTransaction']
>[0]['transaction']

const start = (engine = createThroughline()) => ({
  engine,
  session: throughlineSession({ engine, conversation: 'a', model: 'gpt-5-mini' }),
})

it('plays turns with parallel calls', async () => {
  const report = await runDoor('openai-agents', 16)
  expect(report).toMatchObject({ findings: [], refused: 0, requests: 32 })
})

type Operation =
  | { readonly kind: 'add'; readonly items: readonly number[] }
  | { readonly kind: 'pop' | 'clear' }
  | { readonly kind: 'append' | 'replace'; readonly id: number; readonly items: readonly number[] }

const items = fc.array(fc.nat(samples.length - 1), { maxLength: 3 })
const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), items }) },
  fc.record({ kind: fc.constantFrom('pop' as const) }),
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('append', 'replace'), id: fc.nat(3), items }),
  },
)

describe('a session', () => {
  it('does what the session in memory does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operations, { maxLength: 12 }), async (all) => {
        const expected = new MemorySession()
        const { session } = start()
        for (const operation of all) {
          const [theirs, ours] = [await play(expected, operation), await play(session, operation)]
          expect(ours).toEqual(theirs)
          expect(await session.getItems()).toEqual(await expected.getItems())
          expect(await session.getItems(2)).toEqual(await expected.getItems(2))
        }
      }),
      { numRuns: 60, seed: 7 },
    )
  })

  it('gives every item back in a new process', async () => {
    const { engine, session } = start()
    await session.addItems(samples)
    const again = throughlineSession({ engine, conversation: 'a' })
    expect(await again.getItems()).toEqual(samples)
    expect(await again.getSessionId()).toBe('a')
    expect(await again.getItems(0)).toEqual([])
  })

  it('keeps bytes as base64', async () => {
    const { session } = start()
    const output = { type: 'image', image: { data: Uint8Array.of(1, 2), mediaType: 'image/png' } }
    await session.addItems([{ ...result('1'), output } as AgentInputItem])
    expect(await session.getItems()).toMatchObject([{ output: { image: { data: 'AQI=' } } }])
  })

  it('adds what is equal to the turn before', async () => {
    const { session } = start()
    const turn = [user('Yes.'), assistant('Fine.')]
    await session.addItems(turn)
    await session.getItems()
    await session.addItems(turn)
    expect(await session.getItems()).toEqual([...turn, ...turn])
  })

  it('replaces a suffix in one commit, whose rest the next reader does', async () => {
    const { engine, session } = start()
    await session.addItems([user('One.'), user('Two.')])
    const chat = engine.conversation('a')
    // As after a kill between the two commits.
    const broken = throughlineSession({
      engine: {
        ...engine,
        conversation: (id) => {
          const handle = engine.conversation(id)
          const remove = () => Promise.reject(new Error('killed'))
          return { ...handle, history: { ...handle.history, remove } }
        },
      },
      conversation: 'a',
    })
    const change = {
      operationId: 'op-1',
      transaction: {
        type: 'replace_suffix' as const,
        expectedSuffix: [user('Two.')],
        replacement: [user('Three.')],
      },
    }
    await expect(broken.applyHistoryTransaction(change)).rejects.toThrow('killed')
    await session.applyHistoryTransaction(change)
    expect(await session.getItems()).toEqual([user('One.'), user('Three.')])
    const log = await Array.fromAsync(chat.messages())
    expect(log.map(({ parts }) => parts.length)).toEqual([1, 0, 1])
    await expect(
      session.applyHistoryTransaction({
        ...change,
        transaction: { type: 'append_items', items: [] },
      }),
    ).rejects.toMatchObject({ code: 'KEY_CONFLICT' })
  })

  it('gives each item to one of two processes that take the last one at once', async () => {
    const folder = testFolder()
    const open = () => start(createThroughline({ store: sqlite(folder.file('talk.db')) }))
    const both = [open(), open()]
    const [first] = both
    await first?.session.addItems([user('0'), ...Array.from({ length: 9 }, (_, n) => call(`${n}`))])
    const taken = await Promise.all(
      both.flatMap(({ session }) => Array.from({ length: 4 }, () => session.popItem())),
    )
    const names = taken.map((item) => JSON.stringify(item))
    expect(new Set(names).size).toBe(8)
    expect(await first?.session.getItems()).toHaveLength(2)
    for (const { engine } of both) await engine.close()
    folder.remove()
  })

  it('adds what another process adds at once, too', async () => {
    const folder = testFolder()
    const open = () => start(createThroughline({ store: sqlite(folder.file('talk.db')) }))
    const both = [open(), open()]
    for (const { session } of both) await session.getItems()
    await Promise.all(both.map(({ session }) => session.addItems([user('Yes.')])))
    for (const { engine, session } of both) {
      expect(await session.getItems()).toEqual([user('Yes.'), user('Yes.')])
      await engine.close()
    }
    folder.remove()
  })

  it('applies each transaction once when two processes apply them at once', async () => {
    const folder = testFolder()
    const open = () => start(createThroughline({ store: sqlite(folder.file('talk.db')) }))
    const both = [open(), open()]
    const [first] = both
    await first?.session.addItems([user('One.'), user('Two.')])
    const apply = (operationId: (process: number) => string, transaction: Transaction) =>
      Promise.allSettled(
        both.map(({ session }, process) =>
          session.applyHistoryTransaction({ operationId: operationId(process), transaction }),
        ),
      )
    const statuses = (all: readonly PromiseSettledResult<void>[]) => all.map(({ status }) => status)
    const append = { type: 'append_items' as const, items: [call('1')] }
    expect(statuses(await apply(() => 'same', append))).toEqual(['fulfilled', 'fulfilled'])
    expect(statuses(await apply((process) => `${process}`, append))).toEqual([
      ...['fulfilled', 'fulfilled'],
    ])
    const calls = [call('1'), call('1'), call('1')]
    expect(await first?.session.getItems()).toEqual([user('One.'), user('Two.'), ...calls])
    const replaced = await apply((process) => `replace-${process}`, {
      ...{ type: 'replace_suffix', expectedSuffix: calls, replacement: [user('Three.')] },
    })
    expect(statuses(replaced).sort()).toEqual(['fulfilled', 'rejected'])
    expect(replaced).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ code: 'HISTORY_CHANGED' }) }),
    )
    // Either the item is taken before its replacement, which is then refused, or after it.
    const [taken, change] = await Promise.allSettled([
      first?.session.popItem(),
      both[1]?.session.applyHistoryTransaction({
        operationId: 'last',
        transaction: {
          type: 'replace_suffix',
          expectedSuffix: [user('Three.')],
          replacement: [user('Four.')],
        },
      }),
    ])
    expect(taken).toEqual({
      ...{ status: 'fulfilled', value: user(change.status === 'fulfilled' ? 'Four.' : 'Three.') },
    })
    for (const { engine, session } of both) {
      expect(await session.getItems()).toEqual([user('One.'), user('Two.')])
      await engine.close()
    }
    folder.remove()
  })

  it('reads only what is new, until messages are changed', async () => {
    const { engine, session } = start()
    await session.addItems([user('One.'), assistant('Two.')])
    const log = engine.conversation('a')
    await log.append({ role: 'user', content: 'Three.' })
    expect(await session.getItems()).toHaveLength(3)
    await log.history.edit('#0', { role: 'user', content: 'Zero.' })
    expect(JSON.stringify(await session.getItems())).toContain('Zero.')
    await log.history.purge()
    await log.append({ role: 'user', content: 'Again.' })
    expect(JSON.stringify(await session.getItems())).not.toContain('Two.')
    await engine.close()
  })

  it('edits a call that was approved with other arguments', async () => {
    const { session } = start()
    await session.addItems([user('Read.'), call('1'), result('1')])
    const replacement = call('1', { arguments: '{"path":"b.ts"}' })
    await session.applyHistoryMutations({
      mutations: [
        { type: 'replace_function_call', callId: '1', replacement: replacement as never },
      ],
    })
    expect(await session.getItems()).toEqual([user('Read.'), replacement, result('1')])
  })

  it('begins with the newest compaction of the provider, and keeps the originals in the log', async () => {
    const { engine, session } = start()
    await session.addItems([user('One.'), assistant('1.'), user('Two.')])
    const compaction = { type: 'compaction', encrypted_content: 'sealed' } as AgentInputItem
    await session.replaceHistoryWithCompaction([compaction, user('Two.')])
    await session.addItems([assistant('2.')])
    expect(await session.getItems()).toEqual([compaction, user('Two.'), assistant('2.')])
    const log = await Array.fromAsync(engine.conversation('a').messages())
    expect(log.flatMap(({ parts }) => parts).map(({ type }) => type)).toEqual([
      ...['text', 'text', 'text', 'opaque', 'text'],
    ])
    await session.replaceHistoryWithCompaction([compaction, user('Other.')])
    expect(await session.getItems()).toEqual([compaction, user('Other.')])
  })

  it('shows messages that were appended elsewhere as items', async () => {
    const { engine, session } = start()
    await engine.conversation('a').append([
      { role: 'user', content: 'Hello.' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', callId: '1', name: 'read', input: '{}' }],
      },
      { role: 'tool', content: [{ type: 'tool-result', callId: '1', output: 'text' }] },
    ])
    expect(await session.getItems()).toMatchObject([
      { role: 'user', content: 'Hello.' },
      { type: 'function_call', callId: '1', arguments: '{}' },
      { type: 'function_call_result', callId: '1', output: { type: 'text', text: 'text' } },
    ])
  })

  it('refuses items and options that it cannot read', async () => {
    const { engine, session } = start()
    await expect(session.addItems([{} as AgentInputItem])).rejects.toThrow(/type or a role/)
    expect(() => throughlineSession({ engine, conversation: '' })).toThrow(/must be the id/)
    expect(() => throughlineSession({ engine, conversation: 'a', limit: 3 } as never)).toThrow(
      /no option "limit"/,
    )
  })
})

/** Undefined, the popped item, or that the operation was refused. */
async function play(
  session: MemorySession | ReturnType<typeof throughlineSession>,
  operation: Operation,
) {
  const listed = (indexes: readonly number[]) => indexes.map((at) => samples[at] as AgentInputItem)
  switch (operation.kind) {
    case 'add':
      return session.addItems(listed(operation.items))
    case 'pop':
      return session.popItem()
    case 'clear':
      return session.clearSession()
    case 'append':
    case 'replace': {
      const { id, kind, items: indexes } = operation
      const suffix = (await session.getItems()).slice(-1)
      const transaction =
        kind === 'append'
          ? { type: 'append_items' as const, items: listed(indexes) }
          : {
              type: 'replace_suffix' as const,
              expectedSuffix: id === 0 ? [user('Not there.')] : suffix,
              replacement: listed(indexes),
            }
      try {
        await session.applyHistoryTransaction({ operationId: `${id}`, transaction })
        return 'applied'
      } catch {
        return 'refused'
      }
    }
  }
}
