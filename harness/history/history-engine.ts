/** Engines on one store: one with a truthful model, one that uses rules only (no LLM). */
import { createThroughline, type LanguageModel, type Store, type Throughline } from 'throughline'
import { truthfulSummary } from '../../packages/throughline/src/testing/truthful-summary.test-support.ts'
import { tokenizer } from '../races/strict-model.ts'

export const historyPolicies = ['balanced', 'coding', 'rule-digest', 'running-rag'] as const
export type HistoryPolicy = (typeof historyPolicies)[number]

export const historyModels = ['toy/one', 'toy/two'] as const

export interface HistoryEngineOptions {
  readonly store: Store
  readonly policy: HistoryPolicy
  readonly now: () => number
  /** Whether a model writes summaries. */
  readonly writes: boolean
  /** A model that no request has used yet. */
  readonly never?: string | undefined
}

export function historyEngine(options: HistoryEngineOptions): Throughline {
  const { store, policy, now, writes, never } = options
  const models = [...historyModels, ...(never === undefined ? [] : [never])]
  return createThroughline({
    store,
    policy,
    tokenizer,
    clock: { now },
    models: models.map((id, at) => ({ id, contextWindowTokens: windows[at] ?? 1_400 })),
    ...(writes && { summarizer: truthfulModel }),
  })
}

/** Windows that a dozen messages fill. */
const windows = [1_400, 1_900, 1_200]

const id = 'toy/writer'
const truthfulModel: LanguageModel = {
  id,
  card: { id, contextWindowTokens: 16_000 },
  generate: async ({ messages, schema }) => {
    const question = messages.map(({ content }) => ({ role: 'user' as const, text: content }))
    const text = truthfulSummary({ messages: question, schema })
    const usage = { inputTokens: 100, outputTokens: 20 }
    return { kind: 'answered', text, finish: 'stop', usage, model: id }
  },
}
