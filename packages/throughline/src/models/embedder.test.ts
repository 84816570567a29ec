import { openai } from '@ai-sdk/openai'
import { describe, expect, it } from 'vitest'
import { type AiSdkEmbeddingModel, embedder } from './embedder.ts'

const options = { signal: new AbortController().signal }

function model(changes: Partial<AiSdkEmbeddingModel> = {}) {
  const calls: string[][] = []
  let [running, mostRunning] = [0, 0]
  const source: AiSdkEmbeddingModel = {
    specificationVersion: 'v4',
    maxEmbeddingsPerCall: 2,
    supportsParallelCalls: false,
    doEmbed: async ({ values }) => {
      calls.push(values)
      running += 1
      mostRunning = Math.max(mostRunning, running)
      await Promise.resolve()
      running -= 1
      return { embeddings: values.map((value) => [value.length]) }
    },
    ...changes,
  }
  return { source, calls, atOnce: () => mostRunning }
}

describe('an embedding model of the AI SDK', () => {
  it('gets no more texts in a call than it takes, and one call at a time unless it allows more', async () => {
    const one = model()
    expect(await embedder(one.source).embed(['a', 'bb', 'ccc'], options)).toEqual([[1], [2], [3]])
    expect(one.calls).toEqual([['a', 'bb'], ['ccc']])
    expect(one.atOnce()).toBe(1)
    const several = model({ supportsParallelCalls: Promise.resolve(true) })
    expect(await embedder(several.source).embed(['a', 'bb', 'ccc'], options)).toHaveLength(3)
    expect(several.atOnce()).toBe(2)
  })

  it.each([Number.POSITIVE_INFINITY, undefined, Promise.resolve(undefined)])(
    'gets all texts in one call without a limit',
    async (maxEmbeddingsPerCall) => {
      const { source, calls } = model({ maxEmbeddingsPerCall })
      await embedder(source).embed(['a', 'bb', 'ccc'], options)
      expect(calls).toEqual([['a', 'bb', 'ccc']])
    },
  )

  it('is accepted from a provider', () => {
    const { timeoutMs } = embedder(openai.embeddingModel('text-embedding-3-small'), {
      timeoutMs: 500,
    })
    expect(timeoutMs).toBe(500)
  })

  it('is refused if it is none', () => {
    for (const wrong of [null, 'text-embedding-3-small', {}, { doEmbed: 1 }])
      expect(() => embedder(wrong as never)).toThrow('embedder: the first argument must be')
    expect(() => embedder(async () => [], { timeoutMs: 0 })).toThrow('timeoutMs cannot be 0')
  })
})
