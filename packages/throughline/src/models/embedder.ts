/** An embedding model of the AI SDK, or a function, as our port. */
import { describe } from '../domain/text.ts'
import type { Embedder } from '../ports/embedder.ts'
import { invalid } from './language-model-options.ts'

/** What we use of an embedding model of the AI SDK. */
export interface AiSdkEmbeddingModel {
  readonly specificationVersion: string
  readonly provider?: string
  readonly modelId?: string
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined
  readonly supportsParallelCalls: PromiseLike<boolean> | boolean
  doEmbed(call: {
    values: string[]
    abortSignal?: AbortSignal
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>
}

/**
 * An embedder for the option `embedder`: an embedding model of the AI SDK, or a function. Create it
 * once, because its vectors are cached with it.
 *
 * @example
 * const tl = createThroughline({
 *   embedder: embedder(async (texts) => texts.map((text) => [text.length, 1])),
 * })
 */
export function embedder(
  source: AiSdkEmbeddingModel | Embedder['embed'],
  { timeoutMs, model }: Pick<Embedder, 'timeoutMs' | 'model'> = {},
): Embedder {
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw invalid(`timeoutMs cannot be ${describe(timeoutMs)}`, 'embedder')
  if (model !== undefined && (typeof model !== 'string' || model === ''))
    throw invalid(`model cannot be ${describe(model)}`, 'embedder')
  if (typeof source === 'function') return Object.freeze({ timeoutMs, model, embed: source })
  if (typeof source?.doEmbed !== 'function')
    throw invalid(
      `the first argument must be an embedding model of the AI SDK or a function, got ${describe(source)}`,
      'embedder',
    )
  const { provider, modelId } = source
  const ofSource = provider && modelId ? `${provider}/${modelId}` : undefined
  return Object.freeze({ timeoutMs, model: model ?? ofSource, embed: embedWith(source) })
}

const embedWith =
  (model: AiSdkEmbeddingModel): Embedder['embed'] =>
  async (texts, options) => {
    const { signal: abortSignal } = options
    const most = (await model.maxEmbeddingsPerCall) ?? texts.length
    const size = Math.max(1, Math.min(most, texts.length))
    const calls = Array.from({ length: Math.ceil(texts.length / size) }, (_, index) => ({
      values: texts.slice(index * size, (index + 1) * size),
      abortSignal,
    }))
    const ask = async (call: (typeof calls)[number]) => (await model.doEmbed(call)).embeddings
    if (await model.supportsParallelCalls) return (await Promise.all(calls.map(ask))).flat()
    const vectors: (readonly number[])[] = []
    for (const call of calls) vectors.push(...(await ask(call)))
    return vectors
  }
