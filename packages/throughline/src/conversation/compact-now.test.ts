import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../domain/message.ts'
import { memory } from '../stores/memory.ts'
import { createThroughline } from '../throughline.ts'

const models = [{ id: 'small', contextWindowTokens: 4_096, tokenizer: 'o200k_base' }] as const
const model = 'small'

function begin(options: Partial<Parameters<typeof createThroughline>[0]> = {}) {
  return createThroughline({ store: memory(), models, ...options }).conversation('c')
}

const talk = (count: number): readonly MessageInput[] =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${index}: ${'some words that were said here '.repeat(10)}`,
  }))

describe('chat.compact', () => {
  it('compacts now and returns the receipt', async () => {
    const chat = begin()
    await chat.append(talk(30))
    const before = await chat.context({ model, system: 'Be brief.' })
    const compacted = await chat.compact({ model, system: 'Be brief.' })
    const receipts = await chat.receipts()
    expect(compacted).toEqual({ ok: true, value: receipts[0] })
    expect(receipts).toMatchObject([{ decision: { kind: 'compact', reason: 'manual' } }])
    expect((await chat.info())?.compaction.asked).toBeNull()
    const next = await chat.context({ model, system: 'Be brief.' })
    expect(next.decision).toMatchObject({ kind: 'continue' })
    expect(next.tokens).toBeLessThan(before.tokens)
    expect(next.omitted).not.toEqual([])
  })

  it('does what a preview of the same request shows', async () => {
    const chat = begin()
    await chat.append(talk(30))
    const { plan } = await chat.preview({ model })
    const compacted = await chat.compact({ model })
    expect(compacted.ok && compacted.value).toMatchObject({
      ...{ covered: plan?.covered, line: plan?.line },
    })
  })

  it.each(['off', 'shadow'] as const)('compacts with compaction %s', async (compaction) => {
    const chat = begin({ compaction })
    await chat.append(talk(30))
    expect(await chat.compact({ model })).toMatchObject({ ok: true })
  })

  it('says that there is nothing to compact, and leaves no trace', async () => {
    const chat = begin()
    await chat.append(talk(2))
    const state = async () => [await chat.info(), await chat.status(), await chat.events()]
    const before = await state()
    const idle = { ok: false, failure: { kind: 'nothing-to-compact' } }
    expect(await chat.compact({ model })).toEqual(idle)
    expect(await state()).toEqual(before)
    await chat.append(talk(30))
    expect(await chat.compact({ model })).toMatchObject({ ok: true })
    expect(await chat.compact({ model })).toEqual(idle)
    expect(await chat.receipts()).toHaveLength(1)
  })

  it('says that there is no such conversation', async () => {
    const chat = begin()
    expect(await chat.compact({ model })).toEqual({ ok: false, failure: { kind: 'not-found' } })
    expect(await chat.info()).toBeNull()
  })

  it('makes triggers compact again after an undo', async () => {
    const chat = begin()
    await chat.append(talk(30))
    await chat.compact({ model })
    expect(await chat.history.undo()).toMatchObject({ ok: true })
    expect((await chat.status()).suspended).toBe(true)
    expect(await chat.compact({ model })).toMatchObject({ ok: true })
    expect((await chat.status()).suspended).toBe(false)
  })

  it('makes one compaction where two calls come at once', async () => {
    const chat = begin()
    await chat.append(talk(30))
    const both = await Promise.all([chat.compact({ model }), chat.compact({ model })])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await chat.receipts()).toHaveLength(1)
  })

  it('also does what was asked for the next request', async () => {
    const chat = begin()
    await chat.append(talk(30))
    await chat.compactNextRequest()
    expect(await chat.compact({ model })).toMatchObject({ ok: true })
    expect((await chat.context({ model })).decision).toMatchObject({ kind: 'continue' })
  })

  it.each([
    [undefined, 'compact: model is missing; give the request that it compacts for'],
    [{}, 'call compactNextRequest()'],
    [{ instructions: 'x' }, 'compact: model is missing'],
    [{ model: 7 }, 'compact: model must be the name of a model, got 7'],
    [{ model, afresh: 'yes' }, 'compact: afresh must be true or false'],
    [{ model, instructions: '' }, 'compact: instructions must be a text'],
    [{ model, sytem: 'x' }, 'compact has no option "sytem"'],
  ])('refuses %o', async (input, message) => {
    const chat = begin()
    await chat.append(talk(2))
    await expect(chat.compact(input as never)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(message) as string,
    })
  })
})

it('has no history block in a compaction that shows every message whole after all', async () => {
  const options = { store: memory(), models: [{ ...models[0], contextWindowTokens: 12_000 }] }
  const chat = begin(options)
  const plain = 'so it was said to be and has been '
  // Slightly above the target: the result is shortened at first, and grows back.
  await chat.append([
    ...Array.from(
      { length: 22 },
      (_, index): MessageInput => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: plain.repeat(14),
      }),
    ),
    {
      role: 'assistant',
      content: [{ type: 'tool-call', callId: '1', name: 'run', input: { path: 'src/part.ts' } }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', callId: '1', output: `${plain}\n`.repeat(108) }],
    },
    { role: 'user', content: 'Thanks.' },
  ])
  const before = await chat.context({ model })
  expect(before.tokens).toBeGreaterThan(before.budget.targetTokens)
  await chat.compactNextRequest()
  const compacted = await chat.context({ model })
  expect(compacted.decision).toMatchObject({ kind: 'compact', reason: 'manual' })
  expect(compacted).toMatchObject({ omitted: [], brokenBy: null, prefixOf: before.fingerprint })
  expect(compacted.messages).toEqual(before.messages)
  // Another engine shows the same for the same state.
  const next = await begin(options).context({ model })
  expect(next.brokenBy).toBeNull()
  expect(next.messages).toEqual(compacted.messages)
})
