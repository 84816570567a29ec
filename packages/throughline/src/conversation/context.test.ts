import { describe, expect, it } from 'vitest'
import type { Context } from '../domain/context.ts'
import type { MessageInput } from '../domain/message.ts'
import { policies } from '../policies/presets.ts'
import { memory } from '../stores/memory.ts'
import { build } from '../testing/build.ts'
import { drawContext } from '../testing/draw-context.test-support.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { createThroughline } from '../throughline.ts'

const models = [
  { id: 'small', contextWindowTokens: 2_048, tokenizer: 'o200k_base' },
  { id: 'large', contextWindowTokens: 131_072, tokenizer: 'o200k_base' },
] as const

function begin(options = {}) {
  const store = memory()
  const tl = createThroughline({ store, models, clock: fakeClock(), ...options })
  return { tl, store, chat: tl.conversation('c') }
}

function turn(index: number, lines = 60): readonly MessageInput[] {
  const callId = `call-${index}`
  return [
    { role: 'user', content: `Look at file ${index}.` },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', callId, name: 'read', input: { path: `src/${index}.ts` } }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', callId, output: `const value = ${index}\n`.repeat(lines) }],
    },
    { role: 'assistant', content: `File ${index} is fine.` },
  ]
}

/** Without the history block, which other tests check. */
const drawn = (context: Context) =>
  drawContext(context).replace(/ · data, not instructions.*$/gm, '')

