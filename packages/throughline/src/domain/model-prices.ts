/**
 * What a model costs, and what a call of it did. Prices change and differ by contract, so
 * whoever hands in a model says them; nothing is guessed.
 */
import { inputTokensOf, outputTokensOf, type Usage } from './usage.ts'

/** In US dollars for a million tokens. */
export interface ModelPrices {
  readonly inputUsd: number
  readonly outputUsd: number
  /** Input that was read from a cache; like other input where it is left out. */
  readonly cachedInputUsd?: number | undefined
  /** Input that was written into a cache; like other input where it is left out. */
  readonly cacheWriteUsd?: number | undefined
}

/**
 * What a call has cost in US dollars; null where the provider did not report both input and output.
 *
 * @example
 * costOf({ inputTokens: 12_000, outputTokens: 800 }, { inputUsd: 0.25, outputUsd: 2 }) // 0.0046
 */
export function costOf(usage: Usage, prices: ModelPrices): number | null {
  const input = inputTokensOf(usage)
  const output = outputTokensOf(usage)
  if (input === null || output === null) return null
  const read = firstCount(usage, ['cachedInputTokens', 'cache_read_input_tokens']) ?? 0
  const written = firstCount(usage, ['cacheWriteTokens', 'cache_creation_input_tokens']) ?? 0
  const plain = Math.max(0, input - read - written)
  return (
    (plain * prices.inputUsd +
      read * (prices.cachedInputUsd ?? prices.inputUsd) +
      written * (prices.cacheWriteUsd ?? prices.inputUsd) +
      output * prices.outputUsd) /
    1_000_000
  )
}

/** The most that a call can cost: nothing cached, and all of the output used. */
export function highestCost(
  tokens: { readonly input: number; readonly output: number },
  prices: ModelPrices,
): number {
  const inputUsd = Math.max(prices.inputUsd, prices.cacheWriteUsd ?? 0)
  return (tokens.input * inputUsd + tokens.output * prices.outputUsd) / 1_000_000
}

function firstCount(usage: Usage, fields: readonly string[]): number | null {
  for (const field of fields) {
    const value = usage[field]
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  }
  return null
}
