import { describe, expect, it } from 'vitest'
import { fallbackWindowTokens, findModel, knownModels, modelCard } from './catalogue.ts'

describe('findModel', () => {
  it.each([
    ['gpt-4o', 'exact', 128_000],
    ['openai/gpt-4o-2024-08-06', 'exact', 128_000],
    ['GPT-4o-Mini-2024-07-18', 'exact', 128_000],
    ['gpt-4', 'exact', 8_192],
    ['gpt-4-0613', 'family', 8_192],
    ['gpt-4.1-mini', 'exact', 1_047_576],
    ['openai/gpt-5-mini', 'exact', 400_000],
    ['gpt-5.6-terra', 'exact', 1_050_000],
    ['o3-2025-04-16', 'exact', 200_000],
    ['azure/gpt-35-turbo', 'exact', 16_385],
    ['claude-sonnet-4-5-20250929', 'exact', 200_000],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'exact', 200_000],
    ['us.anthropic.claude-3-5-sonnet-20241022-v2:0', 'exact', 200_000],
    [
      'arn:aws:bedrock:eu-west-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0',
      'exact',
      200_000,
    ],
    ['publishers/anthropic/models/claude-haiku-4-5@20251001', 'exact', 200_000],
    ['openrouter: anthropic/claude-sonnet-4.5', 'exact', 200_000],
    ['anthropic/claude-sonnet-5.5', 'exact', 1_000_000],
    ['claude-fable-5-1', 'exact', 1_000_000],
    ['openrouter/anthropic/claude-opus-4.8:thinking', 'exact', 1_000_000],
    ['anthropic/claude-3.7-sonnet:beta', 'exact', 200_000],
    ['claude-opus-4-9', 'family', 200_000],
    ['models/gemini-2.5-pro', 'exact', 1_048_576],
    ['google/gemini-3-pro-preview', 'family', 1_048_576],
    ['gemini-2.5-flash-image-preview', 'family', 32_768],
    ['meta-llama/Llama-3.1-8B-Instruct', 'family', 128_000],
    ['meta.llama3-1-70b-instruct-v1:0', 'family', 128_000],
    ['llama3.1:8b', 'exact', 128_000],
    ['meta-llama/Meta-Llama-3-8B-Instruct', 'family', 8_192],
    ['us.amazon.nova-lite-v1:0', 'exact', 300_000],
    ['mistral-large-latest', 'exact', 262_144],
    ['mistralai/mistral-large-2411', 'family', 131_072],
    ['deepseek/deepseek-r1:free', 'exact', 128_000],
    ['x-ai/grok-4', 'exact', 256_000],
    ['Qwen/Qwen3-Coder-480B-A35B-Instruct', 'family', 262_144],
    ['moonshotai/kimi-k2-0905', 'exact', 262_144],
    ['z-ai/glm-4.6', 'exact', 204_800],
    ['MiniMaxAI/MiniMax-M2', 'exact', 196_608],
    ['command-r-plus-08-2024', 'family', 128_000],
  ] as const)('knows %s', (name, match, window) => {
    const found = findModel(name)
    expect({ match: found.match, window: found.card.contextWindowTokens }).toEqual({
      match,
      window,
    })
    expect(found.card.windowSource).toMatch(/\w+\.\w+/)
  })

  it('matches a family name only at a boundary of the name', () => {
    expect(findModel('gpt-4omega').match).toBe('fallback')
    expect(findModel('o1x').match).toBe('fallback')
  })

  it.each(['', '  ', '/', 'house/unheard-of-9b', 'ft:', '[1m', '💡'])(
    'gives the unknown name "%s" a small window and says so',
    (name) => {
      const { card, match } = findModel(name)
      expect(match).toBe('fallback')
      expect(card.contextWindowTokens).toBe(fallbackWindowTokens)
      expect(card.windowSource).toBe('conservative default, model unknown')
    },
  )

  it('keeps the dated name as the id, because versions of a model may count differently', () => {
    expect(findModel('openai/gpt-4o-2024-08-06').card.id).toBe('gpt-4o-2024-08-06')
  })

  it('uses a window that the name states', () => {
    expect(findModel('claude-sonnet-4-5[1m]').card).toMatchObject({
      contextWindowTokens: 1_000_000,
      windowSource: 'stated in the name of the model',
    })
    expect(findModel('anthropic.claude-3-sonnet-20240229-v1:0:28k').card.contextWindowTokens).toBe(
      28_000,
    )
  })

  it('knows the window of an unknown model whose name states it', () => {
    const found = findModel('house-model[32k]')
    expect(found).toMatchObject({ match: 'stated', card: { contextWindowTokens: 32_000 } })
    expect(modelCard({ id: 'house-model[32k]' }).contextWindowTokens).toBe(32_000)
  })

  it('suggests known names for an unknown one', () => {
    expect(findModel('openai/gpt5-mini').suggestions).toEqual(['gpt-5-mini'])
    expect(findModel('gpt4.1').suggestions).toEqual(['gpt-4.1'])
    expect(findModel('gpt-5-mini').suggestions).toEqual([])
  })

  it('limits the prompt of gpt-5 to less than its window', () => {
    expect(findModel('gpt-5').card.maxInputTokens).toBe(272_000)
  })

  it('prefers your own cards, exactly and as a family', () => {
    const own = modelCard({ id: 'gpt-4o', contextWindowTokens: 32_000 })
    expect(findModel('openai/gpt-4o', [own])).toMatchObject({ card: own, match: 'exact' })
    const house = modelCard({ id: 'house-model', contextWindowTokens: 64_000 })
    expect(findModel('house-model-v2-large', [house])).toMatchObject({
      card: house,
      match: 'family',
    })
  })

  it('finds every name of the catalogue exactly, with valid numbers', () => {
    expect(knownModels.length).toBeGreaterThan(150)
    for (const name of knownModels) {
      const { card, match } = findModel(name)
      expect([name, match]).toEqual([name, 'exact'])
      expect(() => modelCard(card)).not.toThrow()
    }
  })

  it('treats a hostile name as an unknown model', () => {
    expect(findModel(`${'a-'.repeat(100_000)}:${'.'.repeat(100_000)}`).match).toBe('fallback')
    expect(findModel('a:'.repeat(500_000)).match).toBe('fallback')
  })
})

