import { createThroughline } from 'throughline'
import { scriptedModel } from 'throughline/testing'
import { describe, expect, it } from 'vitest'
import { truthfulSummary } from '../../packages/throughline/src/testing/truthful-summary.test-support.ts'
import { fixtures, otherTalks, outcomeOf, readDrafts, readTalks } from './drafts.ts'

// A sample; `npm run drafts` runs all of them.
const oneIn = 6
const all = readDrafts(readTalks(fixtures.talks), fixtures.answers)
const drafts = all.filter((_, at) => at % oneIn === 0)

describe('drafts that language models wrote from our exact requests', () => {
  it('cover chats, meetings and coding with every prompt', () => {
    expect(all.length).toBeGreaterThanOrEqual(44)
    expect(new Set(all.map(({ policy }) => policy))).toEqual(
      new Set(['balanced', 'ratio-chain', 'rolling-rows', 'running-rag', 'rule-digest']),
    )
  })

  it.each(drafts)('pass the gate for their own talk: $talk.name, $policy', async (draft) => {
    expect(await outcomeOf(draft, draft.talk)).toMatchObject({ kind: 'accepted' })
  })

  it('are refused for an unrelated talk in another language', async () => {
    const german = all.find(({ talk }) => talk.name === 'umbau-einer-kueche')?.talk
    const english = all.find(
      ({ talk, policy }) => talk.name === 'planning-family-trip' && policy === 'rolling-rows',
    )
    if (german === undefined || english === undefined) throw new Error('a fixture is missing')
    expect(await outcomeOf(english, german)).toMatchObject({ kind: 'refused' })
  })

  it('are refused for another talk, except a few that are too short to judge', async () => {
    const pairs = otherTalks(drafts)
    const outcomes = await Promise.all(pairs.map(([draft, talk]) => outcomeOf(draft, talk)))
    const refused = outcomes.filter((outcome) => outcome?.kind === 'refused')
    expect(refused.length / pairs.length).toBeGreaterThanOrEqual(0.8)
  })
})

describe('a talk that grows message by message', () => {
  it.each([4_096, 5_120])(
    'has summaries that continue each other, in a window of %d tokens',
    async (window) => {
      const talk = readTalks(fixtures.talks).find(({ name }) => name === 'etl-job-schema-migration')
      const tl = createThroughline({
        policy: 'rule-digest',
        summarizer: scriptedModel(({ messages, schema }) =>
          truthfulSummary(
            { messages: messages.map(({ content }) => ({ text: content })), schema },
            { words: 220 },
          ),
        ),
        models: [{ id: 'toy/chat', contextWindowTokens: window, tokenizer: 'o200k_base' }],
      })
      const chat = tl.conversation('grows')
      for (const message of talk?.messages ?? []) {
        if (message.role === 'assistant')
          await chat.context({ model: 'toy/chat', replyTokens: 700 })
        await chat.append(message)
      }
      const summaries = (await chat.summaries()).toReversed()
      await tl.close()
      expect(summaries.length).toBeGreaterThan(1)
      expect(summaries.map(({ added }) => added.from)).toEqual([
        0,
        ...summaries.slice(0, -1).map(({ covers }) => covers.to),
      ])
    },
  )
})
