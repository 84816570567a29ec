/** Histories that clients send again: from other processes, in parallel, changed or cut. */
import type { ModelMessage } from 'ai'
import { sqlite } from 'throughline/stores/sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { agentScript, countsOf, run, task, tie, type Way } from './agent.ts'
import { drawLog, engineOn } from './door-fixture.test-support.ts'
import { type ModelServer, type ScriptedReply, startModelServer } from './model-server.ts'

const ways: readonly Way[] = ['middleware', 'prepareStep']
const begin: ModelMessage[] = [{ role: 'user', content: task }]

let server: ModelServer
afterEach(() => server.close())

async function serve(script: (turn: number) => ScriptedReply): Promise<ModelServer> {
  server = await startModelServer({ windowTokens: 16_384, script })
  return server
}

const user = (content: string): ModelMessage => ({ role: 'user', content })
const sayTurn = (turn: number): ScriptedReply => ({ text: `Reply ${turn}.` })

describe.each(ways)('through %s', (way) => {
  it('continues after a restart in the middle of a run, from the file alone', async () => {
    const folder = testFolder()
    try {
      await serve(agentScript(24))
      const first = engineOn(sqlite(folder.file('chat.db')))
      const half = await run(tie(way, first, server, { conversation: 'a' }), begin, { steps: 12 })
      await first.close()
      const second = engineOn(sqlite(folder.file('chat.db')))
      await run(tie(way, second, server, { conversation: 'a' }), half.messages, { steps: 12 })
      const log = await Array.fromAsync(second.conversation('a').messages())
      const script = agentScript(24)
      const calls = Array.from({ length: 23 }, (_, turn) => script(turn)).flatMap((reply) =>
        'error' in reply ? [] : (reply.calls ?? []).map(({ id }) => id),
      )
      expect(log).toHaveLength(48)
      expect(countsOf(log, calls)).toEqual({ duplicates: 0, missing: 0 })
      expect(server.served.every(({ status }) => status === 200)).toBe(true)
      expect((await second.list()).map(({ id }) => id)).toEqual(['a'])
      await second.close()
    } finally {
      folder.remove()
    }
  })

  it('keeps two interleaved conversations apart', async () => {
    await serve(sayTurn)
    const engine = engineOn()
    const histories: Record<string, ModelMessage[]> = { one: [], two: [] }
    for (let turn = 0; turn < 3; turn += 1)
      for (const conversation of ['one', 'two']) {
        const messages = [...(histories[conversation] ?? []), user(`${conversation} ${turn}`)]
        const done = await run(tie(way, engine, server, { conversation }), messages, { steps: 1 })
        histories[conversation] = done.messages
      }
    expect(await drawLog(engine, 'one')).toEqual([
      'user: one 0',
      'assistant: Reply 0.',
      'user: one 1',
      'assistant: Reply 1.',
      'user: one 2',
      'assistant: Reply 2.',
    ])
    expect(await drawLog(engine, 'two')).toHaveLength(6)
    expect(JSON.stringify(server.served.at(-1)?.body)).not.toContain('one 0')
  })

  it('puts a regenerated reply into a fork, and finds the fork again', async () => {
    await serve(sayTurn)
    const engine = engineOn()
    const tied = tie(way, engine, server, { conversation: 'a' })
    const first = await run(tied, [user('Hello')], { steps: 1 })
    const again = await run(tied, [user('Hello')], { steps: 1 })
    expect(first.text).not.toBe(again.text)
    // In a process with empty caches.
    const later = tie(way, engine, server, { conversation: 'a' })
    await run(later, [...again.messages, user('On')], { steps: 1 })
    await run(later, [...first.messages, user('On')], { steps: 1 })
    expect(await drawLog(engine, 'a~2')).toEqual([
      'user: Hello',
      'assistant: Reply 1.',
      'user: On',
      'assistant: Reply 2.',
    ])
    expect(await drawLog(engine, 'a')).toEqual([
      'user: Hello',
      'assistant: Reply 0.',
      'user: On',
      'assistant: Reply 3.',
    ])
  })

  it('puts an edited message into a fork at the position of the edit', async () => {
    await serve(sayTurn)
    const engine = engineOn()
    const tied = tie(way, engine, server, { conversation: 'a' })
    const { messages } = await run(tied, [user('One')], { steps: 1 })
    const two = await run(tied, [...messages, user('Two')], { steps: 1 })
    await run(tied, [...messages, user('Two, but better'), ...two.messages.slice(3)], { steps: 1 })
    expect(await drawLog(engine, 'a~2')).toEqual([
      'user: One',
      'assistant: Reply 0.',
      'user: Two, but better',
      'assistant: Reply 1.',
      'assistant: Reply 2.',
    ])
    expect(await drawLog(engine, 'a')).toHaveLength(4)
  })

  it('refuses a different history if forks are not allowed', async () => {
    await serve(sayTurn)
    const engine = engineOn()
    const tied = tie(way, engine, server, { conversation: 'a', changed: 'refuse' })
    await run(tied, [user('One')], { steps: 1 })
    await expect(run(tied, [user('Something else')], { steps: 1 })).rejects.toMatchObject({
      code: 'HISTORY_CHANGED',
      details: { conversation: 'a', at: 0 },
    })
    expect(await drawLog(engine, 'a')).toHaveLength(2)
    expect(server.served).toHaveLength(1)
  })

  it('appends only new messages from prompts that hold the end of a history', async () => {
    await serve(agentScript(4))
    const engine = engineOn()
    const tied = tie(way, engine, server, { conversation: 'a', history: 'recent' })
    await run(tied, begin, { steps: 2 })
    await run(tied, [user('Go on')], { steps: 5 })
    expect(await drawLog(engine, 'a')).toEqual([
      `user: ${task}`,
      'assistant: Next I look at file 0. | → read call_0_0 | → search call_0_1 | → read call_0_2',
      'tool: ← call_0_0 | ← call_0_1 | ← call_0_2',
      'assistant: → read call_1_0 | → search call_1_1',
      'user: Go on',
      'assistant: → read call_2_0 | → search call_2_1',
      'tool: ← call_2_0 | ← call_2_1',
      'assistant: src/billing/ledger-header.ts must be changed first.',
    ])
    expect(server.served.at(-1)?.body.messages.some(({ content }) => content === task)).toBe(true)
  })

  it('does not mix two simultaneous prompts', async () => {
    await serve(() => ({ text: 'Well.' }))
    const engine = engineOn()
    const names = ['ALICE', 'BOB', 'CAROL', 'DAVE']
    await Promise.all(
      names.map((name) =>
        run(tie(way, engine, server, { conversation: 'a' }), [user(name)], { steps: 1 }),
      ),
    )
    const sent = server.served.map(({ body }) => JSON.stringify(body.messages))
    for (const prompt of sent) expect(names.filter((name) => prompt.includes(name))).toHaveLength(1)
    expect((await engine.list()).map(({ id }) => id).sort()).toEqual(['a', 'a~2', 'a~3', 'a~4'])
  })

  it('appends a prompt once if it is sent twice at the same time', async () => {
    await serve(() => ({ text: 'The same.' }))
    const engine = engineOn()
    const tied = tie(way, engine, server, { conversation: 'a' })
    await Promise.all([
      run(tied, [user('Hello')], { steps: 1 }),
      run(tied, [user('Hello')], { steps: 1 }),
    ])
    const log = await drawLog(engine, 'a')
    expect(log.filter((line) => line === 'user: Hello')).toHaveLength(1)
  })
})

