import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../domain/message.ts'
import { memory } from '../stores/memory.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { createThroughline } from '../throughline.ts'

const models = [
  { id: 'small', contextWindowTokens: 4_096, tokenizer: 'o200k_base' },
  { id: 'large', contextWindowTokens: 131_072, tokenizer: 'o200k_base' },
] as const

function begin(options: Partial<Parameters<typeof createThroughline>[0]> = {}) {
  const store = memory()
  const open = () => createThroughline({ store, models, clock: fakeClock(), ...options })
  return { store, open, chat: open().conversation('c') }
}

const userMessage = (index: number, words = 60): MessageInput => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `${index}: ${'some words that were said here '.repeat(words / 6)}`,
})
const talk = (count: number, words?: number) =>
  Array.from({ length: count }, (_, index) => userMessage(index, words))

const tooLong = Object.assign(
  new Error(
    "This model's maximum context length is 2000 tokens. However, your messages resulted in 2500 tokens.",
  ),
  { code: 'context_length_exceeded', status: 400 },
)

describe('a decision', () => {
  it('comes with every context, and says why nothing was done', async () => {
    const { chat } = begin()
    await chat.append(talk(4))
    const first = await chat.context({ model: 'small' })
    expect(first.decision).toMatchObject({ kind: 'renew', reason: 'first' })
    await chat.append(userMessage(4))
    const { decision, tokens } = await chat.context({ model: 'small' })
    expect(decision).toMatchObject({
      kind: 'continue',
      reason: 'below',
      armed: true,
      shadow: false,
    })
    expect(decision.figures).toMatchObject({ tokens, messagesSince: 5, turnsSince: 3 })
  })

  it('U-003 names the trigger, and the state of it is another process’s too', async () => {
    const { chat, open } = begin({
      policy: { name: 'x', advanced: { guards: { cooldownMessages: 6 } } },
    })
    await chat.append(talk(4))
    await chat.context({ model: 'small' })
    await chat.append(talk(40))
    const { decision } = await chat.context({ model: 'small' })
    expect(decision.kind).toBe('compact')
    const other = open().conversation('c')
    await other.append(talk(2))
    const next = await other.context({ model: 'small' })
    expect(next.decision.figures).toMatchObject({ messagesSince: 2 })
  })

  it('S3-037 messages since the last compaction, whatever their size', async () => {
    const policy = {
      name: 'counted',
      triggers: [{ kind: 'messages', since: 10 }],
      advanced: { guards: { cooldownMessages: 0 } },
      target: { tokens: 200 },
    } as const
    const { chat } = begin({ policy })
    const kinds: string[] = []
    for (let index = 0; index < 24; index += 1) {
      await chat.append(userMessage(index))
      const { decision } = await chat.context({ model: 'large' })
      if (decision.kind === 'compact') kinds.push(`${index + 1} ${decision.reason}`)
    }
    expect(kinds).toEqual(['10 messages', '20 messages'])
  })

  it('is in the status, with the count of each decision', async () => {
    const { chat } = begin()
    await chat.append(talk(4))
    await chat.context({ model: 'small' })
    await chat.append(talk(60))
    await chat.context({ model: 'small' })
    const { last, totals } = await chat.status()
    expect(last?.decision).toMatchObject({ kind: 'compact' })
    expect(totals.compactions).toBe(1)
  })
})

describe('compaction that is asked for', () => {
  it('happens with the next context, once', async () => {
    const { chat } = begin()
    await chat.append(talk(30))
    const before = await chat.context({ model: 'small' })
    expect(before.omitted).toEqual([])
    expect(await chat.compactNextRequest()).toMatchObject({ ok: true })
    const compacted = await chat.context({ model: 'small' })
    expect(compacted.decision).toMatchObject({ kind: 'compact', reason: 'manual' })
    expect(compacted.brokenBy).toBe('manual')
    expect(compacted.tokens).toBeLessThan(before.tokens)
    const again = await chat.context({ model: 'small' })
    expect(again.decision).toMatchObject({ kind: 'continue' })
    expect(again.prefixOf).toBe(compacted.fingerprint)
  })

  it('of a conversation that is not there is a value', async () => {
    expect(await begin().chat.compactNextRequest()).toEqual({
      ok: false,
      failure: { kind: 'not-found' },
    })
  })

  it('that has nothing to gain changes nothing, and is done with', async () => {
    const { chat } = begin()
    await chat.append(talk(4))
    const before = await chat.context({ model: 'large' })
    await chat.compactNextRequest()
    const after = await chat.context({ model: 'large' })
    expect(after).toMatchObject({ prefixOf: before.fingerprint, brokenBy: null, omitted: [] })
    expect((await chat.info())?.compaction.asked).toBeNull()
  })
})

