import { describe, expect, it } from 'vitest'
import { ThroughlineError } from '../../errors.ts'
import { createThroughline, type Throughline } from '../../index.ts'
import { ImportTally } from './import-report.ts'
import { type ImportOptions, ImportRun, importTranscript } from './import-run.ts'

function lines(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** A record of a Claude Code session; the key of its message is its text. */
function userRecord(content: string, more: object = {}) {
  const type = content.startsWith('a') ? 'assistant' : 'user'
  return { type, uuid: content, sessionId: 's', message: { content }, ...more }
}

function talk(...texts: readonly string[]): string {
  return lines(...texts.map((text) => userRecord(text)))
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.slice(at, at + 50_000)
}

function imported(tl: Throughline, text: string, options?: ImportOptions) {
  return importTranscript(tl, bytesOf(text), options)
}

async function logOf(tl: Throughline, id: string): Promise<string> {
  const messages = await Array.fromAsync(tl.conversation(id).messages())
  const texts = messages.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '-')))
  return texts.join(' ')
}

async function idsOf(tl: Throughline): Promise<readonly string[]> {
  return (await tl.list()).map(({ id }) => id)
}

describe('times of a transcript', () => {
  it('are kept and counted if they are in the future', async () => {
    const now = Date.UTC(2026, 0, 2)
    const hour = 3_600_000
    const at = (time: number) => ({ timestamp: new Date(time).toISOString() })
    const text = lines(
      userRecord('u1', at(now - hour)),
      userRecord('u2', at(now + 23 * hour)),
      userRecord('u3', at(now + 25 * hour)),
      userRecord('u4', { timestamp: '2999-01-01T00:00:00Z' }),
      userRecord('u5'),
    )
    const tl = createThroughline()
    expect(await imported(tl, text, { now: () => now })).toMatchObject({ messages: 5, ahead: 2 })
    const messages = await Array.fromAsync(tl.conversation('s').messages())
    expect(messages[3]?.createdAt).toBe(Date.UTC(2999, 0, 1))
    const again = await imported(tl, text, { now: () => now, dryRun: true })
    expect(again).toMatchObject({ messages: 5, ahead: 2 })
  })
})

