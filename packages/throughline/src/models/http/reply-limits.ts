/** How long an answer may be and how it is sampled, as each API wants to be told. */
import type { HttpEndpoint } from './endpoint.ts'

export function replyLimits(
  { api, model }: Pick<HttpEndpoint, 'api' | 'model'>,
  {
    maxOutputTokens,
    temperature,
  }: { readonly maxOutputTokens: number; readonly temperature: number },
): Readonly<Record<string, unknown>> {
  if (api === 'anthropic' || !thinks.test(model))
    return { max_tokens: maxOutputTokens, temperature }
  // They refuse a temperature and the old name of the limit, and what they think counts as answered.
  return { max_completion_tokens: maxOutputTokens + thinkingTokens, reasoning_effort: 'low' }
}

/** OpenAI's own, by name, wherever they are served. */
const thinks = /^(?:openai\/)?(?:gpt-[5-9]|o\d)/
const thinkingTokens = 2_048
