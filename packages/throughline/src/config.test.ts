import { describe, expect, it } from 'vitest'
import { readSettings } from './config.ts'
import { memory } from './stores/memory.ts'

const wrong = (options: unknown) => {
  try {
    readSettings(options)
  } catch (error) {
    return error
  }
  return null
}

describe('options', () => {
  it('become frozen settings, with defaults for what is left out', () => {
    const settings = readSettings({})
    expect(Object.isFrozen(settings)).toBe(true)
    expect(settings).toMatchObject({ tokenizer: 'auto', messageBytesMax: 67_108_864 })
  })

  it('are taken as given', () => {
    const store = memory()
    const clock = { now: () => 7 }
    const models = [{ id: 'house', contextWindowTokens: 9 }]
    const settings = readSettings({ store, clock, tokenizer: 'estimate', models })
    expect(settings).toMatchObject({ store, clock, tokenizer: 'estimate' })
    expect(settings.models[0]).toMatchObject({ id: 'house', windowSource: 'set by you' })
  })

  it('are refused with the name of what is wrong and what there is', () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [null, 'createThroughline: must be an object, got null'],
      [[], 'createThroughline: must be an object, got an array'],
      [{ stor: memory() }, 'createThroughline: unknown setting "stor"; did you mean "store"?'],
      [
        { cache: 1 },
        'unknown setting "cache"; the settings are store, tokenizer, models, strictModels, policy, summarizer, compaction, extension, embedder, clock, queue',
      ],
      [{ constructor: 1 }, 'unknown setting "constructor"'],
      [
        { window: 8_192 },
        'unknown setting "window"; the window of a model is set by models: [{ id, contextWindowTokens }]',
      ],
      [{ store: 'chat.db' }, 'store must be a store, such as sqlite("chat.db"), got "chat.db"'],
      [{ store: null }, 'store must be a store'],
      [{ tokenizer: 'best' }, 'tokenizer must be "auto", "exact", "estimate" or a tokenizer'],
      [{ compaction: 'maybe' }, 'compaction must be on, off or shadow, got "maybe"'],
      [{ extension: {} }, 'extension must be a context extension'],
      [{ queue: { add: 1 } }, 'queue must be a queue'],
      [{ models: {} }, 'models must be an array of model cards'],
      [{ models: [{ id: 'x', contextWindowTokens: -1 }] }, 'contextWindowTokens cannot be -1'],
      [
        { models: [{ id: 'x', contextWindowTokens: 9, overhead: {} }] },
        'overhead cannot be an object',
      ],
      [
        { models: [{ id: 'x', contextWindowTokens: 9, pictures: { kind: 'zz' } }] },
        'pictures cannot be',
      ],
      [
        { models: [{ id: 'x', contextWindowTokens: 9, tokenizer: 'zz' }] },
        'tokenizer cannot be "zz"',
      ],
      [{ models: [{ id: 'x', contextWindowTokens: 9, window: 9 }] }, 'window cannot be 9'],
      [{ models: [null] }, 'a model card is an object such as'],
      [{ models: [{}] }, 'model card without an id: id cannot be undefined'],
      [{ clock: Date }, 'clock must be a clock with now()'],
    ]
    for (const [options, message] of cases)
      expect(wrong(options)).toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(message) as string,
      })
  })
})
