import { expect, it } from 'vitest'
import { createPromptCache } from './cache.ts'

const userMessages = (...words: readonly string[]) =>
  words.map((content) => ({ role: 'user', content }))
const tools = [{ name: 'look' }]

it('has the prefix that a request shares with an earlier one', () => {
  const cache = createPromptCache()
  const share = (body: Record<string, unknown>) => cache.share('openai-chat', body)
  expect(share({ tools, messages: userMessages('a', 'b') })).toBe(0)
  expect(share({ tools, messages: userMessages('a', 'b'), temperature: 1 })).toBe(1)
  expect(share({ tools, messages: userMessages('a', 'b', 'c') })).toBeCloseTo(0.75, 1)
  expect(share({ tools: [], messages: userMessages('a', 'b') })).toBe(0)
  expect(
    share({ tools, messages: userMessages('a', 'b'), response_format: { type: 'json_object' } }),
  ).toBe(0)
  expect(share({ tools, messages: userMessages('x', 'b') })).toBeLessThan(0.6)
})

it("caches Anthropic's requests up to a mark that both have", () => {
  const cache = createPromptCache()
  const share = (marked: readonly string[], ...words: readonly string[]) =>
    cache.share('anthropic-messages', {
      messages: words.map((text) => ({
        role: 'user',
        content: [
          {
            type: 'text',
            text,
            ...(marked.includes(text) ? { cache_control: { type: 'ephemeral' } } : {}),
          },
        ],
      })),
    })
  expect(share(['b'], 'a', 'b')).toBe(0)
  expect(share(['c'], 'a', 'b', 'c')).toBe(0)
  expect(share(['b', 'd'], 'a', 'b', 'd')).toBeGreaterThan(0.6)
  expect(share(['b'], 'x', 'b')).toBe(0)
})