describe('modelCard', () => {
  it.each([0, -1, 1.5, Number.NaN])('refuses a window of %s tokens', (contextWindowTokens) => {
    expect(() => modelCard({ id: 'house-model', contextWindowTokens })).toThrow(
      /"house-model": contextWindowTokens cannot be/,
    )
  })

  it.each([
    ['gpt-5-mini', 'gpt-5-mini'],
    ['openai/gpt-5-mini', 'gpt-5-mini'],
    ['OpenRouter/OpenAI/GPT-5-Mini', 'gpt-5-mini'],
    ['azure/gpt-5-mini-2025-08-07', 'gpt-5-mini-2025-08-07'],
    ['gpt-5-mini-of-the-house', 'gpt-5-mini-of-the-house'],
  ])('completes a card for %s from the built-in card', (id, name) => {
    const { card } = findModel('gpt-5-mini')
    const given = { contextWindowTokens: 300_000, windowSource: 'set by you' }
    expect(modelCard({ id, contextWindowTokens: 300_000 })).toEqual({ ...card, ...given, id: name })
  })

  it('lowers limits that contradict a smaller window', () => {
    const card = modelCard({ id: 'gpt-5-mini', contextWindowTokens: 32_000 })
    expect(card).toMatchObject({ maxInputTokens: 32_000, maxOutputTokens: 32_000 })
    const own = { id: 'gpt-5-mini', contextWindowTokens: 32_000, maxInputTokens: 40_000 }
    expect(modelCard(own).maxInputTokens).toBe(32_000)
    expect(modelCard({ ...own, maxInputTokens: null }).maxInputTokens).toBeNull()
    expect(findModel('gpt-5-mini[32k]').card).toMatchObject({ maxInputTokens: 32_000 })
  })

  it('keeps the built-in window where a card sets another field', () => {
    const card = modelCard({ id: 'gpt-5-mini', maxOutputTokens: 1_000 })
    expect(card).toEqual({ ...findModel('gpt-5-mini').card, maxOutputTokens: 1_000 })
  })

  it('completes a complete card to itself', () => {
    const card = modelCard({ id: 'openai/gpt-5-mini', contextWindowTokens: 32_000 })
    expect(modelCard(card)).toEqual(card)
    expect(findModel('gpt-5-mini', [card])).toEqual({ card, match: 'exact', suggestions: [] })
  })

  it('merges two cards for one model, the later one field by field', () => {
    const cards = [
      { id: 'gpt-5-mini', contextWindowTokens: 32_000, maxOutputTokens: 2_000 },
      { id: 'openai/gpt-5-mini', contextWindowTokens: 16_000 },
    ]
    expect(findModel('gpt-5-mini', cards).card).toMatchObject({
      ...{ id: 'gpt-5-mini', contextWindowTokens: 16_000, maxOutputTokens: 2_000 },
      ...{ maxInputTokens: 16_000, tokenizer: 'o200k_base', windowSource: 'set by you' },
    })
  })

  it.each([
    [{ id: 'house-model' }, '"house-model": contextWindowTokens is missing, and the catalogue'],
    [{ id: 'gpt-5*', contextWindowTokens: 9 }, 'id must be a name, not a pattern'],
    [{ id: 'openai/', contextWindowTokens: 9 }, 'model card "openai/": id names no model'],
    [{ id: '', contextWindowTokens: 9 }, 'model card "": id cannot be ""'],
    [{ contextWindowTokens: 9 }, 'model card without an id: id cannot be undefined'],
    [{ id: 'gpt-5', window: 9 }, 'model card "gpt-5": window cannot be 9'],
    ['gpt-5', 'a model card is an object such as { id: "gpt-5-mini"'],
    [null, 'a model card is an object such as { id: "gpt-5-mini"'],
  ])('refuses the card %o', (input, message) => {
    const isRefused = () => findModel('gpt-5-mini', [input as never])
    expect(isRefused).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    expect(isRefused).toThrow(message)
  })
})