describe('the switch', () => {
  /** Between trigger and limit there is room for messages without a compaction. */
  const policy = {
    name: 'early',
    triggers: [{ kind: 'tokenRatio', at: 0.75, reset: 0.6, of: 'free' }],
  } as const
  const above = async (chat: ReturnType<typeof begin>['chat']) => {
    await chat.append(talk(2, 240))
    await chat.context({ model: 'small' })
    // Above the trigger, and it fits.
    await chat.append(talk(8, 240))
    return chat.context({ model: 'small' })
  }

  it('P0-011 is kept with the conversation', async () => {
    const { chat, open } = begin({ policy })
    await chat.append(userMessage(0))
    await chat.update({ compaction: 'off' })
    expect((await open().conversation('c').info())?.compaction.mode).toBe('off')
    expect(await above(open().conversation('c'))).toMatchObject({
      decision: { kind: 'continue', reason: 'off' },
      omitted: [],
    })
    await chat.update({ compaction: null })
    await chat.append(userMessage(1))
    expect((await chat.context({ model: 'small' })).decision.kind).toBe('compact')
  })

  it('is set together with a title, in one commit or not at all', async () => {
    const { chat } = begin()
    await chat.append(userMessage(0))
    const updated = await chat.update({ title: 'T', compaction: 'shadow' })
    expect(updated).toMatchObject({
      value: { title: 'T', version: 1, compaction: { mode: 'shadow', asked: null, suspended: [] } },
    })
    await chat.update({ compaction: 'shadow' })
    expect((await chat.info())?.version).toBe(1)
  })

  it('off leaves what must go for a request to fit', async () => {
    const { chat } = begin({ policy, compaction: 'off' })
    await above(chat)
    await chat.append(talk(60))
    const context = await chat.context({ model: 'small' })
    expect(context.decision).toMatchObject({ kind: 'trim', reason: 'emergency' })
    expect(context.tokens).toBeLessThanOrEqual(context.available)
  })

  it('shadow reports what it would do, and shows everything', async () => {
    const { chat } = begin({ policy, compaction: 'shadow' })
    const context = await above(chat)
    expect(context.decision).toMatchObject({ kind: 'compact', reason: 'tokenRatio', shadow: true })
    expect(context).toMatchObject({ omitted: [], brokenBy: null })
    expect((await chat.status()).totals.compactions).toBe(0)
  })

  it('is refused where it is no switch', async () => {
    const { chat } = begin()
    await chat.append(userMessage(0))
    await expect(chat.update({ compaction: 'maybe' as never })).rejects.toMatchObject({
      code: 'MESSAGE_INVALID',
    })
    expect(() => createThroughline({ compaction: 'maybe' as never })).toThrow(
      'createThroughline: compaction must be on, off or shadow, got "maybe"',
    )
  })
})

