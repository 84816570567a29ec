import { expect, it } from 'vitest'
import type { Context, ContextMessage } from '../../domain/context.ts'
import type { SummaryRecord } from '../../domain/summary.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { SummaryStyle } from '../../ports/summary-style.ts'
import type { Meter } from '../measure/measure.ts'
import { conversationStep } from './summary-plan.ts'
import type { ConversationSoFar, MessagesToSummarize, SummaryTask } from './summary-writer.ts'

// What of a meter is looked at.
const meter = {
  card: { id: 'chat', contextWindowTokens: 20_000, maxInputTokens: null },
  text: (text: string) => Math.ceil(text.length / 4),
} as unknown as Meter

const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH'

/** Asks with ten words about a conversation of so many more. */
function styleOf(transcriptWords: number): SummaryStyle {
  return {
    name: 'stub',
    version: 1,
    promptHash: '',
    tree: null,
    render: ({ text }) => text,
    plan: ({ isAbove, messages }) => {
      const words = 'word '.repeat(10 + (isAbove ? 0 : transcriptWords))
      const step = {
        covers: { from: messages[0]?.seq ?? 0, to: messages.length },
        prompt: '',
        mostTokens: 100,
        request: (previous: { readonly text: string } | null) => ({
          system: null,
          messages: [{ role: 'user', content: `${words}${previous?.text ?? ''}` }] as const,
          maxOutputTokens: 100,
          temperature: 0,
          schema: null,
        }),
        read: () => ({ kind: 'refused', reason: 'empty', message: '', sample: '' }) as const,
      }
      return { kind: 'planned', steps: [step] }
    },
  }
}

const shown = (seq: number | null, role: ContextMessage['role'], text: string): ContextMessage => ({
  ...{ seq, role, author: null, meta: null, slot: 'recent' },
  parts: [{ type: 'text', text, metadata: null }],
})

const base = { id: 'before', text: 'Earlier text.', covers: { from: 0, to: 2 } }

interface Given {
  readonly soFar?: Partial<ConversationSoFar>
  readonly model?: Partial<LanguageModel>
  readonly asked?: string
  readonly transcriptWords?: number
  readonly base?: typeof base | null
}

function stepOf(given: Given) {
  const messages = [
    shown(null, 'user', 'In short: so far.'),
    shown(2, 'user', 'Look.'),
    shown(3, 'tool', 'Seen.'),
    shown(4, 'assistant', `Use ${key}`),
  ]
  const soFar: ConversationSoFar = {
    context: { messages, tokens: 5_000 } as unknown as Context,
    line: 2,
    stubbed: new Set(),
    summaryId: 'before',
    sentTokens: 4_800,
    ...given.soFar,
  }
  const model: LanguageModel = {
    id: 'house/chat',
    card: { id: 'chat', contextWindowTokens: 20_000 },
    canContinue: () => true,
    generate: () => Promise.reject(new Error('not asked here')),
    ...given.model,
  }
  // What of them is looked at.
  const input = {
    base: given.base === undefined ? base : (given.base as SummaryRecord | null),
    summaryTokens: 100,
    request: { model: given.asked ?? 'house/chat' },
    meter,
    soFar: async () => soFar,
  } as unknown as SummaryTask
  const toSummarize = { messages: messages.slice(1, 3), calls: new Map(), originals: [] }
  const style = styleOf(given.transcriptWords ?? 2_000)
  const styled = { style, depthMax: 5, models: [model] }
  return conversationStep(input, styled, toSummarize as unknown as MessagesToSummarize, () => meter)
}

it('asks after the conversation, which already shows the previous summary', async () => {
  const step = await stepOf({})
  expect(step?.counted.request.messages[0]?.content).toBe('word '.repeat(10))
  expect(step?.counted.request.continues?.messages).toHaveLength(4)
  expect(step?.counted.inputTokens).toBeGreaterThan(5_000)
  const other = await stepOf({ soFar: { summaryId: null } })
  expect(other?.counted.request.messages[0]?.content).toMatch(/Earlier text\.$/)
})

it('says what else the model sees, without secrets', async () => {
  expect((await stepOf({}))?.otherSources).toEqual([
    { kind: 'summary', role: null, text: 'In short: so far.' },
    { kind: 'message', role: 'assistant', text: expect.stringMatching(/^Use \[redacted/) },
  ])
})

it.each([
  ['a model that cannot', { model: { canContinue: () => false } }],
  ['a model under another name', { model: { id: 'other/chat' } }],
  ['messages that the conversation does not show', { soFar: { line: 3 } }],
  ['messages that no summary tells', { base: null }],
  ['words that the conversation shows in part', { soFar: { stubbed: new Set([2]) } }],
  ['a window that is too small', { model: { card: { id: 'chat', contextWindowTokens: 5_500 } } }],
  ['a transcript that costs less', { transcriptWords: 300 }],
  ['a cache that has little of it', { soFar: { sentTokens: 1_000 } }],
] satisfies readonly (readonly [string, Given])[])(
  'leaves %s to the usual request',
  async (_, given) => {
    expect(await stepOf(given)).toBeNull()
  },
)

it.each([
  ['a result that is shown in part, as a transcript has it', { soFar: { stubbed: new Set([3]) } }],
  ['the same card, where the conversation names no provider', { asked: 'chat' }],
  [
    'prices that make a cache cheap',
    {
      soFar: { sentTokens: 5_000 },
      transcriptWords: 300,
      model: { prices: { inputUsd: 1, cachedInputUsd: 0.01, outputUsd: 1 } },
    },
  ],
] satisfies readonly (readonly [string, Given])[])('goes on with %s', async (_, given) => {
  expect(await stepOf(given)).not.toBeNull()
})
