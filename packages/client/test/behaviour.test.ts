/** What a conversation does, in this process and on a server; only `open` differs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ConversationHandle,
  type MessageInput,
  recallToolSchemas,
  runRecallTool,
  type TenantHandle,
} from 'throughline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, targets } from './targets.ts'

const model = 'gpt-4'

function turn(n: number): readonly MessageInput[] {
  const path = `src/part-${n}.ts`
  return [
    { role: 'user', content: `Task ${n}: change ${path}, the port is ${47_000 + n}.` },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `I read ${path}.` },
        { type: 'tool-call', callId: `c${n}`, name: 'read_file', input: { path } },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', callId: `c${n}`, output: `const value = ${n}\n`.repeat(90) },
      ],
    },
    { role: 'assistant', content: `Part ${n} is done: value_${n} is ${n * 37}.` },
  ]
}

describe.each(targets)('a conversation, $name', ({ open }) => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-behaviour-'))
  let tl: TenantHandle
  let close: () => Promise<void>
  beforeAll(async () => {
    const opened = await open(folder)
    tl = opened.tl
    close = opened.close
  })
  afterAll(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })

  const hello = { role: 'user', content: 'The port is 47113.' } as const
  let count = 0
  const fresh = () => {
    count += 1
    return tl.conversation(`fresh-${count}`)
  }
  const long = async (): Promise<ConversationHandle> => {
    const chat = fresh()
    for (let n = 0; n < 24; n += 1) await chat.append(turn(n))
    return chat
  }

  it('answers before there is a message', async () => {
    const chat = tl.conversation('none')
    expect(await chat.info()).toBeNull()
    expect(await Array.fromAsync(chat.messages())).toEqual([])
    expect([await chat.turns(), await chat.events(), await chat.receipts()]).toEqual([[], [], []])
    expect([await chat.summaries(), await chat.history.versions()]).toEqual([[], []])
    expect([await chat.summary({ model }), await chat.ledger()]).toEqual([null, null])
    expect(await chat.expand('#0')).toBeNull()
    expect([await chat.original(0), await chat.file('a'.repeat(64))]).toEqual([null, null])
    expect(await chat.recall('port')).toEqual({ query: 'port', pieces: [], unsearched: null })
    expect(await chat.status()).toEqual({
      ...{ conversation: null, suspended: false, last: null, requests: [] },
      totals: {
        requests: 0,
        trimmedRequests: 0,
        compactions: 0,
        averageUtilization: 0,
        breaks: {},
      },
    })
    const missing = { ok: false, failure: { kind: 'not-found' } }
    for (const result of [
      ...[await chat.compact({ model }), await chat.compactNextRequest(), await chat.pin('#0')],
      ...[await chat.unpin(0), await chat.update({ title: 'x' }), await chat.history.undo()],
      ...[await chat.history.restore(1), await chat.history.edit('#0', hello)],
      ...[await chat.history.remove('#0'), await chat.history.editSummary({ model, text: 'x' })],
    ])
      expect(result).toEqual(missing)
    expect(await chat.history.fork(1, 'f')).toEqual({
      ...{ ok: false, failure: { kind: 'source-not-found' } },
    })
    expect(await chat.history.purge()).toEqual({ kind: 'not-found' })
    expect(await chat.history.purgeMessage('#0')).toEqual({ kind: 'not-found' })
  })

  it('builds a context of the next message before there is a conversation', async () => {
    const chat = tl.conversation('none')
    const context = await chat.context({ model, next: hello, system: 'Be brief.' })
    expect(context.messages).toMatchObject([{ role: 'user', slot: 'current' }])
    expect(context.files).toEqual(new Map())
    expect((await chat.preview({ model })).context.warnings[0]?.code).toBe('CONVERSATION_EMPTY')
    expect(await chat.info()).toBeNull()
  })

  it('appends one and many, and a key makes a repeated append harmless', async () => {
    const chat = fresh()
    const first = await chat.append(hello, { key: 'k' })
    expect(first).toMatchObject({ head: 1, usage: null, entries: [{ seq: 0, repeated: false }] })
    expect((await chat.append(hello, { key: 'k' })).entries[0]?.repeated).toBe(true)
    expect(await codeOf(() => chat.append({ ...hello, content: 'other' }, { key: 'k' }))).toBe(
      'KEY_CONFLICT',
    )
    const more = await chat.append(turn(1), { head: 1 })
    expect([more.head, more.entries.map(({ seq }) => seq)]).toEqual([5, [1, 2, 3, 4]])
    expect(await codeOf(() => chat.append(hello, { head: 1 }))).toBe('LOG_MOVED')
    expect(await codeOf(() => chat.append({ role: 'nobody' as 'user', content: 'x' }))).toBe(
      'MESSAGE_INVALID',
    )
    expect(await chat.info()).toMatchObject({ head: 5, title: null, pins: [] })
  })

  it('keeps content to the letter: text, JSON, originals and files', async () => {
    const chat = fresh()
    const data = new Uint8Array([0, 1, 2, 250, 255])
    const odd = 'NUL \u0000, a lone \ud800, ø, 🚢, </script>, "quoted" \\ and \r\n'
    await chat.append([
      {
        role: 'user',
        content: odd,
        author: 'Åse',
        meta: { id: 'x', nested: { list: [1, null] } },
        createdAt: 1_000,
      },
      { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data, name: 'a.png' }] },
      { role: 'user', content: 'wire', raw: '{"b":12345678901234567890}' },
      { role: 'user', content: 'bytes', raw: new TextEncoder().encode('{"ø":1}') },
    ])
    const [first, file] = await Array.fromAsync(chat.messages())
    expect(first).toMatchObject({
      author: 'Åse',
      createdAt: 1_000,
      meta: { nested: { list: [1, null] } },
    })
    expect(first?.parts[0]).toMatchObject({ type: 'text', text: odd })
    const part = file?.parts[0]
    if (part?.type !== 'file' || part.source.kind !== 'stored') throw new Error('no stored file')
    expect(await chat.file(part.source.sha256)).toEqual(data)
    const context = await chat.context({ model: 'gpt-4o' })
    expect(context.files.get(part.source.sha256)).toEqual(data)
    expect(new TextDecoder().decode((await chat.original(2)) ?? undefined)).toBe(
      '{"b":12345678901234567890}',
    )
    expect(new TextDecoder().decode((await chat.original(3)) ?? undefined)).toBe('{"ø":1}')
    expect(await chat.original(9)).toBeNull()
  })

  it('takes any id that a conversation can have', async () => {
    const ids = [
      'a/b',
      '../x',
      '100%',
      '%2F',
      'a?b#c',
      'ø 🚢',
      ' space ',
      "it's",
      'a+b',
      '...',
      '%',
    ]
    for (const id of ids) {
      await tl.conversation(id).append({ role: 'user', content: id })
      expect(await tl.conversation(id).info()).toMatchObject({ id, head: 1 })
      const [message] = await Array.fromAsync(tl.conversation(id).messages())
      expect(message?.id).toBe(`${id}#0`)
    }
    const listed = (await tl.list({ limit: 1000 })).map(({ id }) => id)
    expect(listed).toEqual(expect.arrayContaining(ids))
    for (const id of ['', 'a\u0000', 'x'.repeat(513), '\ud800'])
      expect(await codeOf(() => tl.conversation(id))).toBe('ID_INVALID')
  })

  it('compacts, explains, undoes and restores', async () => {
    const chat = await long()
    const system = 'You are an agent.'
    const before = await chat.context({ model, system, next: hello })
    expect(before.tokens).toBeLessThanOrEqual(before.available)
    const preview = await chat.preview({ model, system })
    expect(preview.context.files).toEqual(new Map())
    const compacted = await chat.compact({ model, system, instructions: 'ports' })
    const receipt = compacted.ok ? compacted.value : (await chat.receipts())[0]
    expect(receipt?.tokensAfter).toBeLessThan(6_000)
    expect((await chat.receipts({ limit: 1 }))[0]?.version).toBe(
      (await chat.receipts())[0]?.version,
    )
    expect(await chat.receipts({ limit: 0 })).toEqual([])
    const summary = await chat.summary({ model })
    expect(summary?.content).toContain('part-')
    const status = await chat.status()
    expect(status.last?.tokens).toBeGreaterThan(0)
    const [newest] = await chat.history.versions({ limit: 1 })
    const undone = await chat.history.undo()
    expect(undone.ok).toBe(true)
    expect((await chat.status()).suspended).toBe(true)
    expect(await chat.history.restore(newest?.version ?? -1)).toMatchObject({ ok: true })
    expect(await chat.history.restore(999_999)).toEqual({
      ok: false,
      failure: { kind: 'not-found' },
    })
    expect(await chat.history.undo({ compactions: 99 })).toMatchObject({
      failure: { kind: 'fewer' },
    })
    const edited = await chat.history.editSummary({ model, text: 'They changed parts 0 to 20.' })
    expect(edited.ok).toBe(true)
    expect((await chat.summary({ model }))?.content).toContain('They changed parts')
    expect((await chat.summaries())[0]?.text).toContain('They changed parts')
    expect(await chat.history.editSummary({ model, text: '' })).toMatchObject({ ok: false })
    expect(await chat.compactNextRequest({ afresh: true })).toMatchObject({
      ok: true,
      value: { id: chat.id },
    })
    expect(await chat.update({ compaction: 'off' })).toMatchObject({
      ok: true,
      value: { compaction: { mode: 'off' } },
    })
  })

  it('calibrates with usage, and makes a refused request smaller once', async () => {
    const chat = await long()
    const context = await chat.context({ model })
    const reply = { role: 'assistant', content: 'Done.' } as const
    const usage = { inputTokens: Math.round(context.tokens * 1.1), outputTokens: 5 }
    expect((await chat.append(reply, { usage, of: context.fingerprint })).usage).toBe('taken')
    expect((await chat.append(hello, { usage, of: 'other' })).usage).toBe('unknown-request')
    expect(await codeOf(() => chat.append(hello, { usage }))).toBe('CONFIG_INVALID')
    const next = await chat.context({ model })
    const refused = Object.assign(new Error('Your request is too long for the model.'), {
      status: 400,
      code: 'context_length_exceeded',
      cause: new Error('cause'),
    })
    expect(await chat.overflowed(next.fingerprint, new Error('socket hang up'))).toBe(
      'not-overflow',
    )
    expect(await chat.overflowed('unknown', refused)).toBe('unknown-request')
    expect(await chat.overflowed(next.fingerprint, refused)).toBe('smaller')
    const smaller = await chat.context({ model })
    expect(smaller.tokens).toBeLessThan(next.tokens)
  })

  it('recalls and expands, for programs and for the tools of a model', async () => {
    const chat = await long()
    const recalled = await chat.recall('port 47003', { limit: 2, tokens: 500, origin: 'person' })
    expect(recalled.pieces[0]?.anchor).toBe('#12')
    expect((await chat.expand('#12'))?.text).toContain('47003')
    for (const anchor of [12, { from: 12, to: 14 }, '#12-#13', `${chat.id}#12`, '#12, #13'])
      expect((await chat.expand(anchor))?.messages[0]?.seq).toBe(12)
    const page = await chat.expand('#0-#40', { limit: 3 })
    expect([
      page?.messages.length,
      (await chat.expand(page?.next ?? ''))?.messages[0]?.seq,
    ]).toEqual([3, 3])
    expect(await chat.expand('#999')).toBeNull()
    expect(await codeOf(() => chat.expand('x y'))).toBe('SPAN_INVALID')
    expect(recallToolSchemas()).toHaveLength(2)
    const tool = { kind: 'expand', input: { anchor: '#12' } } as const
    expect(await runRecallTool(chat, tool.kind, tool.input)).toContain('47003')
  })

  it('returns the ledger, the last named first', async () => {
    const chat = await long()
    await chat.compact({ model })
    await chat.append(turn(24))
    const ledger = await chat.ledger()
    expect(ledger?.to).toBe(100)
    const files = ledger?.entries.filter(({ kind }) => kind === 'file').map(({ label }) => label)
    expect(files?.slice(0, 2)).toEqual(['src/part-24.ts', 'src/part-23.ts'])
    expect(ledger?.entries.length).toBeGreaterThan(48)
    expect(Object.keys(ledger ?? {}).toSorted()).toEqual(['entries', 'to'])
  })

  it('lists messages, turns and events by place and number', async () => {
    const chat = await long()
    const places = (await Array.fromAsync(chat.messages({ from: 3, to: 8 }))).map(({ seq }) => seq)
    expect(places).toEqual([3, 4, 5, 6, 7])
    expect(await Array.fromAsync(chat.messages())).toHaveLength(96)
    expect((await chat.turns({ from: 92 })).at(-1)?.span).toEqual({ from: 92, to: 96 })
    const events = await chat.events({ limit: 3 })
    expect(events.map(({ number }) => number)).toEqual([1, 2, 3])
    expect((await chat.events({ after: 3 }))[0]?.number).toBe(4)
  })

  it('reads more messages than a page of the server has', async () => {
    const chat = fresh()
    await chat.append(
      Array.from({ length: 1234 }, (_, n) => ({ role: 'user' as const, content: `m${n}` })),
    )
    const all = await Array.fromAsync(chat.messages())
    expect([all.length, all.at(-1)?.seq]).toEqual([1234, 1233])
  })

  it('pins, edits, removes and purges', async () => {
    const chat = await long()
    expect(await chat.pin('#4')).toEqual({ ok: true, value: [4] })
    expect(await chat.pin(8)).toEqual({ ok: true, value: [4, 8] })
    expect(await chat.unpin(`${chat.id}#4`)).toEqual({ ok: true, value: [8] })
    expect(await chat.pin('#999')).toMatchObject({ ok: false })
    expect(await codeOf(() => chat.pin('#1-#3'))).toBe('SPAN_INVALID')
    expect(await chat.history.edit('#0', { role: 'user', content: 'Edited.' })).toMatchObject({
      ok: true,
    })
    expect((await chat.expand('#0'))?.text).toContain('Edited.')
    expect(await chat.history.edit('#0', { role: 'assistant', content: 'x' })).toMatchObject({
      failure: { kind: 'other-role', role: 'user' },
    })
    expect(await codeOf(() => chat.history.edit('0', hello))).toBe('SPAN_INVALID')
    expect(await codeOf(() => chat.history.edit('#1-#3', hello))).toBe('SPAN_INVALID')
    expect(await chat.history.remove('#1-#3')).toMatchObject({ ok: true })
    expect(await chat.history.edit('#3', { role: 'assistant', content: 'x' })).toMatchObject({
      failure: { kind: 'removed' },
    })
    expect(await chat.history.purgeMessage('#5')).toMatchObject({ kind: 'purged' })
    expect(await chat.history.purgeMessage('#999')).toEqual({ kind: 'not-found' })
    expect(await chat.history.purge()).toMatchObject({ kind: 'purged', conversations: [chat.id] })
    expect(await chat.info()).toBeNull()
    expect(await chat.history.purge()).toMatchObject({ kind: 'already-purged' })
    expect((await tl.purges({ conversation: chat.id })).map(({ what }) => what)).toContain(
      'conversation',
    )
  })

  it('forks, and refuses what forks share', async () => {
    const chat = await long()
    const fork = await chat.history.fork(10, `${chat.id}-fork`)
    if (!fork.ok) throw new Error('no fork')
    await fork.value.append(hello)
    expect(await fork.value.info()).toMatchObject({ head: 11, forkedFrom: { at: 10 } })
    expect(await chat.history.fork(10, `${chat.id}-fork`)).toMatchObject({
      failure: { kind: 'exists' },
    })
    expect(await chat.history.fork(999, 'x')).toMatchObject({
      failure: { kind: 'source-too-short', head: 96 },
    })
    expect(await chat.history.purge()).toEqual({ kind: 'has-forks', forks: [`${chat.id}-fork`] })
    expect(await chat.history.purge({ forks: 'purge' })).toMatchObject({ kind: 'purged' })
  })

  it('begins conversations with a title and a parent, and lists them', async () => {
    const parent = fresh()
    await parent.append(hello)
    const id = `${parent.id}-child`
    const input = {
      title: 'A child',
      meta: { a: 1 },
      parent: { conversationId: parent.id, callId: 'c1' },
    }
    const created = await tl.begin(id, input)
    expect(created.ok && (await created.value.info())).toMatchObject({
      title: 'A child',
      meta: { a: 1 },
    })
    expect(await tl.begin(id)).toMatchObject({
      ok: false,
      failure: { kind: 'exists', conversation: { id } },
    })
    expect((await tl.list({ parent: parent.id })).map((each) => each.id)).toEqual([id])
    const all = (await tl.list({ limit: 1000 })).map((each) => each.id)
    const [first = '', second = ''] = all
    expect((await tl.list({ after: first, limit: 1 })).map((each) => each.id)).toEqual([second])
    expect(await parent.update({ title: 'Parent', meta: null })).toMatchObject({
      value: { title: 'Parent' },
    })
    expect(await parent.update({ titleFrom: 0 })).toMatchObject({ value: { title: hello.content } })
  })

  it('refuses options that it does not know', async () => {
    const chat = fresh()
    await chat.append(hello)
    const wrong: readonly (() => unknown)[] = [
      () => chat.context({ model, windoww: 1 } as never),
      () => chat.context({ model: 5 } as never),
      () => chat.recall('x', { limitt: 1 } as never),
      () => chat.receipts({ beforee: 1 } as never),
      () => chat.events({ afterr: 1 } as never),
      () => Array.fromAsync(chat.messages({ fromm: 1 } as never)),
      () => chat.append(hello, { keyy: 'x' } as never),
      () => chat.history.purge({ forks: 'maybe' } as never),
      () => tl.list({ limitt: 1 } as never),
      () => tl.purges({ limitt: 1 } as never),
    ]
    for (const call of wrong) expect(await codeOf(call), String(call)).toBe('CONFIG_INVALID')
  })

  it('ends with the reason of the caller’s signal', async () => {
    const chat = fresh()
    await chat.append(hello)
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await expect(chat.context({ model, signal })).rejects.toBe(reason)
    await expect(chat.compact({ model, signal })).rejects.toBe(reason)
  })
})
