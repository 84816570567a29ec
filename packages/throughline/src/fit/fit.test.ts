import { describe, expect, it } from 'vitest'
import { geminiContents } from '../adapters/index.ts'
import type { FitState } from '../domain/fit-state.ts'
import type { JsonObject } from '../domain/json.ts'
import type { MessageInput } from '../domain/message.ts'
import { build } from '../testing/build.ts'
import { drawContext } from '../testing/draw-context.test-support.ts'
import { createThroughline } from '../throughline.ts'
import { loadGptTokenizer } from '../tokenizers/gpt.ts'
import { fit } from './fit.ts'

const models = [{ id: 'small', contextWindowTokens: 4_096, tokenizer: 'o200k_base' }] as const
const base = { model: 'small', models, system: 'Be brief.' }

function session(turns: number): MessageInput[] {
  let messages = build()
  for (let turn = 0; turn < turns; turn += 1)
    messages = messages
      .user(`Look at file ${turn}.`)
      .calls('read', { path: `src/${turn}.ts` })
      .result(`const value = ${turn}\n`.repeat(40))
      .says(`File ${turn} is fine.`)
  return [...messages.messages]
}

describe('fit', () => {
  it('U-002 returns the same context as a conversation in a store', async () => {
    const messages = [...session(30), { role: 'user', content: 'And now?' } as const]
    const fitted = await fit({ ...base, messages })
    const chat = createThroughline({ models }).conversation('c')
    await chat.append(messages)
    const context = await chat.context({ model: 'small', system: 'Be brief.' })
    expect(fitted.messages).toEqual(context.messages)
    expect(fitted.fingerprint).toBe(context.fingerprint)
    expect(fitted.receipt).toMatchObject({ began: 'first', brokenBy: null })
    expect(fitted.receipt.leftOut + fitted.receipt.stubbed).toBeGreaterThan(0)
  })

  it('continues from a given state that was stored as JSON', async () => {
    const messages = session(40)
    let state: FitState | null = null
    let breaks = 0
    let before: readonly object[] = []
    for (let length = 20; length < messages.length; length += 4) {
      const fitted = await fit({ ...base, messages: messages.slice(0, length + 1), state })
      if (fitted.brokenBy !== null) breaks += 1
      else if (fitted.prefixOf !== null)
        expect(fitted.messages.slice(0, before.length).map(unslotted)).toEqual(before)
      before = fitted.messages.map(unslotted)
      state = JSON.parse(JSON.stringify(fitted.state)) as FitState
    }
    expect(breaks).toBeLessThan(13)
  })

  it('notices that the past was edited', async () => {
    const messages = session(30)
    const { state } = await fit({ ...base, messages })
    const edited = messages.map((message) =>
      message.role === 'tool' ? { ...message, content: message.content.slice(0) } : message,
    )
    expect((await fit({ ...base, messages: edited, state })).brokenBy).toBeNull()
    const shorter = await fit({ ...base, messages: messages.slice(0, 60), state })
    expect(shorter.brokenBy).toBe('history-changed')
    const again = await fit({ ...base, messages: messages.slice(0, 60), state: shorter.state })
    expect(again.brokenBy).toBeNull()
  })

  it('calibrates with the usage that the provider reported', async () => {
    const messages = session(3)
    const first = await fit({ ...base, messages, tokenizer: 'estimate' })
    const usage = { prompt_tokens: Math.round(first.tokens * 1.5) }
    const second = await fit({
      ...base,
      messages,
      tokenizer: 'estimate',
      state: first.state,
      usage,
    })
    expect(second.tokens).toBeGreaterThan(first.tokens * 1.4)
  })

  it('calibrates the model that the usage was reported for', async () => {
    const models = [
      { id: 'small', contextWindowTokens: 4_096, tokenizer: 'o200k_base' },
      { id: 'large', contextWindowTokens: 64_000, tokenizer: 'o200k_base' },
    ] as const
    const messages = session(40)
    let state: FitState | null = null
    let usage: { readonly inputTokens: number } | null = null
    for (let length = 1; length < messages.length; length += 4) {
      const model = length % 8 === 1 ? 'small' : 'large'
      const given = { messages: messages.slice(0, length), models, model, state, usage }
      const fitted: Awaited<ReturnType<typeof fit>> = await fit(given)
      state = fitted.state
      usage = { inputTokens: fitted.receipt.tokensAfter }
    }
    const factors = state?.models.map(({ calibration }) => calibration?.observed)
    expect(factors?.every((observed) => (observed ?? 0) > 10)).toBe(true)
  })

  it.each([
    [{ version: 1, models: [null] }],
    [{ version: 1, models: [{ model: 'small', last: null }] }],
    [{ version: 1, models: 'x' }],
    ['state'],
  ])('refuses a state that is damaged: %j', async (state) => {
    const given = { ...base, messages: session(2), state: state as never }
    await expect(fit(given)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('compacts on request, and reports the decision', async () => {
    const messages = session(6)
    const whole = await fit({ ...base, messages })
    expect(whole.omitted).toEqual([])
    const compacted = await fit({ ...base, messages, state: whole.state, compact: true })
    expect(compacted.decision).toMatchObject({ kind: 'compact', reason: 'manual' })
    expect(compacted.tokens).toBeLessThan(whole.tokens)
  })

  it('U-004 makes a refused request smaller once, then throws the error', async () => {
    const messages = session(8)
    const { state, tokens } = await fit({ ...base, messages })
    const refused = new Error('prompt is too long: 1500 tokens > 1200 maximum')
    const smaller = await fit({ ...base, messages, state, refused })
    expect(smaller.decision.reason).toBe('provider-overflow')
    expect(smaller.tokens).toBeLessThan(tokens * 0.8)
    const again = fit({ ...base, messages, state: smaller.state, refused })
    await expect(again).rejects.toMatchObject({ code: 'CONTEXT_OVERFLOW', cause: refused })
    const other = await fit({ ...base, messages, state, refused: new Error('socket hang up') })
    expect(other.tokens).toBe(tokens)
  })

  it('only reports its decision in shadow mode', async () => {
    const triggers = [{ kind: 'tokenRatio', at: 0.75, reset: 0.6, of: 'free' }] as const
    const early = { ...base, policy: { name: 'early', triggers } }
    const messages = session(8)
    const { state } = await fit({ ...early, messages: messages.slice(0, 8) })
    const fitted = await fit({ ...early, messages, state, compaction: 'shadow' })
    expect(fitted.decision).toMatchObject({ kind: 'compact', shadow: true })
    expect(fitted.omitted).toEqual([])
    await expect(fit({ ...base, messages, compaction: 'no' as never })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })

  it('shows pinned places word for word', async () => {
    const messages = session(30)
    const fitted = await fit({ ...base, messages, pins: [0] })
    expect(drawContext(fitted)).toContain('Look at file 0.')
  })

  it.each([
    [{ ...base, messages: 'x' }, 'fit: messages must be an array'],
    [
      { ...base, messages: [], state: { version: 2 } },
      'fit: state must be the state that fit returned',
    ],
    [{ ...base, messages: [], next: {} }, 'fit has no option "next"'],
    [{ ...base, messages: [], window: 8 }, 'set by models: [{ id, contextWindowTokens }]'],
    [{ ...base, messages: [], model: 7 }, 'fit: model must be the name of a model, got 7'],
    [{ ...base, messages: [], tools: {} }, 'fit: tools must be an array of tools'],
    [{ ...base, messages: [], pins: [3] }, 'fit: pins must be indexes of messages'],
    [{ ...base, messages: [], policy: 'zen' }, 'policy zen: unknown policy'],
  ])('refuses %o', async (input, message) => {
    await expect(fit(input as never)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(message) as string,
    })
  })

  it('names the invalid message', async () => {
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'robot', content: 'y' },
    ]
    await expect(fit({ ...base, messages: messages as never })).rejects.toMatchObject({
      code: 'MESSAGE_INVALID',
      message: expect.stringContaining('messages[1].role') as string,
    })
  })
  it('takes another spelling of a message for the same message', async () => {
    const listed = (text: string, hint: JsonObject) => ({
      role: 'user' as const,
      content: [{ type: 'text' as const, text, metadata: { anthropic: { fields: hint } } }],
    })
    const before = session(30)
    const cached = listed('And now?', { cache_control: { type: 'ephemeral' } })
    const first = await fit({ ...base, messages: [...before, cached] })
    expect(first.receipt.stubbed + first.receipt.leftOut).toBeGreaterThan(0)
    const spelled = before.map((message) =>
      message.role === 'user' ? listed(`${message.content}\n`, {}) : message,
    )
    const next: MessageInput[] = [
      ...spelled,
      { role: 'user', content: 'And now?\n' },
      { role: 'assistant', content: 'Later.' },
      { role: 'user', content: 'Why?' },
    ]
    const second = await fit({ ...base, messages: next, state: first.state })
    expect(second.receipt).toMatchObject({ began: null, brokenBy: null })
    const edited = next.with(-4, { role: 'assistant', content: 'Another answer.' })
    const third = await fit({ ...base, messages: edited, state: first.state })
    expect(third.receipt.brokenBy).not.toBeNull()
  })

  it('fits a few messages whose repair is larger than they are, in any window with room for the repair', async () => {
    const messages: MessageInput[] = [
      {
        role: 'tool',
        content: [{ type: 'tool-result', callId: 'c1', name: 'read', output: 'FR' }],
      },
      { role: 'assistant', content: '' },
    ]
    const tools = [{ name: 'read', description: 'Reads a file in the folder. '.repeat(13) }]
    for (let window = 360; window < 480; window += 3) {
      const models = [{ id: 'tiny', contextWindowTokens: window }]
      const { tokens, budget } = await fit({ messages, tools, model: 'tiny', models })
      expect(tokens).toBeLessThanOrEqual(budget.availableTokens)
    }
  })

  it('leaves room for the message that adapters write for an empty conversation', async () => {
    const tokenizer = await loadGptTokenizer('o200k_base')
    const system = '\u0006\u0011\u0019'.repeat(20)
    const free: number[] = []
    for (let window = 200; window < 400; window += 1) {
      const tiny = { id: 'tiny', contextWindowTokens: window, tokenizer: 'o200k_base' } as const
      const asked = fit({ system, messages: [], model: 'tiny', models: [tiny] })
      const context = await asked.catch(() => null)
      if (context === null) continue
      const json = JSON.stringify(geminiContents.write(context))
      free.push(context.budget.availableTokens - (tokenizer?.count(json) ?? 0))
    }
    expect(free.length).toBeGreaterThan(0)
    expect(Math.min(...free)).toBeGreaterThanOrEqual(0)
  })
})

function unslotted({ slot: _, ...message }: { readonly slot: string }): object {
  return message
}
