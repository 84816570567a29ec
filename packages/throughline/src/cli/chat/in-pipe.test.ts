import { describe, expect, it } from 'vitest'
import { sessionOf } from '../world.test-support.ts'
import { chatTest } from './chat.test-support.ts'

const linesOf = (text: string): readonly Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const summary =
  'User had files read one by one, and wanted their limits to be raised, which was done.'

describe('a chat in a pipe', () => {
  it.each(['openai', 'anthropic'] as const)(
    'sends each line and prints the answers (%s)',
    async (api) => {
      const { run, server, json } = await chatTest({
        api,
        server: { answers: ['It is\nopen.', 'At nine.'] },
        world: { stdin: 'Is the shop open?\n\n/status of it, since when?' },
      })
      expect(await run('chat', 'shop', '--system', 'Be brief.')).toEqual({
        exitCode: 0,
        stdout: 'It is\nopen.\nAt nine.\n',
        stderr: '',
      })
      const [, second] = server.requests
      expect(second?.problems).toEqual([])
      expect(second?.question).toMatchObject({ system: 'Be brief.', model: 'small' })
      expect(second?.question?.messages.map(({ text }) => text)).toEqual([
        ...['Is the shop open?', 'It is\nopen.', '/status of it, since when?'],
      ])
      expect(await json('status', 'shop')).toMatchObject({
        conversation: { head: 4, title: 'Is the shop open?' },
        totals: { requests: 2 },
      })
    },
  )

  it('stores the system prompt with the conversation, and records the requests', async () => {
    const { run, server, engine } = await chatTest()
    await run('chat', 'shop', '--system', 'Be brief.', '-m', 'Hello')
    await run('chat', 'shop', '-m', 'And now?')
    expect(server.requests.at(-1)?.question?.system).toBe('Be brief.')
    const taken = await engine(async (tl) => (await tl.conversation('shop').status()).requests)
    expect(taken).toHaveLength(2)
  })

  it('writes events as JSON lines', async () => {
    const { run } = await chatTest({
      server: { answers: 'Yes, it is.' },
      world: {
        env: {
          THROUGHLINE_TOKENIZER: 'estimate',
        },
      },
    })
    const { stdout, stderr } = await run(...['chat', 'shop', '--json', '-m', 'Open?'])
    const events = linesOf(stdout)
    expect(stderr).toBe('')
    expect(events[0]).toEqual({ type: 'message', conversation: 'shop', seq: 0 })
    expect(
      events
        .filter(({ type }) => type === 'text')
        .map(({ text }) => text)
        .join(''),
    ).toBe('Yes, it is.')
    expect(events.at(-1)).toMatchObject({
      ...{ type: 'answer', kind: 'answered', seq: 1, text: 'Yes, it is.', finish: 'stop' },
      ...{ usage: { outputTokens: 3 }, tokens: expect.any(Number), costUsd: null, compacted: null },
    })
  })

  it('reports the cost if the settings have prices', async () => {
    const { run } = await chatTest({ server: { answers: 'Yes.' } })
    const prices = { inputUsd: 1_000_000, outputUsd: 0 }
    await run('config', 'set', 'models', JSON.stringify({ 'house/small': { prices } }))
    const { stdout } = await run('chat', 'shop', '--json', '-m', 'Open the shop at nine')
    const { usage, costUsd } = linesOf(stdout).at(-1) as Record<string, Record<string, number>>
    expect(costUsd).toBe(usage?.['inputTokens'])
    const bad = JSON.stringify({ m: { prices: { inputUsd: '1' } } })
    expect(await run('config', 'set', 'models', bad)).toMatchObject({ exitCode: 78 })
  })

  it('fits the window, with a summary by the summarizer', async () => {
    const { run, engine, server } = await chatTest({
      server: { answers: ({ model }) => (model === 'writer' ? summary : 'Yes.') },
      world: { env: { THROUGHLINE_POLICY: 'chat' } },
    })
    await engine((tl) => tl.conversation('shop').append(sessionOf(60)))
    const words = ['--window', '6000', '--summarizer', 'house/writer', '--json', '-m', 'Go on.']
    const { stdout } = await run('chat', 'shop', ...words)
    const last = linesOf(stdout).at(-1) as { tokens: number; available: number }
    expect(last).toMatchObject({ kind: 'answered', compacted: { line: expect.any(Number) } })
    expect(last.tokens).toBeLessThanOrEqual(last.available)
    expect(server.requests.every(({ problems }) => problems.length === 0)).toBe(true)
  })

  it.each(['rate-limit-ms', 'unavailable', 'reset', 'truncated-stream', 'error-event'] as const)(
    'stores the message before sending it, and retries once after %s',
    async (fault) => {
      const { run, server } = await chatTest({
        server: { faults: [fault], answers: 'One two three.' },
      })
      const { exitCode, stdout } = await run('chat', 'shop', '-m', 'Count.')
      const isCut = stdout !== 'One two three.\n'
      // A partial answer is not requested again.
      expect(server.requests).toHaveLength(isCut ? 1 : 2)
      expect(exitCode).toBe(isCut ? 69 : 0)
      const show = await run('show', 'shop')
      expect(show.stdout).toContain('Count.')
      if (isCut) expect(show.stdout).toContain('cut off')
    },
  )

  it('gives up after one retry, and keeps the message', async () => {
    const { run, server, engine } = await chatTest({ server: { faults: () => 'unavailable' } })
    const { exitCode, stdout, stderr } = await run('chat', 'shop', '-m', 'Count.')
    expect({ exitCode, stdout, asked: server.requests.length }).toEqual({
      ...{ exitCode: 69, stdout: '', asked: 2 },
    })
    expect(stderr).toMatch(/^throughline: 503.*house has a problem; try again later; .*\n$/)
    expect(stderr).toContain('your message is stored, continue with throughline chat shop\n')
    // --last skips a conversation without an answer.
    await engine((tl) =>
      tl.conversation('talked').append({ role: 'user', content: 'Hello', createdAt: 1 }),
    )
    expect((await run('status', '--last')).stderr).toBe('last: talked\n')
    server.arm(null)
    expect((await run('chat', 'shop', '-m', 'Now?')).stdout).toBe('Yes.\n')
    expect((await run('status', '--last')).stderr).toBe('last: shop\n')
    expect(server.requests.at(-1)?.problems).toEqual([])
  })

  it('names the variable of a wrong or missing API key, never the key', async () => {
    const key = 'sk-wrong-0123456789abcdef0123'
    const wrong = await chatTest({ world: { env: { HOUSE_KEY: key } } })
    const refused = await wrong.run('chat', 'shop', '-m', 'Hello')
    expect(refused).toMatchObject({ exitCode: 78, stdout: '' })
    expect(refused.stderr).toMatch(/401.*check the API key in HOUSE_KEY/)
    expect(refused.stderr).not.toContain(key)
    const missing = await chatTest({ world: { env: { HOUSE_KEY: '' } } })
    const { stderr, exitCode } = await missing.run('chat', 'shop', '-m', 'Hello', '--json')
    const { message } = JSON.parse(stderr).error
    expect(message).toMatch(
      /the API key is missing: set HOUSE_KEY to call house; or use a local model, such as --model \S+$/,
    )
    expect(exitCode).toBe(78)
    expect((await missing.run('list')).stdout).not.toContain('shop')
  })

  it('keeps the partial answer when stopped', async () => {
    const { run, output, server, interrupt, engine } = await chatTest({
      server: { answers: 'A long answer. '.repeat(40), faults: ['slow'], pace: { byteEveryMs: 1 } },
    })
    const asked = run('chat', 'shop', '-m', 'Tell me.')
    await expect.poll(() => output().stdout, { timeout: 5_000 }).toContain('A')
    interrupt.abort(new Error('stopped'))
    expect((await asked).exitCode).toBe(130)
    await expect.poll(() => server.requests[0]?.ended).toBe('left')
    const kept = await engine((tl) => Array.fromAsync(tl.conversation('shop').messages()))
    expect(kept).toMatchObject([
      { role: 'user', status: 'complete' },
      { role: 'assistant', status: 'incomplete', parts: [{ text: expect.stringMatching(/^A/) }] },
    ])
  })

  it('starts or continues a conversation, and does not guess between several', async () => {
    const { run, engine } = await chatTest()
    await run('chat', '-m', 'One')
    await run('chat', '--last', '-m', 'Two')
    const [first] = await engine((tl) =>
      Array.fromAsync([tl.conversation('chat-20260102-000000').info()]),
    )
    expect(first?.head).toBe(4)
    await run('chat', 'chat-x', '--new', '-m', 'Three')
    expect((await run('chat', 'chat', '-m', 'Four')).stderr).toContain('matches 2 conversations')
    expect((await run('chat', 'chat-x', '--new', '-m', 'Five')).exitCode).toBe(1)
    expect((await run('chat', 'a', 'b')).exitCode).toBe(64)
    expect((await run('chat', 'a', '--last', '-m', 'Six')).exitCode).toBe(64)
  })

  it('prints which conversation it continues, for a part of a name', async () => {
    const { run } = await chatTest({ server: { answers: 'Yes.' } })
    await run('chat', 'trip-12', '-m', 'Hello')
    expect(await run('chat', '12', '-m', 'And now?')).toEqual({
      exitCode: 0,
      stdout: 'Yes.\n',
      stderr: 'throughline: continuing trip-12; use --new to create "12"\n',
    })
    expect((await run('chat', '12', '--json', '-m', 'And now?')).stderr).toBe('')
    expect((await run('chat', 'trip-12', '-m', 'And now?')).stderr).toBe('')
  })

  it('reports an answer that was cut off at the output limit', async () => {
    const { run } = await chatTest({ server: { faults: ['cut-off'] } })
    expect(await run('chat', 'trip', '-m', 'Hello')).toMatchObject({
      exitCode: 0,
      stderr: 'throughline: the answer was cut off at the output limit of the model\n',
    })
  })

  it('works with a server that is known only by its URL', async () => {
    const { run, server } = await chatTest({ world: { stdin: 'All of\nit.' } })
    server.arm(null)
    const { stderr } = await run(
      ...['chat', '--model', 'Maker/Model-8B', '--base-url', server.url, '-m', '-'],
    )
    // No API key is sent to a URL without a named provider.
    expect(stderr).toContain('requires an API key')
    expect(server.requests[0]?.body).toMatchObject({
      model: 'Maker/Model-8B',
      messages: [{ role: 'user', content: 'All of\nit.' }],
    })
  })
})