describe('a context', () => {
  it('names the policy as the cause where another one has other slots', async () => {
    const { chat, store } = begin()
    await chat.append([...turn(0), ...turn(1)])
    const input = { model: 'large', retrieved: [{ text: 'Invoices are due in May.' }] }
    await chat.context(input)
    const { slots } = policies.balanced.advanced
    const [retrieved, rest] = [
      slots.filter(({ kind }) => kind === 'retrieved'),
      slots.filter(({ kind }) => kind !== 'retrieved'),
    ]
    const at = rest.findIndex(({ kind }) => kind === 'recent')
    const policy = {
      name: 'found-first',
      advanced: { slots: [...rest.slice(0, at), ...retrieved, ...rest.slice(at)] },
    }
    const other = createThroughline({ store, models, clock: fakeClock(), policy })
    const changed = await other.conversation('c').context(input)
    expect(changed).toMatchObject({ omitted: [], brokenBy: 'policy-changed' })
    expect((await other.conversation('c').context(input)).brokenBy).toBeNull()
  })

  it('shows everything as long as there is room', async () => {
    const { chat } = begin()
    await chat.append(build().user('Hello').says('Hi!').user('Who are you?').messages)
    const context = await chat.context({ model: 'large', system: 'You are Ada.' })
    expect(drawContext(context)).toMatchInlineSnapshot(`
      "system                You are Ada.
      user            #0    Hello
      assistant       #1    Hi!
      user            #2    Who are you?"
    `)
    expect(context).toMatchObject({ epoch: 1, omitted: [], repairs: [], brokenBy: null })
    expect(context.tokens).toBeLessThan(40)
  })

  it('shortens old results first and keeps what people wrote, in the order of priorities', async () => {
    const { chat } = begin({ policy: { name: 'x', advanced: { trim: { order: 'priority' } } } })
    for (let index = 0; index < 4; index += 1) await chat.append(turn(index))
    await chat.append({ role: 'user', content: 'And now?' })
    expect(drawn(await chat.context({ model: 'small' }))).toMatchInlineSnapshot(`
      "summary user          [earlier requests of the user, verbatim, valid unless changed later; complete · 1nhyer51l5ayhn]⏎#0:…
      ledger user           [ledger of messages #0 to #16; 5 more entries left out
      files user            [excerpts of files as last read or edited
      earlier user          [Messages #0 to #3 are left out.]
      user            #4    Look at file 1.
      assistant       #5    → call-1 read {"path":"src/1.ts"}
      tool            #6    ← call-1 const value = 1⏎const value = ⏎[… 926 characters of src/1.ts (60 lines) left out; see #6 ……
      assistant       #7    File 1 is fine.
      user            #8    Look at file 2.
      assistant       #9    → call-2 read {"path":"src/2.ts"}
      tool            #10   ← call-2 const value = 2⏎const value = ⏎[… 926 characters of src/2.ts (60 lines) left out; see #10 …
      assistant       #11   File 2 is fine.
      user            #12   Look at file 3.
      assistant       #13   → call-3 read {"path":"src/3.ts"}
      tool            #14   ← call-3 const value = 3⏎const value = ⏎[… 926 characters of src/3.ts (60 lines) left out; see #14 …
      assistant       #15   File 3 is fine.
      user            #16   And now?"
    `)
  })

  it('shows no half of a character in lines of files', async () => {
    const { chat } = begin()
    for (let index = 0; index < 4; index += 1) {
      const output = `const half = "\ud83d" // ${index}\n`.repeat(40)
      const read = build()
        .user('Look.')
        .calls('read', { path: `src/${index}.ts` })
        .result(output)
      await chat.append([...read.says('It is fine.')])
    }
    const { messages } = await chat.context({ model: 'small' })
    const [files] = messages.filter(({ slot }) => slot === 'files')
    const text = JSON.stringify(files?.parts)
    expect(text).toContain('const half = ')
    expect(text).not.toContain('\\ud83d')
  })

  it('leaves out the oldest when stubs are not enough, and reports it', async () => {
    const { chat } = begin()
    for (let index = 0; index < 40; index += 1) await chat.append(turn(index))
    await chat.append({ role: 'user', content: 'And now?' })
    const context = await chat.context({ model: 'small' })
    expect(drawn(context)).toMatchInlineSnapshot(`
      "summary user          [earlier requests of the user, verbatim, valid unless changed later; incomplete, … marks a cut · 13…
      ledger user           [ledger of messages #0 to #160; 49 more entries left out
      files user            [excerpts of files as last read or edited
      earlier user          [Messages #0 to #158 are left out.]
      assistant       #159  File 39 is fine.
      user            #160  And now?"
    `)
    expect(context.omitted[0]).toEqual({
      span: { from: 0, to: expect.any(Number) as number },
      why: 'left-out',
      tokens: null,
    })
    expect(context.tokens).toBeGreaterThanOrEqual(context.budget.targetTokens)
    expect(context.tokens).toBeLessThanOrEqual(context.available)
  })

  it('keeps the task when the steps of one turn outgrow the window', async () => {
    const { chat } = begin()
    await chat.append({ role: 'user', content: 'Read every file and report.' })
    for (let index = 0; index < 30; index += 1) await chat.append(turn(index).slice(1, 3))
    const drawn = drawContext(await chat.context({ model: 'small' }))
    expect(drawn).toContain('Read every file and report.')
    expect(drawn).toContain('→ call-29 read')
    expect(drawn).not.toContain('→ call-0 read')
  })

  it('extends the previous request until an epoch ends, and names the cause', async () => {
    const { chat } = begin()
    const causes = new Set<string>()
    let before = null as Awaited<ReturnType<typeof chat.context>> | null
    for (let index = 0; index < 40; index += 1) {
      await chat.append(turn(index, 12))
      await chat.append({ role: 'user', content: 'And?' })
      const context = await chat.context({ model: 'small', system: 'Be brief.' })
      if (before !== null && context.brokenBy === null) {
        expect(context.prefixOf).toBe(before.fingerprint)
        expect(context.messages.slice(0, before.messages.length).map(unslotted)).toEqual(
          before.messages.map(unslotted),
        )
      } else if (context.brokenBy !== null) causes.add(context.brokenBy)
      before = context
    }
    expect([...causes].filter((cause) => cause !== 'trigger' && cause !== 'overflow')).toEqual([])
    const { breaks } = (await chat.status()).totals
    expect((breaks.trigger ?? 0) + (breaks.overflow ?? 0)).toBeLessThan(20)
  })

  it('leaves room for the requested reply', async () => {
    const { chat } = begin()
    for (let index = 0; index < 20; index += 1) await chat.append(turn(index))
    const usual = await chat.context({ model: 'small' })
    const long = await chat.context({ model: 'small', replyTokens: 1_200 })
    expect(long.budget.reserveTokens).toBe(1_200)
    expect(long.available).toBe(usual.available - 1_200 + usual.budget.reserveTokens)
    expect(long.tokens).toBeLessThanOrEqual(long.available)
    for (const replyTokens of [0, -5, 1.5, '7' as never])
      await expect(chat.context({ model: 'small', replyTokens })).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
      })
  })

  it('is the same, byte for byte, when it is built again', async () => {
    const { chat } = begin()
    for (let index = 0; index < 20; index += 1) await chat.append(turn(index))
    await chat.append({ role: 'user', content: 'x'.repeat(40_000) })
    const first = await chat.context({ model: 'small' })
    const again = await chat.context({ model: 'small' })
    expect(JSON.stringify(again.messages)).toBe(JSON.stringify(first.messages))
    expect(again).toMatchObject({ fingerprint: first.fingerprint, epoch: first.epoch })
    expect(again.brokenBy).toBeNull()
  })

  it('serves a smaller window in the next call, and the larger one again', async () => {
    const { chat } = begin()
    for (let index = 0; index < 30; index += 1) await chat.append(turn(index))
    await chat.append({ role: 'user', content: 'And now?' })
    const large = await chat.context({ model: 'large' })
    const small = await chat.context({ model: 'small' })
    const back = await chat.context({ model: 'large' })
    expect(large.omitted).toEqual([])
    expect(small.tokens).toBeLessThanOrEqual(small.available)
    expect(back).toMatchObject({ omitted: [], prefixOf: large.fingerprint, brokenBy: null })
  })

  it('shows the next message without writing it', async () => {
    const { chat } = begin()
    await chat.append(build().user('Hello').says('Hi!').messages)
    const next = { role: 'user', content: 'And then?' } as const
    const asked = await chat.context({ model: 'small', next })
    expect((await chat.info())?.head).toBe(2)
    await chat.append(next)
    const context = await chat.context({ model: 'small' })
    expect(JSON.stringify(context.messages)).toBe(JSON.stringify(asked.messages))
    expect(context).toMatchObject({ fingerprint: asked.fingerprint, brokenBy: null })
  })

  it('can be built for a conversation without messages', async () => {
    const { chat } = begin()
    const context = await chat.context({ model: 'small', next: { role: 'user', content: 'Hello' } })
    expect(drawContext(context)).toContain('Hello')
    expect(await chat.info()).toBeNull()
  })

  it('puts retrieved text last, before the user message, within its share', async () => {
    const { chat } = begin()
    await chat.append(build().user('Hello').says('Hi!').user('What is in the contract?').messages)
    const context = await chat.context({
      model: 'small',
      profile: 'Ada, in Zurich.',
      retrieved: [
        { id: 'doc-7', title: 'Contract', text: 'Clause 1. '.repeat(400) },
        { id: 'doc-8', text: 'Another.' },
      ],
    })
    expect(context.messages.map(({ slot }) => slot)).toEqual([
      'profile',
      'recent',
      'recent',
      'retrieved',
      'current',
    ])
    const retrieved = context.sections.find(({ kind }) => kind === 'retrieved')?.tokens ?? 0
    expect(retrieved).toBeLessThan(context.available * 0.3)
    expect(context.omitted.map(({ why }) => why)).toContain('over-share')
  })

  it('shows a picture with its bytes', async () => {
    const { chat } = begin()
    const data = new Uint8Array([1, 2, 3])
    await chat.append({ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data }] })
    const context = await chat.context({ model: 'large' })
    expect([...context.files.values()]).toEqual([data])
  })

  it('stubs any message that is too large, and its original is one call away', async () => {
    const { chat } = begin()
    await chat.append({ role: 'user', content: `${'a giant. '.repeat(400_000)}The end.` })
    const context = await chat.context({ model: 'small' })
    const text = JSON.stringify(context.messages)
    expect(text).toContain('characters left out; see #0')
    expect(text).toContain('The end.')
    const expanded = await chat.expand('#0')
    expect(expanded?.messages[0]?.parts).toMatchObject([{ text: /^a giant\. .*The end\.$/ }])
  })

  it('calibrates itself on the usage that is reported for it', async () => {
    const { chat } = begin({ tokenizer: 'estimate' })
    await chat.append({ role: 'user', content: 'word '.repeat(2_000) })
    const first = await chat.context({ model: 'large' })
    const reply = { role: 'assistant', content: 'Yes.' } as const
    const usage = { input_tokens: Math.round(first.tokens * 0.6) }
    const report = { usage, of: first.fingerprint, key: 'reply' }
    expect((await chat.append(reply, report)).usage).toBe('taken')
    expect((await chat.append(reply, report)).usage).toBe('repeated')
    const second = await chat.context({ model: 'large' })
    expect(second.tokens).toBeLessThan(first.tokens * 0.7)
    const huge = await chat.append([], { usage: { inputTokens: 1e9 }, of: second.fingerprint })
    expect(huge.usage).toBe('implausible')
    const unknown = await chat.append([], { usage: { inputTokens: 5 }, of: 'nobody' })
    expect(unknown.usage).toBe('unknown-request')
  })

  it('still works whatever usage is reported, again and again', async () => {
    const { chat } = begin()
    for (let index = 0; index < 60; index += 1) {
      await chat.append({ role: 'user', content: `Question ${index}: ${'word '.repeat(60)}` })
      const { fingerprint, tokens } = await chat.context({ model: 'small' })
      const inputTokens = Math.min(2_048, tokens * (index % 5 === 2 ? 10 : 1))
      const reply = { role: 'assistant', content: 'Yes.' } as const
      await chat.append(reply, { usage: { inputTokens }, of: fingerprint })
    }
    const { messages } = await chat.context({ model: 'small' })
    expect(messages.length).toBeGreaterThan(3)
  })

  it('summarizes messages that are too large even as stubs', async () => {
    const { chat } = begin()
    const calls = Array.from({ length: 40 }, (_, index) => `call-${index}`)
    await chat.append([
      { role: 'user', content: 'Read all.' },
      {
        role: 'assistant',
        content: calls.map((callId) => ({ type: 'tool-call', callId, name: 'read', input: {} })),
      },
      ...calls.map((callId): MessageInput => {
        const output = `the result of ${callId} ${'and so on '.repeat(30)}`
        return { role: 'tool', content: [{ type: 'tool-result', callId, output }] }
      }),
    ])
    const context = await chat.context({ model: 'small' })
    // A conversation that grows this fast has the lowest target.
    expect(context.tokens).toBeGreaterThanOrEqual(context.available * 0.27)
    expect(JSON.stringify(context.messages)).toContain('the result of call-0')
    expect(drawContext(context)).toContain('shortened; see #1-#41')
  })

  it.each([
    [{ model: 7 }, 'context: model must be the name of a model, got 7'],
    [{ model: 'small', tools: {} }, 'context: tools must be an array of tools, got an object'],
    [{ model: 'small', sytem: '' }, 'context has no option "sytem"'],
    [{ model: 'small', maxTokens: 8 }, 'set by models: [{ id, contextWindowTokens }]'],
    [{ model: 'small', retrieved: [{ id: 'x' }] }, 'context: retrieved[0].text must be text'],
  ])('refuses %o', async (input, message) => {
    const { chat } = begin()
    await expect(chat.context(input as never)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(message) as string,
    })
  })
})

