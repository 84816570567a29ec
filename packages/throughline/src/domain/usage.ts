/**
 * What a provider reported for a request, in its own form or in that of the AI SDK.
 * The input is counted with everything that came from a cache or went into one.
 */
export type Usage = Readonly<Record<string, unknown>>

/** Null where no form is known. */
export function inputTokensOf(usage: Usage): number | null {
  for (const tokens of [
    // Anthropic reports the cached part beside the rest, not in it.
    sum(usage, ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']),
    count(usage['inputTokens']),
    count(usage['prompt_tokens']),
    count(usage['promptTokens']),
    count(usage['promptTokenCount']),
    count((usage['inputTokens'] as Usage | null | undefined)?.['total']),
  ])
    if (tokens !== null) return tokens
  return null
}

/** Null where no form is known. */
export function outputTokensOf(usage: Usage): number | null {
  for (const field of [
    'outputTokens',
    'output_tokens',
    'completion_tokens',
    'candidatesTokenCount',
  ]) {
    const tokens =
      count(usage[field]) ?? count((usage[field] as Usage | null | undefined)?.['total'])
    if (tokens !== null) return tokens
  }
  return null
}

function sum(usage: Usage, fields: readonly [string, ...string[]]): number | null {
  const [first, ...others] = fields
  const tokens = count(usage[first])
  // OpenAI's responses use the same name for all of the input, and say so by these details.
  if (tokens === null || usage['input_tokens_details'] !== undefined) return tokens
  return others.reduce((total, field) => total + (count(usage[field]) ?? 0), tokens)
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
