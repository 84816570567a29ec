import { createOpenAI } from '@ai-sdk/openai'
import { createThroughline, type MessageInput, type PolicyName } from 'throughline'
import { languageModel } from 'throughline/models'
import { fakeClock } from 'throughline/testing'
import { describe, expect, it } from 'vitest'
import { createFaultServer } from '../../../../harness/fault-server.ts'
import { textOfContext, textOfDraft } from '../../../../harness/faults/check-content.ts'
import { type GeneratedTurn, generatedTalk } from '../../../../harness/faults/generated-talk.ts'
import { truthfulSummary } from '../../src/testing/truthful-summary.test-support.ts'

// In a smaller window, the summary of `balanced` would be too short to ask a model for it.
const chatModel = { id: 'toy/chat', contextWindowTokens: 4_000 } as const
const hourMs = 3_600_000
const compactions = 50

/** The model changes every exact value of its answers, or adds one. */
async function liedTo(policy: PolicyName) {
  const server = await createFaultServer({
    // The gate may repair a short answer with few values; it refuses a long one.
    answers: (question) => truthfulSummary(question, { words: question.number % 3 ? 60 : 16 }),
    faults: () => 'lies',
  })
  const clock = fakeClock()
  const openai = createOpenAI({ baseURL: server.url, apiKey: 'test-key' })
  const throughline = createThroughline({
    policy,
    models: [chatModel],
    tokenizer: 'estimate',
    clock,
    summarizer: languageModel(openai.chat('gpt-4.1-mini')),
  })
  const chat = throughline.conversation('lies')
  const talk = generatedTalk(`lies ${policy}`, false)
  const texts: string[] = []
  const appended: MessageInput[] = []
  while ((await chat.receipts({ limit: compactions })).length < compactions && texts.length < 90) {
    const { asked, answered } = talk.next().value as GeneratedTurn
    appended.push(asked, ...answered)
    await chat.append([asked, ...answered])
    // After any open breaker has closed, so that the model is asked each time.
    clock.set(clock.now() + hourMs + 1)
    await chat.compactNextRequest()
    texts.push(textOfContext(await chat.context({ model: chatModel.id })))
  }
  const summaries = await chat.summaries({ limit: 100 })
  texts.push(...summaries.map(textOfDraft))
  texts.push((await chat.summary({ model: chatModel.id }))?.content ?? '')
  const receipts = (await chat.receipts({ limit: 100 })).length
  await throughline.close()
  await server.close()
  const appendedText = JSON.stringify(appended)
  const invented = server.requests
    .flatMap((request) => request.invented)
    .filter((value) => !appendedText.includes(value))
  return {
    texts,
    invented,
    receipts,
    requests: server.requests.length,
    summaries: summaries.length,
  }
}

describe('a model that always lies, over 50 compactions', () => {
  it.each(['balanced', 'rolling-rows', 'rule-digest'] as const)(
    'puts no invented value into a context or a summary: %s',
    async (policy) => {
      const { texts, invented, receipts, requests, summaries } = await liedTo(policy)
      // With this policy a refused summary changes nothing and leaves no receipt.
      expect(policy === 'rolling-rows' ? texts.length : receipts).toBeGreaterThanOrEqual(
        compactions,
      )
      expect(requests).toBeGreaterThanOrEqual(compactions * 0.8)
      expect(summaries).toBeGreaterThan(5)
      expect(invented.length).toBeGreaterThan(compactions)
      const inForce = invented.filter((value) => texts.some((text) => text.includes(value)))
      expect(inForce).toEqual([])
    },
  )
})