describe('a provider that refuses a request as too long', () => {
  it('U-004 is sent a smaller one, once', async () => {
    const { chat } = begin()
    await chat.append(talk(30))
    const refused = await chat.context({ model: 'small' })
    expect(await chat.overflowed(refused.fingerprint, tooLong)).toBe('smaller')
    const smaller = await chat.context({ model: 'small' })
    expect(smaller.decision).toMatchObject({ kind: 'compact', reason: 'provider-overflow' })
    expect(smaller.tokens).toBeLessThan(refused.tokens * 0.9)
    expect(await chat.overflowed(smaller.fingerprint, tooLong)).toBe('gave-up')
    // What was learned stays: the next requests keep below it.
    await chat.append(talk(20))
    const later = await chat.context({ model: 'small' })
    expect(later.tokens).toBeLessThan(refused.tokens * 0.9)
    expect(later.available).toBeLessThan(refused.available)
  })

  it('U-004 gives up for good while nothing is taken, however often a context is asked for', async () => {
    const { chat } = begin()
    await chat.append(talk(30))
    const refused = await chat.context({ model: 'small' })
    await chat.overflowed(refused.fingerprint, tooLong)
    await chat.context({ model: 'small' })
    for (let turn = 0; turn < 6; turn += 1) {
      await chat.append(userMessage(turn))
      const { fingerprint } = await chat.context({ model: 'small' })
      expect(await chat.overflowed(fingerprint, tooLong)).toBe('gave-up')
    }
    // Once a request was taken, a later one may be made smaller again.
    const taken = await chat.context({ model: 'small' })
    await chat.append(userMessage(7), {
      usage: { inputTokens: taken.tokens },
      of: taken.fingerprint,
    })
    const { fingerprint } = await chat.context({ model: 'small' })
    const again = new Error('prompt is too long')
    expect(await chat.overflowed(fingerprint, again)).toBe('smaller')
  })

  it('is not answered where the reply is what is too long', async () => {
    const { chat } = begin()
    await chat.append(userMessage(0))
    const { fingerprint, available } = await chat.context({ model: 'small' })
    const reply = new Error(
      "This model's maximum context length is 8192 tokens. However, you requested 8230 tokens (38 in the messages, 8192 in the completion).",
    )
    expect(await chat.overflowed(fingerprint, reply)).toBe('gave-up')
    expect((await chat.context({ model: 'small' })).available).toBe(available)
  })

  it('leaves room for a conversation, whatever was refused', async () => {
    const { chat } = begin()
    await chat.append(userMessage(0))
    const { fingerprint } = await chat.context({ model: 'small' })
    expect(await chat.overflowed(fingerprint, new Error('prompt is too long'))).toBe('smaller')
    await chat.append(talk(4))
    const context = await chat.context({ model: 'small' })
    expect(context.available).toBeGreaterThanOrEqual(1_000)
    expect(context.omitted).toEqual([])
  })

  it('U-006 is not heard in an error of another kind', async () => {
    const { chat } = begin()
    await chat.append(talk(30))
    const { fingerprint } = await chat.context({ model: 'small' })
    const errors = [new Error('fetch failed'), new Error('429 Too Many Requests'), null, 'no']
    for (const error of errors)
      expect(await chat.overflowed(fingerprint, error)).toBe('not-overflow')
    expect((await chat.info())?.compaction.asked).toBeNull()
  })

  it('is of a request that we know', async () => {
    const { chat } = begin()
    await chat.append(userMessage(0))
    expect(await chat.overflowed('never', tooLong)).toBe('unknown-request')
    await expect(chat.overflowed(7 as never, tooLong)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })

  it('asks nothing of other models', async () => {
    const { chat } = begin()
    await chat.append(talk(30))
    const { fingerprint } = await chat.context({ model: 'small' })
    await chat.overflowed(fingerprint, tooLong)
    expect((await chat.context({ model: 'large' })).decision.reason).toBe('first')
    expect((await chat.context({ model: 'small' })).decision.reason).toBe('provider-overflow')
  })
})

describe('a small window', () => {
  it('S1-099 compacts again and again, and always fits', async () => {
    const tiny = [{ id: 'tiny', contextWindowTokens: 2_048, tokenizer: 'o200k_base' }] as const
    const { chat } = begin({ models: tiny })
    let compactions = 0
    for (let index = 0; index < 80; index += 1) {
      await chat.append(userMessage(index, 120))
      const context = await chat.context({ model: 'tiny' })
      expect(context.tokens).toBeLessThanOrEqual(context.available)
      if (context.decision.kind === 'compact') compactions += 1
    }
    expect(compactions).toBeGreaterThan(3)
  })

  it('S1-091 a long thread compacts exactly once at its ratio', async () => {
    const policy = {
      name: 'ratio',
      triggers: [{ kind: 'tokenRatio', at: 0.5, reset: 0.4, of: 'window' }],
      target: { ratio: 0.35 },
      advanced: { guards: { cooldownMessages: 4, minMessages: 12 } },
    } as const
    const { chat } = begin({ policy })
    const ratios: number[] = []
    for (let index = 0; index < 40; index += 1) {
      await chat.append(userMessage(index))
      const { decision } = await chat.context({ model: 'small' })
      if (decision.kind === 'compact') ratios.push((decision.figures.tokens ?? 0) / 4_096)
    }
    expect(ratios).toHaveLength(1)
    expect(ratios[0]).toBeGreaterThanOrEqual(0.5)
    expect(ratios[0]).toBeLessThan(0.52)
  })
})

describe('a policy that aims high', () => {
  const turn = (index: number): readonly MessageInput[] => [
    { role: 'user', content: `Look at file ${index}.` },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', callId: `c${index}`, name: 'read', input: { path: 'a' } }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', callId: `c${index}`, output: '{"a":"b"}\n'.repeat(20) }],
    },
  ]
  it.each([{ ratio: 0.7 }, { tokens: 2_000 }])(
    'does not begin anew each time: %o',
    async (target) => {
      const { chat } = begin({ policy: { name: 'high', target } })
      let breaks = 0
      for (let index = 0; index < 60; index += 1) {
        await chat.append(turn(index))
        if ((await chat.context({ model: 'small' })).brokenBy !== null) breaks += 1
      }
      expect(breaks).toBeLessThan(30)
    },
  )

  it('compacts nothing where there is nothing to gain', async () => {
    const triggers = [{ kind: 'tokens', at: 1 }] as const
    const guards = { cooldownMessages: 0, regrowthRatio: 0 }
    const { chat } = begin({ policy: { name: 'always', triggers, advanced: { guards } } })
    const reasons = new Set<string>()
    for (let index = 0; index < 12; index += 1) {
      await chat.append(userMessage(index))
      reasons.add((await chat.context({ model: 'small' })).decision.reason)
    }
    expect([...reasons]).toEqual(['first', 'below'])
    expect((await chat.status()).totals.compactions).toBe(0)
  })
})

