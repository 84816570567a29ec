/** A person corrects a summary, and later summaries continue from it. */
import { type ConversationHandle, createThroughline, type PolicyInput, policies } from 'throughline'
import { describe, expect, it } from 'vitest'
import { strictModel, tokenizer } from '../../../../harness/races/strict-model.ts'

const model = 'toy/chat'
const text = 'The user has decided on SQLite, and Postgres is not wanted.'

function begin(policy: PolicyInput, window: number | null = null): ConversationHandle {
  const tl = createThroughline({
    ...{ policy, tokenizer },
    models: [{ id: model, contextWindowTokens: 4_000 }],
    ...(window !== null && { summarizer: strictModel(window).model }),
  })
  return tl.conversation('c')
}

async function talk(chat: ConversationHandle, exchanges: number): Promise<void> {
  const words = 'and here are more details that go on for a while. '.repeat(6)
  for (let index = 0; index < exchanges; index += 1)
    await chat.append([
      { role: 'user', content: `Look at the part with the number ${index}, ${words}` },
      { role: 'assistant', content: `Part ${index} is fine.` },
    ])
}

const ask = (chat: ConversationHandle) => chat.context({ model })

async function compacted(chat: ConversationHandle, exchanges = 14) {
  await talk(chat, exchanges)
  await chat.compactNextRequest()
  return ask(chat)
}

const summaryIn = ({ messages }: Awaited<ReturnType<typeof ask>>) =>
  JSON.stringify(messages.filter(({ slot }) => slot === 'summary'))

const blocking = { ...policies.balanced, run: { mode: 'blocking' } } as const
const roomy = {
  ...blocking,
  advanced: {
    slots: policies.balanced.advanced.slots.map((slot) =>
      slot.kind === 'summary' ? { ...slot, share: { ratio: 0.2 } } : slot,
    ),
  },
} as const

describe('S3-109: a summary that a person has corrected', () => {
  it.each([
    ['by rules (no LLM)', 'balanced' as const],
    ['by lines of tools', 'rule-digest' as const],
  ])('is shown as it is written, and continued %s', async (_, policy) => {
    const chat = begin(policy)
    await compacted(chat, 40)
    const before = await chat.summary({ model })
    const edited = await chat.history.editSummary({ model, text: `  ${text}\n` })
    expect(edited.ok && edited.value).toMatchObject({
      ...{ text, covers: { from: 0 }, parentId: null, trust: 'tool' },
      madeBy: { summarizer: 'person' },
    })
    expect((await chat.summary({ model }))?.content).toBe(text)
    const shown = await ask(chat)
    expect(shown.brokenBy).toBe('summary-edited')
    expect(summaryIn(shown)).toContain(text)
    expect(before?.content).not.toContain('SQLite')
    const later = await compacted(chat, 8)
    expect(later.brokenBy).toBe('manual')
    expect(summaryIn(later)).toContain(text)
    expect((await chat.events()).some(({ kind }) => kind === 'summary-edited')).toBe(true)
    const [newest] = await chat.receipts({ limit: 1 })
    expect(newest?.madeBy.summarizer).toBe('person')
  })

  it('is the summary that a model continues', async () => {
    const chat = begin(roomy, 16_000)
    await compacted(chat)
    const [written] = await chat.summaries()
    expect(written?.madeBy.summarizer).toBe('structured')
    const edited = await chat.history.editSummary({ model, text })
    expect(edited.ok && edited.value.parentId).toBe(written?.id)
    await compacted(chat, 8)
    const [next, person] = await chat.summaries()
    expect(next?.parentId).toBe(person?.id)
    expect(next?.madeBy.model).toBe('toy/writer')
    expect(JSON.stringify([next?.text, next?.keyPoints])).toContain('Postgres is not wanted')
  })

  it('has no more trust than the summary that it replaces, and no secrets', async () => {
    const chat = begin('ratio-chain', 16_000)
    await compacted(chat)
    const [written] = await chat.summaries()
    expect(written?.trust).toBe('assistant')
    const secret = `sk-ant-api03-${'aB3dE5gH7j'.repeat(9)}`
    const edited = await chat.history.editSummary({ model, text: `${text} The key is ${secret}.` })
    expect(edited.ok && edited.value.trust).toBe(written?.trust)
    expect(JSON.stringify(await ask(chat))).not.toContain(secret)
    expect(JSON.stringify(await chat.summaries())).not.toContain(secret)
  })

  it('must not be empty, must fit, and must replace a summary', async () => {
    const chat = begin('balanced')
    const edit = (words: string) => chat.history.editSummary({ model, text: words })
    expect(await edit(text)).toEqual({ ok: false, failure: { kind: 'not-found' } })
    await talk(chat, 2)
    await ask(chat)
    expect(await edit(text)).toEqual({ ok: false, failure: { kind: 'nothing-summarized' } })
    await compacted(chat)
    expect(await edit(' \n ')).toEqual({ ok: false, failure: { kind: 'empty' } })
    const version = (await chat.info())?.version
    const refused = await edit('many words '.repeat(2_000))
    expect(refused).toMatchObject({ ok: false, failure: { kind: 'too-large', tokens: 5_500 } })
    expect((await chat.info())?.version).toBe(version)
    await expect(edit(7 as never)).rejects.toThrow('text')
  })

  it('is withdrawn if its view is undone, and returns if the view is restored', async () => {
    const chat = begin(roomy, 16_000)
    await compacted(chat)
    await chat.history.editSummary({ model, text })
    const [edited] = await chat.history.versions()
    expect((await chat.history.undo()).ok).toBe(true)
    const marks = async () => (await chat.summaries()).map(({ withdrawn }) => withdrawn)
    expect(await marks()).toEqual([true, true])
    expect((await chat.history.restore(edited?.version ?? 0)).ok).toBe(true)
    expect(await marks()).toEqual([false, false])
    expect(summaryIn(await ask(chat))).toContain(text)
  })
})
