import { describe, expect, it } from 'vitest'
import { chatTest } from './chat/chat.test-support.ts'
import { sessionOf, testWorld } from './world.test-support.ts'

const env = { THROUGHLINE_MODEL: 'openai/gpt5-mini', THROUGHLINE_TOKENIZER: 'estimate' }
const warning =
  'unknown model openai/gpt5-mini: its window is assumed to be 8,192 tokens. Did you mean ' +
  'gpt-5-mini? Set its window: throughline config set models ' +
  `'{"openai/gpt5-mini":{"contextWindowTokens":32768}}'`

describe('An unknown model', () => {
  it.each([['context', 'c'], ['compact', 'c'], ['status', 'c'], ['status']])(
    'is reported by %s %s',
    async (...words) => {
      const test = testWorld({ env })
      await test.engine((tl) => tl.conversation('c').append(sessionOf(30)))
      const { exitCode, stderr } = await test.run(...words)
      expect([exitCode, stderr]).toEqual([0, `throughline: ${warning}\n`])
      const notice = { code: 'MODEL_UNKNOWN', message: warning, suggestions: ['gpt-5-mini'] }
      await test.run(...words, '--json')
      // A second compaction has nothing to do, and also says so on stderr.
      expect(JSON.parse(test.output().stderr.split('\n')[0] ?? '')).toEqual({ notice })
    },
  )

  it('is in the JSON of a context', async () => {
    const test = testWorld({ env })
    await test.engine((tl) => tl.conversation('c').append(sessionOf(1)))
    expect(await test.json('context', 'c')).toMatchObject({
      warnings: [{ code: 'MODEL_UNKNOWN', suggestions: ['gpt-5-mini'] }],
    })
  })

  it('is not reported where the window is set', async () => {
    const test = testWorld({ env })
    await test.engine((tl) => tl.conversation('c').append(sessionOf(1)))
    expect((await test.run('context', 'c', '--window', '16k')).stderr).toBe('')
    const card = '{"openai/gpt5-mini":{"contextWindowTokens":32768}}'
    await test.run('config', 'set', 'models', card)
    for (const words of [['context', 'c'], ['status', 'c'], ['status']])
      expect((await test.run(...words)).stderr).toBe('')
  })

  it('is reported by chat, once', async () => {
    const { run } = await chatTest({
      server: { answers: 'Yes.' },
      world: { stdin: 'Open?\nSure?\n' },
    })
    const { stderr } = await run('chat', 'shop', '--model', 'house/large-9b')
    expect(stderr).toContain(
      'unknown model house/large-9b: its window is assumed to be 8,192 tokens.',
    )
    expect(stderr.split('unknown model')).toHaveLength(2)
  })
})