describe('a compaction', () => {
  it('S1-057 that cannot be made changes nothing', async () => {
    const { chat } = begin()
    await chat.append(talk(30))
    await chat.pin(0)
    const before = await chat.context({ model: 'small' })
    await chat.compactNextRequest()
    const system = 'far too long '.repeat(4_000)
    await expect(chat.context({ model: 'small', system })).rejects.toMatchObject({
      code: 'CONTEXT_OVERFLOW',
    })
    expect((await chat.info())?.head).toBe(30)
    expect((await chat.status()).last?.fingerprint).toBe(before.fingerprint)
    // It is still asked for, and made when it can be.
    expect((await chat.context({ model: 'small' })).decision.reason).toBe('manual')
  })

  it('S1-058 leaves the log and the newest messages as they are, and is remembered', async () => {
    const { chat } = begin()
    await chat.append(talk(60))
    await chat.context({ model: 'small' })
    await chat.compactNextRequest()
    const { messages, decision } = await chat.context({ model: 'small' })
    expect(decision.kind).toBe('compact')
    const log = await Array.fromAsync(chat.messages())
    expect(log).toHaveLength(60)
    for (const newest of log.slice(-6))
      expect(messages.find(({ seq }) => seq === newest.seq)?.parts).toEqual(newest.parts)
    await chat.append(userMessage(60))
    const next = await chat.context({ model: 'small' })
    expect(next.decision.figures.messagesSince).toBe(1)
  })

  it('S1-093 X1-1 is not the last one, however many there were', async () => {
    const { chat } = begin()
    let compactions = 0
    for (let index = 0; index < 200; index += 1) {
      await chat.append(talk(4, 120))
      const context = await chat.context({ model: 'small' })
      expect(context.tokens).toBeLessThanOrEqual(context.available)
      if (context.decision.kind === 'compact') compactions += 1
    }
    expect(compactions).toBeGreaterThan(20)
  })

  it('U-010 is in the requested context and in later ones, the prompt counted', async () => {
    const { chat } = begin()
    await chat.append(talk(22))
    const system = 'word '.repeat(400)
    const before = await chat.context({ model: 'small', system })
    await chat.compactNextRequest()
    const compacted = await chat.context({ model: 'small', system })
    expect(compacted.tokens).toBeLessThan(before.tokens)
    expect(compacted.sections.find(({ kind }) => kind === 'system')?.tokens).toBeGreaterThan(400)
    await chat.append(userMessage(22))
    const next = await chat.context({ model: 'small', system })
    expect(next.prefixOf).toBe(compacted.fingerprint)
    expect(next.tokens).toBeLessThan(before.tokens)
    expect((await chat.status()).last?.tokens).toBe(next.tokens)
  })
})
