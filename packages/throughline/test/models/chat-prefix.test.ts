import { describe, expect, it } from 'vitest'
import {
  type Asked,
  answered,
  apis,
  chatted,
  extendsRequest,
  type Question,
} from './wrapped-chat.ts'

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

/** For each request for a summary: whether it extends the chat's last request. */
function continued(asked: readonly Asked[]): readonly (readonly boolean[])[] {
  return asked.map(({ before, summaries }) => summaries.map((body) => extendsRequest(before, body)))
}

describe('a summary by the model of the chat', () => {
  it.each(
    apis.flatMap((api) =>
      (['rolling-rows', 'ratio-chain'] as const).map((policy) => [api, policy] as const),
    ),
  )('is requested after the chat’s last request, byte for byte: %s, %s', async (api, policy) => {
    const { receipts, asked, problems } = await chatted({ api, policy })
    expect([problems, continued(asked)]).toEqual([[], [[true]]])
    const { why, attempts, repairs } = receipts[0]?.summarization ?? {}
    expect([why, attempts?.length, repairs]).toEqual([null, 1, []])
    const { usage, costUsd, outcome } = attempts?.[0] ?? {}
    expect(outcome).toEqual({ kind: 'accepted' })
    const [input, cached] = [Number(usage?.['inputTokens']), Number(usage?.['cachedInputTokens'])]
    expect(cached).toBeGreaterThan(input * 0.7)
    const output = Number(usage?.['outputTokens'])
    expect(costUsd).toBeCloseTo((input - cached * 0.9 + output * 4) / 1_000_000, 9)
  })

  it('extends the chat’s last request with each compaction', async () => {
    const { asked } = await chatted({ receipts: 3 })
    expect(continued(asked)).toEqual([[true], [true], [true]])
  })

  it.each([
    ['another model writes it', { options: { id: 'openai/gpt-4.1-nano' } }],
    ['the option `continues` is missing', { options: { continues: undefined } }],
    ['it cannot continue this call', { options: { continues: () => null } }],
    [
      'cached input costs as much as other input',
      { options: { prices: { inputUsd: 1, cachedInputUsd: 1, outputUsd: 4 } } },
    ],
    [
      'its window has no room for both',
      { options: { card: { id: 'small', contextWindowTokens: 5_000 } } },
    ],
    ['the cache has expired', { minutes: 6 }],
  ])('is requested as usual, without tools, if %s', async (_, chat) => {
    const { asked, receipts } = await chatted(chat)
    expect(continued(asked)).toEqual([[false]])
    expect(asked[0]?.summaries[0]).not.toHaveProperty('tools')
    expect(receipts[0]?.summarization?.why).toBeNull()
  })

  it('is requested once more, as usual, if the gate refuses it', async () => {
    const answers = (question: Question) =>
      question.toolNames.length > 0 && answered(question).startsWith('The user asked')
        ? 'The user asked about build 99999999 and src/lies/none.ts.'
        : answered(question)
    const { asked, receipts } = await chatted({ answers })
    expect(continued(asked)).toEqual([[true, false]])
    expect(receipts[0]?.summarization?.attempts.map(({ outcome }) => outcome.kind)).toEqual([
      'refused',
      'accepted',
    ])
  })
})
