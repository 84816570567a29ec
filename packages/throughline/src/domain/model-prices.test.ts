import { expect, it } from 'vitest'
import { costOf, highestCost } from './usage.ts'

const prices = { inputUsd: 1, outputUsd: 10, cachedInputUsd: 0.1, cacheWriteUsd: 1.25 }

it('counts cached input at its own price, in the form of ours and of Anthropic', () => {
  const ours = {
    inputTokens: 1_000,
    cachedInputTokens: 600,
    cacheWriteTokens: 100,
    outputTokens: 50,
  }
  const theirs = {
    input_tokens: 300,
    cache_read_input_tokens: 600,
    cache_creation_input_tokens: 100,
    output_tokens: 50,
  }
  const cost = (300 + 60 + 125 + 500) / 1_000_000
  expect(costOf(ours, prices)).toBeCloseTo(cost, 12)
  expect(costOf(theirs, prices)).toBeCloseTo(cost, 12)
})

it('returns no cost where half of the usage is missing', () => {
  expect(costOf({ inputTokens: 1_000 }, prices)).toBeNull()
  expect(costOf({ outputTokens: 1_000 }, prices)).toBeNull()
})

it('has a highest cost that no call exceeds', () => {
  const most = highestCost({ input: 1_000, output: 50 }, prices)
  expect(most).toBeCloseTo((1_250 + 500) / 1_000_000, 12)
})
