/** Overlapping calls of `afterReply` by two engines on one file, as two processes would make. */
import { createThroughline, type LanguageModel } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { scriptedModel } from 'throughline/testing'
import { type AfterReplyInput, afterReply, rememberedTurns, turnMemory } from 'throughline/turns'
import { afterAll, describe, expect, it } from 'vitest'
import { testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const long = 'Rice bowls keep for three days in the fridge, and miso soup for two. '
  .repeat(8)
  .trim()
const say = (content: string) => ({ role: 'user', content }) as const
const answer = (content: string) => ({ role: 'assistant', content }) as const
const first: AfterReplyInput = {
  userMessage: 'First.',
  finalResponse: long,
  router: { goal: 'find out', complexity: 'low' },
  think: { decision: 'plan_direct' },
}

/** The first engine waits for its model while the second remembers the next turn. */
async function overlapped(name: string, input: AfterReplyInput = first) {
  const open = (summarizer?: LanguageModel) =>
    createThroughline({
      store: sqlite(folder.file(`${name}.db`), { durability: 'normal' }),
      policy: 'turn-memory',
      ...(summarizer !== undefined && { summarizer }),
    })
  const waiting = Promise.withResolvers<void>()
  const isAsked = Promise.withResolvers<void>()
  const slow = scriptedModel(async () => {
    isAsked.resolve()
    await waiting.promise
    return JSON.stringify({ summary: 'Rice bowls keep for three days and miso soup for two.' })
  })
  const [one, other] = [open(slow), open()]
  const chat = one.conversation('c')
  await chat.append([say('First.'), answer(long)])
  const late = afterReply(chat, input)
  await isAsked.promise
  const beside = other.conversation('c')
  await beside.append([say('Second.'), answer('Fine.')])
  await afterReply(beside, { ...first, userMessage: 'Second.', finalResponse: 'Fine.' })
  waiting.resolve()
  return { chat, beside, outcome: await late, engines: [one, other] }
}

describe('turns that two processes pass at the same time', () => {
  it('are remembered once each', async () => {
    const { chat, outcome, beside, engines } = await overlapped('words')
    const records = await rememberedTurns(chat)
    expect(records.map(({ user }) => user)).toEqual(['Second.', 'First.'])
    expect(records.map(({ messages }) => messages)).toEqual([
      { from: 2, to: 4 },
      { from: 0, to: 2 },
    ])
    expect(outcome).toMatchObject({ changed: false, why: 'repeated', record: { turn: 1 } })
    expect(await turnMemory(beside)).toEqual(outcome.memory)
    for (const engine of engines) await engine.close()
  })

  it('keep the actions of the late one in a record without its texts', async () => {
    const { chat, outcome, engines } = await overlapped('data', {
      ...first,
      steps: [{ description: 'look it up', result: [{ id: 17 }] }],
      entities: [{ id: 17, type: 'recipe', label: 'Rice Bowl', source: 'db_read' }],
    })
    const texts = (await rememberedTurns(chat)).map(({ user, assistant }) => [user, assistant])
    expect(texts.filter(([user]) => user === 'First.')).toHaveLength(1)
    expect(texts.filter(([, assistant]) => assistant === long)).toHaveLength(1)
    const { activeEntities, steps } = await turnMemory(chat)
    expect(activeEntities.map(({ id }) => id)).toEqual(['17'])
    expect(steps.map(({ result }) => result)).toEqual([[{ id: 17 }]])
    expect(outcome).toMatchObject({
      changed: true,
      record: { turn: 3, messages: { from: 4, to: 4 } },
    })
    for (const engine of engines) await engine.close()
  })

  it('are two turns if user and assistant repeat the same texts', async () => {
    const { chat, engines } = await overlapped('again')
    await chat.append([say('First.'), answer(long)])
    const again = await afterReply(chat, first)
    expect(again.record).toMatchObject({ turn: 3, messages: { from: 4, to: 6 } })
    for (const engine of engines) await engine.close()
  })
})
