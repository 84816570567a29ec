import { describe, expect, it } from 'vitest'
import type { LiveEvent } from '../domain/event.ts'
import { fit } from '../fit/fit.ts'
import { createThroughline } from '../throughline.ts'

const text =
  'unknown model "openai/gpt5-mini": its window is assumed to be 8,192 tokens. Did you mean ' +
  '"gpt-5-mini"? Otherwise set its window: models: [{ id, contextWindowTokens }]'
const unknown = { code: 'MODEL_UNKNOWN', text, suggestions: ['gpt-5-mini'] }
const messages = [{ role: 'user', content: 'Hello.' }] as const

async function begin(options: Parameters<typeof createThroughline>[0] = {}, tenant = 'default') {
  const tl = createThroughline(options)
  const chat = tl.tenant(tenant).conversation('c')
  await chat.append(messages)
  return { tl, chat }
}

describe('An unknown model', () => {
  it('is reported by the context, with suggestions and the assumed window', async () => {
    const { chat } = await begin()
    const context = await chat.context({ model: 'openai/gpt5-mini' })
    expect(context.budget.windowTokens).toBe(8_192)
    expect(context.warnings).toEqual([unknown])
    expect((await chat.preview({ model: 'openai/gpt5-mini' })).context.warnings).toEqual([unknown])
    expect((await fit({ messages, model: 'openai/gpt5-mini' })).warnings).toEqual([unknown])
  })

  it.each(['gpt-5-mini', 'openai/gpt-5-mini-2025-08-07', 'claude-opus-9', 'house-model[32k]'])(
    'is not reported for %s',
    async (model) => {
      const { chat } = await begin()
      expect((await chat.context({ model })).warnings).toEqual([])
    },
  )

  it('is not reported where a card describes it', async () => {
    const models = [{ id: 'gpt5-mini', contextWindowTokens: 32_000 }]
    const { chat } = await begin({ models, strictModels: true })
    expect((await chat.context({ model: 'openai/gpt5-mini' })).warnings).toEqual([])
    const fitted = await fit({ messages, model: 'gpt5-mini', models, strictModels: true })
    expect(fitted.warnings).toEqual([])
  })

  it('has no suggestion where no known name is near', async () => {
    const { chat } = await begin()
    const { warnings } = await chat.context({ model: 'house/of-cards' })
    expect(warnings).toMatchObject([{ suggestions: [] }])
    expect(warnings[0]?.text).toBe(
      'unknown model "house/of-cards": its window is assumed to be 8,192 tokens. ' +
        'Set its window: models: [{ id, contextWindowTokens }]',
    )
  })

  it('suggests names as providers spell them, the nearest ones', async () => {
    const { chat } = await begin()
    const suggested = async (model: string) =>
      (await chat.context({ model })).warnings[0]?.suggestions
    expect(await suggested('gpt4.1-mini')).toEqual(['gpt-4.1-mini'])
    expect(await suggested('claud-sonnet-5-5-20260928')).toEqual(['claude-sonnet-5-5'])
    expect(await suggested('o2')).toEqual(['o1', 'o3'])
    expect(await suggested('x'.repeat(100_000))).toEqual([])
  })

  it('is an event of each context', async () => {
    const { tl, chat } = await begin({}, 'customer-41')
    const events: LiveEvent[] = []
    tl.on((event) => events.push(event))
    await chat.context({ model: 'gpt-5-mini' })
    expect(events).toEqual([])
    await chat.context({ model: 'openai/gpt5-mini' })
    const of = { tenant: 'customer-41', conversation: 'c', model: 'openai/gpt5-mini' }
    const at = expect.any(Number) as number
    expect(events).toEqual([{ kind: 'context-warning', ...of, warning: unknown, at }])
  })
})

describe('strictModels', () => {
  const refused = {
    code: 'MODEL_UNKNOWN',
    message:
      'unknown model "openai/gpt5-mini", and strictModels is set. Did you mean "gpt-5-mini"? ' +
      'Otherwise set its window: models: [{ id, contextWindowTokens }]',
    details: { model: 'openai/gpt5-mini', suggestions: ['gpt-5-mini'] },
  }
  const model = 'openai/gpt5-mini'

  it.each(['default', 'customer-41'])('refuses an unknown model, for tenant %s', async (tenant) => {
    const { tl, chat } = await begin({ strictModels: true }, tenant)
    for (const call of [
      chat.context({ model }),
      chat.preview({ model }),
      chat.summary({ model }),
      chat.history.undo({ model }),
      tl.meter(model),
    ])
      await expect(call).rejects.toMatchObject(refused)
    expect((await chat.context({ model: 'gpt-5-mini' })).warnings).toEqual([])
    expect(await chat.status()).toMatchObject({ totals: { requests: 1 } })
  })

  it('is an option of fit', async () => {
    await expect(fit({ messages, model, strictModels: true })).rejects.toMatchObject(refused)
    const { state } = await fit({ messages, model })
    const known = fit({ messages, model: 'gpt-5-mini', state, strictModels: true })
    await expect(known).resolves.toMatchObject({ warnings: [] })
  })

  it('must be true or false', async () => {
    const wrong = { strictModels: 'yes' as never }
    expect(() => createThroughline(wrong)).toThrow('strictModels must be true or false')
    await expect(fit({ messages, model, ...wrong })).rejects.toMatchObject({
      message: 'fit: strictModels must be true or false',
    })
  })
})