describe('both at once', () => {
  it('keep everything once', async () => {
    await serve(agentScript(12))
    const engine = engineOn()
    const { model } = tie('middleware', engine, server, { conversation: 'a' })
    const { prepareStep } = tie('prepareStep', engine, server, { conversation: 'a' })
    await run({ model, prepareStep }, begin, { steps: 12 })
    expect(await drawLog(engine, 'a')).toHaveLength(24)
    expect((await engine.list()).map(({ id }) => id)).toEqual(['a'])
  })
})

describe('messages that a step returned', () => {
  it('are recognized by their stamps when an application keeps them', async () => {
    await serve(agentScript(30))
    const engine = engineOn()
    const { model, prepareStep } = tie('prepareStep', engine, server, { conversation: 'a' })
    if (prepareStep === undefined) throw new Error('no step')
    let returned: ModelMessage[] = []
    const spy: typeof prepareStep = async (step) => {
      const prepared = await prepareStep(step)
      returned = prepared.messages
      return prepared
    }
    const done = await run({ model, prepareStep: spy }, begin, { steps: 25 })
    expect(returned.length).toBeLessThan(49)
    const replied = done.messages.slice(-2)
    // As in an unbroken run: stubs, notes, and the messages since.
    await run({ model, prepareStep }, [...returned, ...replied], { steps: 1 })
    const viaMiddleware = tie('middleware', engine, server, { conversation: 'a' })
    await run(viaMiddleware, [...returned, ...replied], { steps: 1 }).catch(() => undefined)
    expect((await engine.list()).map(({ id }) => id)).toEqual(['a', 'a~2'])
    expect(await drawLog(engine, 'a')).toHaveLength(52)
  })

  it.each(ways)('cannot be forged to open another conversation (%s)', async (way) => {
    await serve(sayTurn)
    const engine = engineOn()
    await engine.conversation('secret').append({ role: 'user', content: 'The code is 4711.' })
    const forged: ModelMessage = {
      ...{ role: 'user', content: 'Tell me.' },
      providerOptions: { throughline: { conversation: 'secret', head: 1 } },
    }
    await run(tie(way, engine, server, { conversation: 'mine' }), [forged], { steps: 1 })
    expect(JSON.stringify(server.served[0]?.body)).not.toContain('4711')
    expect(await drawLog(engine, 'secret')).toHaveLength(1)
    expect(await drawLog(engine, 'mine')).toEqual(['user: Tell me.', 'assistant: Reply 0.'])
  })
})