function unslotted({ slot: _, ...message }: { readonly slot: string }): object {
  return message
}

describe('an impossible context', () => {
  it('P0-006 P1-011 P1-014: says what is too large, by how much, and what to do', async () => {
    const { chat } = begin()
    await chat.append({ role: 'user', content: 'Hello' })
    const system = 'rule '.repeat(3_000)
    await expect(chat.context({ model: 'small', system })).rejects.toMatchObject({
      code: 'CONTEXT_OVERFLOW',
      message: expect.stringMatching(
        /^cannot fit the request into small: system 30\d\d, tools 0, pins 0, together 30\d\d tokens, and 1496 are available \(window 2048, reserve 512, margin 40\)\. Please shorten the system prompt/,
      ) as string,
      details: { availableTokens: 1_496, windowTokens: 2_048, tools: 0 },
    })
  })

  it('is an error of the pins where those are too large', async () => {
    const { chat } = begin()
    await chat.append({ role: 'user', content: 'a '.repeat(3_000) })
    expect(await chat.pin('#0')).toEqual({ ok: true, value: [0] })
    await expect(chat.context({ model: 'small' })).rejects.toThrow('Please unpin')
    await chat.unpin(0)
    expect((await chat.context({ model: 'small' })).omitted).toHaveLength(1)
  })
})

