/**
 * Compares texts with a question by the vectors of an embedder. A failure is no error: the search
 * keeps the order that words give.
 */
import { defaults } from '../../defaults-data.ts'
import type { ContextWarning } from '../../domain/context.ts'
import { oneLine } from '../../extract/one-line.ts'
import { redactSecrets } from '../../extract/redact-secrets.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { Timer } from '../../ports/timer.ts'
import type { Meaning } from '../read/readers.ts'
import { type BoundedCache, createBoundedCache, getOrMake } from '../text/bounded-cache.ts'

/** For one request, which searches several times; after a failure the embedder is not asked again. */
export function createMeaning(embedder: Embedder | null, timer: Timer): Meaning | null {
  if (embedder === null) return null
  const known = getOrMake(vectorsByEmbedder, embedder, () => createBoundedCache(maxVectors))
  let failure: string | null = null
  const vectorsOf = async (texts: readonly string[]) => {
    if (failure !== null) return null
    const entries = texts.map((text) => known.get(text, () => ({ text, vector: null })))
    try {
      const missing = [...new Set(entries.filter(({ vector }) => vector === null))]
      if (missing.length > 0) await embedAll(embedder, timer, missing)
      const vectors = entries.map(({ vector }) => vector ?? [])
      checkLengths(vectors)
      return vectors
    } catch (error) {
      failure = reasonOf(error)
      // Cached vectors may come from a model that has been replaced.
      for (const entry of entries) entry.vector = null
      return null
    }
  }
  return {
    model: embedder.model ?? null,
    vectorsOf,
    similarities: async (question, texts) => {
      // Texts of messages are already redacted.
      const vectors = await vectorsOf([redactSecrets(question).text, ...texts])
      const [asked = [], ...others] = vectors ?? []
      return vectors && others.map((other) => cosine(asked, other))
    },
    warnings: () => (failure === null ? [] : [warningOf(failure)]),
  }
}

/** Errors of providers may contain keys. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : 'it threw no error'
  return oneLine(redactSecrets(text.slice(0, 2_000)).text).slice(0, maxReasonCharacters)
}

interface KnownVector {
  readonly text: string
  vector: ArrayLike<number> | null
}

// Vectors of a message are computed once for many questions.
const vectorsByEmbedder = new WeakMap<Embedder, BoundedCache<KnownVector>>()
/** About 16 MB for vectors of 2,048 numbers. */
const maxVectors = 2_000
const maxReasonCharacters = 200

async function embedAll(
  embedder: Embedder,
  timer: Timer,
  missing: readonly KnownVector[],
): Promise<void> {
  const ended = new AbortController()
  const timeoutMs = embedder.timeoutMs ?? defaults.embedTimeoutMs
  const late = timer.wait(timeoutMs, ended.signal).then(() => {
    throw new Error(`no vectors within ${timeoutMs} ms`)
  })
  // After the race, no caller waits for it.
  late.catch(() => {})
  try {
    const texts = missing.map(({ text }) => text)
    const vectors = await Promise.race([embedder.embed(texts, { signal: ended.signal }), late])
    if (vectors.length !== missing.length)
      throw new Error(`${vectors.length} vectors for ${missing.length} texts`)
    const checked = Array.from(vectors, unitVector)
    for (const [index, entry] of missing.entries()) entry.vector = checked[index] ?? null
  } finally {
    ended.abort()
  }
}

function unitVector(vector: ArrayLike<number>): ArrayLike<number> {
  const numbers = Float32Array.from(vector)
  const length = Math.sqrt(numbers.reduce((sum, each) => sum + each * each, 0))
  if (!(length > 0 && Number.isFinite(length))) throw new Error('a vector without direction')
  return numbers.map((each) => each / length)
}

function checkLengths([first, ...others]: readonly ArrayLike<number>[]): void {
  for (const other of others)
    if (other.length !== first?.length)
      throw new Error(`vectors of ${first?.length} and of ${other.length} numbers`)
}

/** Of vectors of length 1. */
function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}

function warningOf(reason: string): ContextWarning {
  return {
    code: 'EMBEDDER_FAILED',
    text: `the embedder failed (${reason}); messages were recalled by their words only`,
    suggestions: [],
  }
}
