/** A summary is being written while its parent is undone or corrected. */
import {
  type ConversationHandle,
  createThroughline,
  type LanguageModel,
  policies,
  type Run,
  type Throughline,
} from 'throughline'
import { describe, expect, it } from 'vitest'
import { strictModel, tokenizer } from '../../../../harness/races/strict-model.ts'

const model = 'toy/chat'

/** A model whose second call waits for `release`. */
function heldModel(): { readonly model: LanguageModel; asked: Promise<void>; release(): void } {
  const { model: writer } = strictModel(16_000)
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let calls = 0
  const generate: LanguageModel['generate'] = async (request, options) => {
    calls += 1
    if (calls === 2) {
      asked.resolve()
      await released.promise
    }
    return writer.generate(request, options)
  }
  return { model: { ...writer, generate }, asked: asked.promise, release: released.resolve }
}

function begin(run: Run, summarizer: LanguageModel) {
  const slots = policies.balanced.advanced.slots.map((slot) =>
    slot.kind === 'summary' ? { ...slot, share: { ratio: 0.2 } } : slot,
  )
  // Between trigger and limit there is room for a request that waits for its summary.
  const triggers = [{ kind: 'tokenRatio', at: 0.75, reset: 0.6, of: 'free' }] as const
  const policy = { ...policies.balanced, triggers, advanced: { slots }, run }
  const tl = createThroughline({
    ...{ tokenizer, summarizer, policy },
    models: [{ id: model, contextWindowTokens: 4_000 }],
  })
  return { tl, chat: tl.conversation('c') }
}

async function talk(chat: ConversationHandle, exchanges: number): Promise<void> {
  const words = 'and here are more details that go on for a while. '.repeat(6)
  for (let index = 0; index < exchanges; index += 1)
    await chat.append([
      { role: 'user', content: `Look at the part with the number ${index}, ${words}` },
      { role: 'assistant', content: `Part ${index} is fine.` },
    ])
}

/** Talks until one summary is shown and a second one is being written, and returns its request. */
async function secondIsWritten(
  { tl, chat }: { readonly tl: Throughline; readonly chat: ConversationHandle },
  asked: Promise<void>,
): Promise<{ readonly request: Promise<unknown> }> {
  await talk(chat, 14)
  await chat.compactNextRequest()
  await chat.context({ model })
  await tl.settled()
  expect(await chat.summaries()).toHaveLength(1)
  await talk(chat, 14)
  const request = chat.context({ model })
  await asked
  return { request }
}

describe.each([
  ['in the background', { mode: 'background', waitMs: 0 }],
  ['while a request waits', { mode: 'blocking' }],
] as const)('a summary that is written %s', (_, run) => {
  it('is not kept if its parent is undone, but its cost is', async () => {
    const held = heldModel()
    const up = begin(run, held.model)
    const { request } = await secondIsWritten(up, held.asked)
    const undone = await up.chat.history.undo()
    expect(undone.ok).toBe(true)
    held.release()
    await request
    await up.tl.settled()
    await up.chat.context({ model })
    await up.tl.settled()
    const summaries = await up.chat.summaries()
    expect(summaries.filter(({ added, withdrawn }) => added.from > 0 && !withdrawn)).toEqual([])
    expect(summaries.at(-1)?.withdrawn).toBe(true)
    const failed = (await up.chat.events({ limit: 999 })).find(
      (each) => each.kind === 'summary-failed',
    )
    expect(failed).toMatchObject({ why: 'superseded', calls: 1 })
    await up.tl.close()
  })

  it('is not kept if a person has corrected its parent', async () => {
    const held = heldModel()
    const up = begin(run, held.model)
    const { request } = await secondIsWritten(up, held.asked)
    const text = 'The user has decided on SQLite.'
    const edited = await up.chat.history.editSummary({ model, text })
    held.release()
    await request
    await up.tl.settled()
    const context = await up.chat.context({ model })
    expect(JSON.stringify(context.messages)).toContain(text)
    await up.tl.settled()
    const continued = (await up.chat.summaries()).filter(({ added }) => added.from > 0)
    const parents = continued.map(({ parentId }) => parentId)
    expect(parents.filter((id) => !edited.ok || id !== edited.value.id)).toEqual([])
    await up.tl.close()
  })
})