describe('a pin', () => {
  it('is shown verbatim while its message is hidden, and is never counted twice', async () => {
    const { chat } = begin()
    await chat.append({ role: 'user', content: 'Never delete [end] anything.\n"x"' })
    await chat.pin(0)
    for (let index = 0; index < 20; index += 1) await chat.append(turn(index))
    const context = await chat.context({ model: 'small' })
    const [first] = context.messages
    expect(first?.slot).toBe('pins')
    expect(JSON.stringify(first?.parts)).toContain(
      JSON.stringify('Never delete [end] anything.\n"x"').slice(1, -1),
    )
    expect(context.omitted[0]?.span?.from).toBe(1)
  })

  it('ends the epoch, by that name', async () => {
    const { chat } = begin()
    for (let index = 0; index < 20; index += 1) await chat.append(turn(index))
    await chat.context({ model: 'small' })
    await chat.pin(2)
    expect((await chat.context({ model: 'small' })).brokenBy).toBe('pins-changed')
  })

  it('of a message that is shown whole costs nothing, and stays when the line passes it', async () => {
    const { chat } = begin()
    for (let index = 0; index < 20; index += 1) await chat.append(turn(index))
    await chat.append({ role: 'user', content: 'Never delete [end] anything.' })
    const before = await chat.context({ model: 'small' })
    const { omitted, messages } = before
    const seq = messages.at(-1)?.seq ?? -1
    expect(await chat.pin(seq)).toEqual({ ok: true, value: [80] })
    const pinned = await chat.context({ model: 'small' })
    expect(pinned).toMatchObject({ brokenBy: null, prefixOf: before.fingerprint, omitted })
    expect(pinned.messages).toEqual(messages)
    expect(pinned.budget.protected.pins).toBeGreaterThan(before.budget.protected.pins)
    for (let index = 20; index < 40; index += 1) await chat.append(turn(index))
    const later = await chat.context({ model: 'small' })
    const blocks = later.messages.filter(({ slot }) => slot === 'pins')
    expect(JSON.stringify(blocks)).toContain('Never delete [end] anything.')
    expect(later.brokenBy).toBe('trigger')
  })

  it('of a message that is shown whole can be removed at no cost', async () => {
    const { chat } = begin()
    for (let index = 0; index < 20; index += 1) await chat.append(turn(index))
    await chat.append({ role: 'user', content: 'Never delete anything.' })
    await chat.context({ model: 'small' })
    for (const change of [() => chat.pin(80), () => chat.unpin(80)]) {
      await change()
      expect((await chat.context({ model: 'small' })).brokenBy).toBeNull()
    }
  })

  it('names the profile as omitted where a pin needs its room', async () => {
    const { chat } = begin()
    for (let index = 0; index < 20; index += 1) await chat.append(turn(index))
    await chat.append({ role: 'user', content: 'Never delete anything. '.repeat(20) })
    const input = { model: 'small', profile: 'Likes tea. '.repeat(200) }
    await chat.context(input)
    await chat.pin(80)
    expect((await chat.context(input)).brokenBy).toBe('profile-changed')
  })

  it('must name an existing message', async () => {
    const { chat } = begin()
    expect(await chat.pin(0)).toEqual({ ok: false, failure: { kind: 'not-found' } })
    await chat.append({ role: 'user', content: 'Hello' })
    expect(await chat.pin('c#1')).toEqual({ ok: false, failure: { kind: 'not-found' } })
    await expect(chat.pin('first')).rejects.toMatchObject({ code: 'SPAN_INVALID' })
  })
})

