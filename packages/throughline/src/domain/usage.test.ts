import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputTokensOf, type Usage } from './usage.ts'

describe('the input tokens of a usage', () => {
  it.each<[string, Usage, number]>([
    [
      "OpenAI's chat, in which cached tokens are part of the prompt",
      {
        prompt_tokens: 2_006,
        completion_tokens: 300,
        total_tokens: 2_306,
        prompt_tokens_details: { cached_tokens: 1_920 },
      },
      2_006,
    ],
    [
      "OpenAI's responses, in which cached tokens are part of the input",
      {
        input_tokens: 328,
        input_tokens_details: { cached_tokens: 256 },
        output_tokens: 52,
        total_tokens: 380,
      },
      328,
    ],
    [
      "Anthropic's, which reports cached tokens beside the rest",
      {
        input_tokens: 21,
        cache_creation_input_tokens: 5_000,
        cache_read_input_tokens: 100_000,
        cache_creation: { ephemeral_5m_input_tokens: 5_000, ephemeral_1h_input_tokens: 0 },
        output_tokens: 503,
      },
      105_021,
    ],
    [
      'a gateway that tells the cached part of it twice',
      {
        input_tokens: 328,
        input_tokens_details: { cached_tokens: 256 },
        cache_read_input_tokens: 256,
      },
      328,
    ],
    ['a small request to Anthropic', { input_tokens: 12, output_tokens: 6 }, 12],
    [
      'Anthropic where nothing was cached',
      {
        input_tokens: 12,
        cache_creation_input_tokens: null,
        cache_read_input_tokens: null,
        output_tokens: 6,
      },
      12,
    ],
    [
      "Gemini's, in which cached content is part of the prompt",
      {
        promptTokenCount: 9_001,
        cachedContentTokenCount: 8_000,
        candidatesTokenCount: 40,
        totalTokenCount: 9_041,
      },
      9_001,
    ],
    [
      'the AI SDK',
      { inputTokens: 700, inputTokenDetails: { cacheReadTokens: 600 }, outputTokens: 9 },
      700,
    ],
    [
      'a model of the AI SDK',
      { inputTokens: { total: 700, noCache: 100, cacheRead: 600 }, outputTokens: { total: 9 } },
      700,
    ],
    ['the AI SDK of old', { promptTokens: 31, completionTokens: 2 }, 31],
    ['a request without any input', { prompt_tokens: 0, completion_tokens: 2 }, 0],
  ])('are read from %s', (_, usage, tokens) => {
    expect(inputTokensOf(usage)).toBe(tokens)
  })

  it.each<[string, Usage]>([
    ['nothing', {}],
    ['only what was given back', { output_tokens: 12, totalTokens: 30 }],
    ['what the AI SDK gives where it does not know', { promptTokens: Number.NaN }],
    ['a model that reports nothing', { inputTokens: { total: undefined } }],
    ['nothing where a number belongs', { inputTokens: null }],
    ['a text where a number belongs', { prompt_tokens: '12' }],
    ['fewer than none', { input_tokens: -1 }],
    ['more than any', { promptTokenCount: Number.POSITIVE_INFINITY }],
  ])('are not known from %s', (_, usage) => {
    expect(inputTokensOf(usage)).toBeNull()
  })

  it('are a count or null, whatever a provider sends', () => {
    const field = fc.constantFrom(
      ...['input_tokens', 'inputTokens', 'prompt_tokens', 'promptTokenCount'],
      ...['cache_read_input_tokens', 'input_tokens_details', 'total'],
    )
    fc.assert(
      fc.property(fc.dictionary(field, fc.anything()), (usage) => {
        const tokens = inputTokensOf(usage)
        expect(tokens === null || (Number.isFinite(tokens) && tokens >= 0)).toBe(true)
      }),
    )
  })
})