describe('importing a transcript', () => {
  it('imports conversations with their titles, times, agents and metadata', async () => {
    const tl = createThroughline()
    const call = { type: 'tool_use', id: 't', name: 'Task', input: { prompt: 'look' } }
    const text = lines(
      userRecord('<command-name>/clear</command-name>'),
      userRecord('Paint the fence, please.', { timestamp: '2026-01-02T03:04:05Z', cwd: '/farm' }),
      userRecord('a1', { message: { content: [call], usage: { input_tokens: 5 } } }),
      userRecord('look', { isSidechain: true, agentId: 'x' }),
    )
    const report = await imported(tl, text, { name: 'session' })
    expect(report).toMatchObject({
      ...{ conversationCount: 2, messages: 4, added: 4, repeated: 0, problemCount: 0 },
      conversations: [
        { id: 's', title: 'Paint the fence, please.', state: 'new', messages: 3, added: 3 },
        { id: 's/agent-x', title: 'look' },
      ],
      bytes: Buffer.byteLength(text),
      complete: true,
    })
    const [main, agent] = await tl.list()
    expect(main).toMatchObject({ id: 's', title: 'Paint the fence, please.', parent: null })
    expect(agent).toMatchObject({ parent: { conversationId: 's', callId: 't' } })
    const messages = await Array.fromAsync(tl.conversation('s').messages())
    expect(messages[1]?.createdAt).toBe(Date.UTC(2026, 0, 2, 3, 4, 5))
    expect(new TextDecoder().decode((await tl.conversation('s').original(1)) ?? undefined)).toBe(
      text.split('\n')[1],
    )
    expect((await tl.conversation('s').status()).requests).toEqual([])
  })

  it('derives the title from the first typed text, without secrets', async () => {
    const tl = createThroughline()
    await imported(tl, talk(`Clone https://ada:hunter2@example.com/a.git ${'on and '.repeat(40)}`))
    const title = (await tl.conversation('s').info())?.title ?? ''
    expect(title).toMatch(/^Clone https:\/\/ada:\[redacted: [^\]]*\]@example\.com\/a\.git on.*…$/)
    expect(title.length).toBeLessThanOrEqual(81)
  })

  it('adds nothing the second time, and only new messages of a grown file', async () => {
    const tl = createThroughline()
    await imported(tl, talk('u1', 'a1'))
    expect(await imported(tl, talk('u1', 'a1'))).toMatchObject({
      ...{ added: 0, repeated: 2 },
      conversations: [{ id: 's', state: 'known', added: 0 }],
    })
    expect(await imported(tl, talk('u1', 'a1', 'u2', 'a2'))).toMatchObject({
      added: 2,
      repeated: 2,
    })
    expect(await logOf(tl, 's')).toBe('u1 a1 u2 a2')
    expect(await idsOf(tl)).toEqual(['s'])
  })

  it('continues a grown file at any point of a batch', async () => {
    const texts = Array.from({ length: 450 }, (_, index) => `u${index}`)
    for (const there of [1, 199, 200, 201, 399]) {
      const tl = createThroughline()
      await imported(tl, talk(...texts.slice(0, there)))
      expect(await imported(tl, talk(...texts))).toMatchObject({
        added: 450 - there,
        repeated: there,
      })
      expect(await logOf(tl, 's')).toBe(texts.join(' '))
      expect(await idsOf(tl)).toEqual(['s'])
    }
  })

  it('keeps waiting messages if a reader announces a conversation twice', async () => {
    const tl = createThroughline()
    const tally = new ImportTally(0)
    const run = new ImportRun({ engine: tl, tally })
    const about = { id: 's', title: 'Twice', parent: null, meta: null }
    const message = (text: string) => ({
      ...{ kind: 'message' as const, conversationId: 's', line: null, usage: null, model: null },
      message: { role: 'user' as const, content: text, key: text },
    })
    await run.take({ kind: 'conversation', ...about })
    await run.take(message('u1'))
    await run.take(message('u2'))
    await run.take({ kind: 'conversation', ...about })
    await run.take(message('u3'))
    await run.flush()
    expect(await logOf(tl, 's')).toBe('u1 u2 u3')
    expect(tally.report(0, true)).toMatchObject({
      ...{ conversationCount: 1, messages: 3, added: 3 },
      conversations: [{ id: 's', title: 'Twice', messages: 3, added: 3 }],
    })
  })

  it('forks a file with changed messages, and finds the fork again', async () => {
    const tl = createThroughline()
    await imported(tl, talk('u1', 'a1', 'u2'))
    const changed = lines(
      userRecord('u1'),
      userRecord('a1', { message: { content: 'a other' } }),
      userRecord('u2'),
    )
    const report = await imported(tl, changed)
    const [fork] = report.conversations
    expect(fork).toMatchObject({ state: 'fork', differs: { from: 's', at: 1 }, added: 2 })
    expect(fork?.id).toMatch(/^s~[0-9a-f]{12}$/)
    expect(await logOf(tl, 's')).toBe('u1 a1 u2')
    expect(await logOf(tl, fork?.id ?? '')).toBe('u1 a other u2')
    expect((await tl.conversation(fork?.id ?? '').info())?.forkedFrom).toMatchObject({ at: 1 })

    expect(await imported(tl, changed)).toMatchObject({
      added: 0,
      conversations: [{ id: fork?.id }],
    })
    const grown = await imported(tl, `${changed}${talk('u3')}`)
    expect(grown).toMatchObject({ added: 1, conversations: [{ id: fork?.id }] })
    expect(await imported(tl, talk('u1', 'a1', 'u2'))).toMatchObject({ added: 0 })
    expect(await idsOf(tl)).toHaveLength(2)
  })

  it('does not mix messages into a log that continued differently', async () => {
    const tl = createThroughline()
    await imported(tl, talk('u1', 'a1'))
    await tl.conversation('s').append({ role: 'user', content: 'said here' })
    const report = await imported(tl, talk('u1', 'a1', 'u2'))
    const [fork] = report.conversations
    expect(fork).toMatchObject({ state: 'fork', differs: { from: 's', at: 2 } })
    expect(await logOf(tl, 's')).toBe('u1 a1 said here')
    expect(await logOf(tl, fork?.id ?? '')).toBe('u1 a1 u2')
    // A line that was broken before would otherwise be inserted between others.
    const repaired = await imported(tl, talk('u1', 'u1.5', 'a1'))
    expect(repaired.conversations).toMatchObject([{ state: 'fork', differs: { at: 1 } }])
  })

  it('keeps edits and removals, and forks after a purge', async () => {
    const changes = {
      edit: (tl: Throughline) =>
        tl.conversation('s').history.edit('#1', { role: 'assistant', content: 'edited' }),
      remove: (tl: Throughline) => tl.conversation('s').history.remove('#1'),
      purge: (tl: Throughline) => tl.conversation('s').history.purgeMessage('#1'),
    }
    const states: string[] = []
    for (const change of Object.values(changes)) {
      const tl = createThroughline()
      await imported(tl, talk('u1', 'a1', 'u2'))
      await change(tl)
      const { added, conversations } = await imported(tl, talk('u1', 'a1', 'u2', 'a2'))
      states.push(`${conversations[0]?.state} ${added}`)
    }
    expect(states).toEqual(['known 1', 'known 1', 'fork 3'])
  })

  it('separates conversations that share only the name', async () => {
    const tl = createThroughline()
    const body = (content: string) => JSON.stringify({ messages: [{ role: 'user', content }] })
    await imported(tl, body('one'), { name: 'body' })
    const report = await imported(tl, body('two'), { name: 'body' })
    expect(report.conversations).toMatchObject([{ state: 'new', differs: null, nameTaken: 'body' }])
    const [, other] = await tl.list()
    expect(other).toMatchObject({ forkedFrom: null, title: 'two', head: 1 })
    expect(await imported(tl, body('two'), { name: 'body' })).toMatchObject({ added: 0 })
  })

  it('forks a ChatGPT conversation with another active branch', async () => {
    const tl = createThroughline()
    const node = (parent: string | null, text: string) => ({
      parent,
      message: { author: { role: 'user' }, content: { content_type: 'text', parts: [text] } },
    })
    const mapping = { q: node(null, 'q'), one: node('q', 'one'), two: node('q', 'two') }
    const exported = (current_node: string) =>
      JSON.stringify([{ title: 'T', conversation_id: 'c', mapping, current_node }])
    expect(await imported(tl, exported('one'))).toMatchObject({
      branches: { count: 1, messages: 1 },
    })
    const report = await imported(tl, exported('two'))
    expect(report.conversations).toMatchObject([{ title: 'T', differs: { from: 'c', at: 1 } }])
    expect(await logOf(tl, 'c')).toBe('q one')
    expect(await logOf(tl, report.conversations[0]?.id ?? '')).toBe('q two')
  })

  it('appends to a named conversation, whatever it contains', async () => {
    const tl = createThroughline()
    await tl.conversation('mine').append({ role: 'user', content: 'before' })
    const text = `${talk('u1', 'a1')}${lines(userRecord('deep', { isSidechain: true, agentId: 'x' }))}`
    await imported(tl, text, { into: 'mine' })
    await tl.conversation('mine').append({ role: 'user', content: 'between' })
    await imported(tl, `${talk('u1', 'a1', 'u2')}`, { into: 'mine' })
    await imported(tl, talk('u1').replaceAll('"s"', '"z"'), { into: 'mine' })
    expect(await logOf(tl, 'mine')).toBe('before u1 a1 between u2 u1')
    expect(await idsOf(tl)).toEqual(['mine', 'mine/agent-x'])
    expect((await tl.conversation('mine/agent-x').info())?.parent?.conversationId).toBe('mine')
    // With its own id the result is the same as without `into`.
    await imported(tl, talk('u1'))
    expect(await imported(tl, talk('u1', 'a1'), { into: 's' })).toMatchObject({ added: 1 })
  })

  it('refuses to import several conversations into one', async () => {
    const body = lines({ messages: [{ role: 'user', content: 'a' }] })
    await expect(imported(createThroughline(), body + body, { into: 'x' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })

  it('counts broken lines and reports the first ones, or stops at the first', async () => {
    const broken = Array.from({ length: 30 }, () => '{"type":"user"').join('\n')
    const text = `${talk('u1')}${broken}\n${talk('u2')}`
    const tl = createThroughline()
    const report = await imported(tl, text)
    expect(report).toMatchObject({ messages: 2, problemCount: 30 })
    expect(report.problems).toHaveLength(20)
    expect(report.problems[0]).toMatchObject({ line: 2 })
    await expect(imported(tl, text, { onBroken: 'abort', name: 'n' })).rejects.toThrow(/line 2/)
  })

  it('reports a message that the engine rejects, and imports the others', async () => {
    const tl = createThroughline()
    const refusing: Throughline = {
      ...tl,
      conversation: (id) => {
        const handle = tl.conversation(id)
        return {
          ...handle,
          append: async (messages, options) => {
            if (JSON.stringify(messages).includes('huge'))
              throw new ThroughlineError('MESSAGE_TOO_LARGE', 'message is too large')
            return handle.append(messages, options)
          },
        }
      },
    }
    const texts = Array.from({ length: 60 }, (_, index) => (index === 41 ? 'huge' : `u${index}`))
    const report = await imported(refusing, talk(...texts))
    expect(report).toMatchObject({
      ...{ messages: 59, added: 59, problemCount: 1 },
      problems: [{ line: 42, reason: 'message is too large' }],
    })
    expect(await logOf(tl, 's')).toBe(texts.filter((text) => text !== 'huge').join(' '))
    await expect(imported(refusing, talk(...texts), { onBroken: 'abort' })).rejects.toThrow('large')
  })

  it('writes nothing in a dry run', async () => {
    const tl = createThroughline()
    await imported(tl, talk('u1'))
    const other = talk('u1').replaceAll('"s"', '"z"')
    const report = await imported(tl, talk('u1', 'a1') + other, { dryRun: true })
    expect(report).toMatchObject({
      ...{ messages: 3, added: null, repeated: null },
      conversations: [{ id: 's', state: 'known', messages: 3, added: null }],
    })
    expect(await logOf(tl, 's')).toBe('u1')
  })

  it('stops between two appends when interrupted, and continues from there', async () => {
    const texts = Array.from({ length: 3_000 }, (_, index) => `u${index} ${'long '.repeat(60)}`)
    const tl = createThroughline()
    const stop = new AbortController()
    const stopped = await imported(tl, talk(...texts), {
      signal: stop.signal,
      progress: ({ messages }) => messages > 1_000 && stop.abort(),
    })
    expect(stopped.complete).toBe(false)
    expect(stopped.added).toBeGreaterThan(1_000)
    expect(stopped.added).toBeLessThan(3_000)
    const report = await imported(tl, talk(...texts))
    expect(report).toMatchObject({ complete: true, repeated: stopped.added })
    expect((await tl.conversation('s').info())?.head).toBe(3_000)
  })

  it('has the same result after an interruption at any point', async () => {
    const record = (index: number) =>
      userRecord(
        `u${index}`,
        index % 3 === 0 ? { isSidechain: true, agentId: `x${index % 7}` } : {},
      )
    const text = lines(...Array.from({ length: 700 }, (_, index) => record(index)))
    const whole = createThroughline()
    await imported(whole, text)
    for (let calls = 1; ; calls += 3) {
      const tl = createThroughline()
      const isDone = await imported(failing(tl, calls), text).then(
        () => true,
        () => false,
      )
      await imported(tl, text)
      expect(await tl.list()).toEqual(
        (await whole.list()).map((conversation) => ({
          ...conversation,
          createdAt: expect.any(Number) as number,
        })),
      )
      if (isDone) break
    }
  })

  it('keeps a limited number of conversations in memory, and finds the others again', async () => {
    const count = 50
    const round = (place: number) =>
      Array.from({ length: count }, (_, index) =>
        userRecord(`${place}-${index}`, { isSidechain: true, agentId: `x${index}` }),
      )
    const [text, tl] = [lines(...round(0), ...round(1)), createThroughline()]
    for (const added of [2 * count, 0])
      expect(await imported(tl, text, { logsKept: 8 })).toMatchObject({
        conversationCount: count,
        added,
      })
    expect(await logOf(tl, 's/agent-x3')).toBe('0-3 1-3')
  })
})

/** An engine whose calls fail after a number of calls, as if the process were killed. */
function failing(tl: Throughline, calls: number): Throughline {
  let left = calls
  const next = () => {
    left -= 1
    if (left < 0) throw new Error('killed')
  }
  return {
    ...tl,
    begin: async (id, input) => {
      next()
      return tl.begin(id, input)
    },
    conversation: (id) => {
      const handle = tl.conversation(id)
      return {
        ...handle,
        append: async (messages, options) => {
          next()
          return handle.append(messages, options)
        },
      }
    },
  }
}
