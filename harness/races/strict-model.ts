/** A summarizer that refuses more than its window, counted by a shared tokenizer. */
import type { LanguageModel, Tokenizer } from 'throughline'
import { truthfulSummary } from '../../packages/throughline/src/testing/truthful-summary.test-support.ts'

export const tokenizer: Tokenizer = {
  id: 'quarters',
  exact: true,
  count: (text) => Math.ceil(text.length / 4),
}

/** Writes truthful summaries, and refuses requests that exceed its window, answer included. */
export function strictModel(window: number): {
  readonly model: LanguageModel
  readonly shares: readonly number[]
} {
  const shares: number[] = []
  const id = 'toy/writer'
  const model: LanguageModel = {
    id,
    card: { id, contextWindowTokens: window },
    generate: async ({ system, messages, maxOutputTokens, schema }) => {
      const texts = messages.map(({ content }) => content)
      const shape = schema === null ? '' : JSON.stringify(schema)
      const tokens = [system ?? '', shape, ...texts].reduce(
        (sum, text) => sum + tokenizer.count(text),
        0,
      )
      shares.push((tokens + maxOutputTokens) / window)
      if (tokens + maxOutputTokens > window)
        return {
          kind: 'failed',
          failure: { cause: 'refused', status: 400, retryAfterMs: null, message: 'too long' },
        }
      const question = texts.map((text) => ({ role: 'user' as const, text }))
      const text = truthfulSummary({ messages: question, schema })
      return { kind: 'answered', text, finish: 'stop', usage: null, model: id }
    },
  }
  return { model, shares }
}
