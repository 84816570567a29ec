import { describe, expect, it } from 'vitest'
import type { ModelCardInput } from './domain/model-card.ts'
import { findModel, knownModels } from './models/catalogue.ts'
import { build } from './testing/build.ts'
import { createThroughline } from './throughline.ts'

const { messages } = build()
  .user('Which port did we choose, and why? Größe: 12 €, 你好')
  .calls('read', { path: 'src/port.ts' })
  .result('export const port = 8080\n'.repeat(20))
  .says('Port 8080, because 80 needs root.')
const tools = [{ name: 'read', description: 'Reads a file.', parameters: { type: 'object' } }]

async function measured(model: string, models: readonly ModelCardInput[]) {
  const tl = createThroughline({ models })
  const chat = tl.conversation('c')
  await chat.append(messages)
  const { card, tokenizer } = await tl.meter(model)
  const { tokens } = await chat.context({ model, system: 'Be brief.', tools })
  const { overhead, pictures, tokensPerEstimate, maxInputTokens, maxOutputTokens } = card
  const counted = { tokenizer: tokenizer.id, tokens, overhead, pictures, tokensPerEstimate }
  return { counted, limits: { maxInputTokens, maxOutputTokens }, card }
}

describe('Counting', () => {
  it('counts alike with a card that sets only the window, for every model', async () => {
    for (const id of knownModels) {
      const builtIn = await measured(id, [])
      const { contextWindowTokens: known, windowSource: _, ...fields } = builtIn.card
      for (const window of [known, 4_000]) {
        const own = await measured(id, [{ id, contextWindowTokens: window }])
        const atMost = (limit: number | null) =>
          limit === null || window === known ? limit : Math.min(limit, window)
        const { maxInputTokens, maxOutputTokens } = builtIn.limits
        const limits = {
          maxInputTokens: atMost(maxInputTokens),
          maxOutputTokens: atMost(maxOutputTokens),
        }
        expect([id, own.counted]).toEqual([id, builtIn.counted])
        expect([id, own.limits]).toEqual([id, limits])
        const set = { ...limits, contextWindowTokens: window, windowSource: 'set by you' }
        expect(own.card).toEqual({ ...fields, ...set })
      }
    }
  }, 30_000)

  it.each([
    'gpt-5-mini',
    'openai/gpt-5-mini',
    'openrouter/openai/gpt-5-mini',
    'GPT-5-Mini-2025-08-07',
  ])('takes a card for gpt-5-mini where %s is asked for', async (model) => {
    const own = await measured(model, [{ id: 'openai/gpt-5-mini', contextWindowTokens: 32_000 }])
    expect(own.card).toMatchObject({ id: 'gpt-5-mini', contextWindowTokens: 32_000 })
    expect(own.counted).toEqual((await measured('gpt-5-mini', [])).counted)
  })

  it('leaves models alone that a card is not for', async () => {
    const models = [{ id: 'gpt-5-mini', contextWindowTokens: 32_000 }]
    expect((await measured('gpt-5', models)).card).toEqual(findModel('gpt-5').card)
  })

  it('says what is wrong with a card', () => {
    expect(() => createThroughline({ models: [{ id: 'house-model' }] })).toThrow(
      'model card "house-model": contextWindowTokens is missing, and the catalogue does not know this model',
    )
    expect(() => createThroughline({ models: ['gpt-5' as never] })).toThrow(
      'a model card is an object such as { id: "gpt-5-mini", contextWindowTokens: 32_000 }, got "gpt-5"',
    )
  })
})
