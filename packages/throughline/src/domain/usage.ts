/** The token counts of one call, as JSON with the provider's field names. */
export type Usage = Readonly<Record<string, unknown>>

/**
 * The usage that a provider reported for a request: `response.usage` of OpenAI, Anthropic, Gemini or the
 * AI SDK. Input tokens include those read from a cache and those written to one.
 */
export type UsageInput = object

/** Null where no form is known. */
export function inputTokensOf(usage: UsageInput): number | null {
  const reported = usage as Usage
  return (
    anthropicInput(reported) ??
    firstCount(reported, ['inputTokens', 'prompt_tokens', 'promptTokens', 'promptTokenCount'])
  )
}

/** Null where no form is known. */
export function outputTokensOf(usage: UsageInput): number | null {
  const fields = ['outputTokens', 'output_tokens', 'completion_tokens', 'candidatesTokenCount']
  return firstCount(usage as Usage, fields)
}

/** A figure itself, or the total of one with parts. */
function firstCount(usage: Usage, fields: readonly string[]): number | null {
  const totalOf = (value: unknown) => (value as Usage | null | undefined)?.['total']
  const counts = fields.map((field) => count(usage[field]) ?? count(totalOf(usage[field])))
  return counts.find((tokens) => tokens !== null) ?? null
}

/** Anthropic reports the cached part beside the rest, not in it. */
function anthropicInput(usage: Usage): number | null {
  const uncached = count(usage['input_tokens'])
  // OpenAI's responses use the same name for all of the input, and say so by these details.
  if (uncached === null || usage['input_tokens_details'] !== undefined) return uncached
  const read = count(usage['cache_read_input_tokens']) ?? 0
  return uncached + read + (count(usage['cache_creation_input_tokens']) ?? 0)
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}

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
export function costOf(usage: UsageInput, prices: ModelPrices): number | null {
  const input = inputTokensOf(usage)
  const output = outputTokensOf(usage)
  if (input === null || output === null) return null
  const reported = usage as Usage
  const read =
    count(reported['cachedInputTokens']) ?? count(reported['cache_read_input_tokens']) ?? 0
  const written =
    count(reported['cacheWriteTokens']) ?? count(reported['cache_creation_input_tokens']) ?? 0
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