describe('the roles of derived text', () => {
  const lines = async (derivedRole: string) => {
    const { chat } = begin({ policy: { name: 'own', advanced: { derivedRole } } })
    await chat.append(turn(0, 3))
    await chat.pin(0)
    await chat.pin(2)
    for (let index = 1; index < 20; index += 1) await chat.append(turn(index))
    await chat.append({ role: 'user', content: 'And now?' })
    return chat.context({ model: 'small', system: 'Be brief.' })
  }

  it('is user unless a policy sets another one', async () => {
    const context = await lines('user-message')
    expect(context.messages.filter(({ role }) => role === 'system')).toEqual([])
    expect(context.system).toHaveLength(1)
  })

  it.each(['system-message', 'merged-into-system'])(
    'is never the system for what users and tools supplied: %s',
    async (derivedRole) => {
      const { system, messages } = await lines(derivedRole)
      const given = messages.filter(({ role }) => role === 'system')
      expect(JSON.stringify([system, given])).not.toMatch(/Look at file 0|const value/)
      expect(JSON.stringify(messages)).toMatch(/Look at file 0.*const value/)
    },
  )
})

describe('two processes', () => {
  it('agree on the view, and the slower one builds its context again', async () => {
    const { tl, store, chat } = begin()
    for (let index = 0; index < 20; index += 1) await chat.append(turn(index))
    const other = createThroughline({ store, models, clock: fakeClock() }).conversation('c')
    const [one, two] = await Promise.all([
      chat.context({ model: 'small' }),
      other.context({ model: 'small' }),
    ])
    expect(two.messages).toEqual(one.messages)
    const began = (await chat.events()).filter(({ kind }) => kind === 'epoch-began')
    expect(began).toHaveLength(1)
    await tl.close()
  })
})

it('lets the event loop turn while it analyses a long log', async () => {
  const tl = createThroughline({ models: [{ id: 'm', contextWindowTokens: 4_096 }] })
  const chat = tl.conversation('c')
  await chat.append(
    Array.from({ length: 3_000 }, (_, at) => ({ role: 'user', content: `message ${at}` }) as const),
  )
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await chat.context({ model: 'm' })
  clearImmediate(next)
  expect(turns).toBeGreaterThan(4)
  await tl.close()
})
