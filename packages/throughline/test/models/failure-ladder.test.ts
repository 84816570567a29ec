import { once } from 'node:events'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelEvent, newAskState } from '../../src/domain/model-calls.ts'
import { type Ask, askModels } from '../../src/flow/summarize/ask-models.ts'
import { languageModel } from '../../src/models/language-model.ts'
import {
  type Answer,
  anthropicEvents,
  chatAnswer,
  chatDelta,
  events,
  json,
  type ScriptedServer,
  startScriptedServer,
} from '../../src/models/scripted-server.test-support.ts'
import { policies } from '../../src/policies/presets.ts'
import type { Timer } from '../../src/ports/timer.ts'
import { systemClock } from '../../src/system.ts'

let openaiServer: ScriptedServer
let anthropicServer: ScriptedServer
beforeAll(async () => {
  openaiServer = await startScriptedServer()
  anthropicServer = await startScriptedServer()
})
afterAll(async () => {
  await openaiServer.close()
  await anthropicServer.close()
})

/** Pauses end at once, and the time limit never fires. */
const { limits } = policies.balanced
const timer: Timer = {
  wait: async (milliseconds, signal) => {
    if (milliseconds >= limits.timeMs) await once(signal, 'abort')
  },
}

function ladder(modelEvents: ModelEvent[] = [], timeoutMs = 60_000): Ask<string> {
  const openai = createOpenAI({ baseURL: openaiServer.url, apiKey: 'test-key' })
  const anthropic = createAnthropic({ baseURL: anthropicServer.url, apiKey: 'test-key' })
  const prices = { inputUsd: 1, outputUsd: 10, cachedInputUsd: 0.1 }
  return {
    models: [
      languageModel(openai.chat('gpt-4.1-mini'), { timeoutMs, prices }),
      languageModel(anthropic('claude-haiku-4-5'), { prices }),
    ],
    requestFor: () => ({
      request: {
        system: 'Summarise.',
        messages: [{ role: 'user', content: 'Ada asked for a list.' }],
        maxOutputTokens: 200,
        temperature: 0,
        schema: null,
      },
      inputTokens: 20,
    }),
    judge: ({ text, finish }) =>
      text.trim() !== '' && finish === 'stop'
        ? { kind: 'ok', value: text }
        : { kind: 'refused', reasons: [finish === 'stop' ? 'empty' : 'cut off'] },
    limits,
    state: newAskState,
    clock: systemClock,
    timer,
    signal: new AbortController().signal,
    reportEvent: (event) => modelEvents.push(event),
  }
}

const claude = events(...anthropicEvents([{ thinking: false, text: 'Ada wants.' }], 'end_turn'))
const hang: Answer = () => undefined
const error = { message: 'No.', type: 'x', code: null, param: null }

describe('the failure ladder over HTTP', () => {
  it.each([
    ['500', 2, json(500, { error })],
    ['429 with Retry-After', 2, json(429, { error }, { 'retry-after-ms': '300' })],
    ['429 with a Retry-After of an hour', 1, json(429, { error }, { 'retry-after': '3600' })],
    ['401', 1, json(401, { error })],
    ['a hanging provider', 2, hang],
    ['a reset', 2, (response) => response.destroy()],
    ['a cut stream', 2, events(chatDelta('Ada'))],
    ['an error event', 2, events({ error })],
    ['another shape', 1, events({ nothing: true })],
    ['an empty answer', 1, chatAnswer(' ')],
    ['an answer that was cut off', 1, chatAnswer('Ada', 'length')],
  ] satisfies readonly (readonly [string, number, Answer])[])(
    'S1-074 S1-075 S1-076 answers %s with %i calls, then asks the next model',
    async (_, calls, answer) => {
      openaiServer.script(answer)
      anthropicServer.script(claude)
      const modelEvents: ModelEvent[] = []
      const asked = await askModels(ladder(modelEvents, answer === hang ? 20 : undefined))
      expect(asked).toMatchObject({ kind: 'accepted', value: 'Ada wants.' })
      expect(openaiServer.asked).toHaveLength(calls)
      expect(anthropicServer.asked).toHaveLength(1)
      expect(modelEvents).toHaveLength(2 * (calls + 1))
      expect(asked.attempts.at(-1)).toMatchObject({
        answeredBy: 'anthropic/claude-haiku-4-5-20251001',
        costUsd: (120 + 3 + 400) / 1_000_000,
      })
    },
  )

  it('S1-088 S1-101 recovers with the retry and asks no other model', async () => {
    openaiServer.script(json(503, { error }), chatAnswer('Ada wants.'))
    anthropicServer.script(claude)
    const asked = await askModels(ladder())
    expect(asked).toMatchObject({
      kind: 'accepted',
      attempts: [
        { outcome: { kind: 'failed', status: 503 } },
        { waitedMs: 250, outcome: { kind: 'accepted' }, usage: { inputTokens: 1_000 } },
      ],
    })
    expect(anthropicServer.asked).toHaveLength(0)
  })

  it('U-012: answers at once when the breaker is open', async () => {
    openaiServer.script(json(401, { error }))
    anthropicServer.script(json(401, { error }))
    let { state } = await askModels(ladder())
    state = (await askModels({ ...ladder(), state })).state
    const asked = await askModels({ ...ladder(), state })
    expect(asked).toMatchObject({ why: 'breaker-open', attempts: [] })
    expect(openaiServer.asked).toHaveLength(2)
    expect(anthropicServer.asked).toHaveLength(2)
  })
})
