import { expect, it } from 'vitest'
import type { ToolSchema } from '../domain/context.ts'
import { conversationId, tenantId } from '../domain/ids.ts'
import { createThroughline } from '../index.ts'
import { memory } from '../stores/memory.ts'
import { keptView, rebuildRequest } from './index.ts'

const model = 'made/small'
const models = [{ id: model, contextWindowTokens: 4096, tokenizer: 'o200k_base' as const }]
const words = 'The port is 47113, and src/server.ts reads it from the settings. '

it('rebuilds every recorded request of a compacted conversation, message by message', async () => {
  const tl = createThroughline({ store: memory(), models })
  const chat = tl.conversation('talk')
  const sent = new Map<string, readonly object[]>()
  for (let turn = 0; turn < 40; turn += 1) {
    await chat.append({ role: 'user', content: `Question ${turn}. ${words.repeat(2)}` })
    if (turn === 12) await chat.pin('#3')
    if (turn === 30) await chat.history.undo()
    const context = await chat.context({ model, system: 'Be brief.' })
    sent.set(
      context.fingerprint,
      context.messages.map(({ seq, slot, parts }) => ({ seq, slot, parts })),
    )
    await chat.append({ role: 'assistant', content: `Answer ${turn}. ${words.repeat(4)}` })
  }
  const { requests, totals } = await chat.status()
  expect(totals.compactions).toBeGreaterThan(1)
  expect(requests).toHaveLength(40)
  for (const { fingerprint, head } of requests) {
    const rebuilt = await rebuildRequest(chat, fingerprint)
    expect(rebuilt?.difference, `of the request at #${head}`).toBeNull()
    expect(rebuilt?.messages.map(({ seq, slot, parts }) => ({ seq, slot, parts }))).toEqual(
      sent.get(fingerprint),
    )
    expect(rebuilt?.system).toEqual([{ type: 'text', text: 'Be brief.', metadata: null }])
    expect(rebuilt?.suppliedTokens).toBe(0)
  }
  await tl.close()
})

const tool = { name: 'read_file', parameters: { type: 'object', properties: {} } } as const

it('keeps system prompt and tools once for each content, and drops them with messages', async () => {
  const store = memory()
  const tl = createThroughline({ store, models })
  const chat = tl.conversation('talk')
  await chat.append([
    { role: 'user', content: words },
    { role: 'assistant', content: words },
    { role: 'user', content: 'And the invoice?' },
  ])
  const stored = async () => {
    const loaded = await store
      .tenant(tenantId('default'))
      .load({ id: conversationId('talk'), rows: [{ kind: 'system' }, { kind: 'tools' }] })
    return loaded?.rows.map((rows) => rows.length)
  }
  const request = (system: string, tools: readonly ToolSchema[] = [tool]) =>
    chat.context({ model, system, tools })
  const contexts = [
    await request('Be brief.'),
    await request('Be brief.'),
    await request('Be kind.'),
  ]
  expect(await stored()).toEqual([2, 1])
  for (const { fingerprint, system, tools } of contexts) {
    const rebuilt = await rebuildRequest(chat, fingerprint)
    expect(rebuilt).toMatchObject({ difference: null, system, tools, suppliedTokens: 0 })
    const ofPrompt = rebuilt?.sections.slice(0, 2).map(({ kind }) => kind)
    expect(ofPrompt).toEqual(['system', 'tools'])
  }
  const huge = await request('x'.repeat(500_000), []).catch((error: unknown) => error)
  expect(huge).toBeInstanceOf(Error)
  for (let n = 0; n < 30; n += 1) await request(`Round ${n}.`)
  expect(await stored()).toEqual([20, 1])
  expect(await rebuildRequest(chat, contexts[0]?.fingerprint ?? '')).toMatchObject({
    difference: 'prompt-not-stored',
    system: null,
    tools: [tool],
  })
  await chat.history.purgeMessage('#1')
  expect(await stored()).toEqual([0, 0])
  const after = await request('Round 29.')
  expect(await rebuildRequest(chat, after.fingerprint)).toMatchObject({
    difference: null,
    system: after.system,
    tools: [tool],
  })
  await tl.close()
})

it('says why a request is not the recorded one', async () => {
  const tl = createThroughline({ store: memory(), models })
  const chat = tl.conversation('talk')
  await chat.append([
    { role: 'user', content: words },
    { role: 'assistant', content: words },
    { role: 'user', content: 'And the invoice?' },
  ])
  const plain = await chat.context({ model })
  const withTexts = await chat.context({ model, profile: 'She lives in Oslo.' })
  const next = { role: 'user', content: 'In euros.' } as const
  const withNext = await chat.context({ model, next })
  expect((await rebuildRequest(chat, withTexts.fingerprint))?.difference).toBe('texts-not-stored')
  // Until it is appended, the message that the program passed is not known.
  expect((await rebuildRequest(chat, withNext.fingerprint))?.difference).not.toBeNull()
  await chat.append(next)
  expect((await rebuildRequest(chat, withNext.fingerprint))?.difference).toBeNull()
  await chat.history.edit('#0', { role: 'user', content: 'Something else.' })
  expect((await rebuildRequest(chat, plain.fingerprint))?.difference).toBe('messages-changed')
  expect(await rebuildRequest(chat, 'none')).toBeNull()
  await tl.close()
})

it('reads the view of a kept version', async () => {
  const tl = createThroughline({ store: memory(), models })
  const chat = tl.conversation('talk')
  for (let turn = 0; turn < 30; turn += 1)
    await chat.append({ role: turn % 2 === 0 ? 'user' : 'assistant', content: words.repeat(6) })
  const done = await chat.compact({ model })
  if (!done.ok) throw new Error(done.failure.kind)
  const [{ version } = { version: -1 }] = await chat.history.versions()
  const kept = await keptView(chat, version)
  expect(kept?.model).toBe(model)
  expect(kept?.view?.line).toBe(done.value.line)
  expect(kept?.view?.history?.summary).not.toBe('')
  expect(await keptView(chat, version + 1000)).toBeNull()
  await tl.close()
})
