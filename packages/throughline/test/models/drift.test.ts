import { createOpenAI } from '@ai-sdk/openai'
import { createThroughline, type PolicyName } from 'throughline'
import { languageModel } from 'throughline/models'
import { describe, expect, it } from 'vitest'
import { createFaultServer } from '../../../../harness/fault-server.ts'
import { textOfContext } from '../../../../harness/faults/check-content.ts'
import { type GeneratedTurn, generatedTalk } from '../../../../harness/faults/generated-talk.ts'
import { truthfulSummary } from '../../src/testing/truthful-summary.test-support.ts'

const term = 'qorvex_latch_table'
const generations = 10
const mostTurns = 120

/** Returns the context after ten generations of summaries, with the shown positions. */
async function afterGenerations(
  policy: PolicyName,
  remembers: boolean,
  contextWindowTokens = 4_000,
) {
  const chatModel = { id: 'toy/chat', contextWindowTokens }
  const server = await createFaultServer({
    answers: (question) => truthfulSummary(question, { words: 70, remembers }),
  })
  const openai = createOpenAI({ baseURL: server.url, apiKey: 'test-key' })
  const throughline = createThroughline({
    policy,
    models: [chatModel],
    tokenizer: 'estimate',
    summarizer: languageModel(openai.chat('gpt-4.1-mini')),
  })
  const chat = throughline.conversation('drift')
  const context = () => chat.context({ model: chatModel.id })
  const written = async () => (await chat.summaries({ limit: 100 })).length
  await chat.append([
    { role: 'user', content: `The settings of the import are kept in ${term}. What is next?` },
    { role: 'assistant', content: 'The records can be compared.' },
  ])
  const talk = generatedTalk(`drift ${policy}`, false)
  for (let turn = 0; (await written()) < generations && turn < mostTurns; turn += 1) {
    const { asked, answered } = talk.next().value as GeneratedTurn
    await chat.append([asked])
    if (turn % 3 === 2) await chat.compactNextRequest()
    await context()
    await chat.append(answered)
  }
  const last = await context()
  const summaries = await written()
  await throughline.close()
  await server.close()
  return { text: textOfContext(last), shown: last.messages.map(({ seq }) => seq), summaries }
}

describe('S1-096 an early technical term, after ten generations of summaries', () => {
  it.each([
    ['structured', 'ratio-chain'],
    ['running rows', 'rolling-rows'],
    ['running resources', 'running-rag'],
    ['digest', 'rule-digest'],
  ] as const)('is in the context if the model remembers: %s', async (_, policy) => {
    const { text, shown, summaries } = await afterGenerations(policy, true)
    expect(summaries).toBeGreaterThanOrEqual(generations)
    expect(shown).not.toContain(0)
    expect(text).toContain(term)
  })

  it.each(['balanced', 'coding'] as const)(
    'is in the context even if the model forgets, because the ledger of %s keeps it',
    async (policy) => {
      // The ledger needs room beside the recalled passages of each question.
      const { text, shown, summaries } = await afterGenerations(policy, false, 16_000)
      expect(summaries).toBeGreaterThanOrEqual(generations)
      expect(shown).not.toContain(0)
      expect(text).toContain(term)
    },
  )

  it('is lost if the summary is the only memory and its model forgets', async () => {
    const { text, summaries } = await afterGenerations('rolling-rows', false)
    expect(summaries).toBeGreaterThanOrEqual(generations)
    expect(text).not.toContain(term)
  })
})
