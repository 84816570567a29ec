/**
 * Searches by the vectors that a store keeps, and adds those that are missing in the background: each
 * is computed once, for all processes that use the store.
 */
import type { Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { type PieceKey, partOfPiece, seqOfPiece } from '../domain/search-index.ts'
import { spansOf } from '../domain/span.ts'
import { redactSecrets } from '../extract/redact-secrets.ts'
import type { Meaning, NearPieces } from '../flow/read/readers.ts'
import { piecesOf } from '../flow/recall/message-pieces.ts'
import type { StoredConversation } from '../ports/store.ts'
import type { Pause } from './background.ts'

interface Asked {
  readonly question: string
  readonly before: Seq
}

/** Null where the store has no vectors. */
export async function nearestPieces(
  { store, id }: StoredConversation,
  meaning: Meaning,
  { question, before }: Asked,
): Promise<NearPieces | null> {
  const { model } = meaning
  if (model === null || store.vectors === undefined) return null
  const [vector] = (await meaning.vectorsOf([redactSecrets(question).text])) ?? []
  if (vector === undefined) return null
  const limit = comparedPieces
  const found = await store.vectors.nearest({ id, model, vector, before, limit })
  if (found === null) return null
  const similarities = new Map(found.pieces.map(({ key, similarity }) => [key, similarity]))
  return { similarities, isComplete: found.missing.length === 0 }
}

/** As many as recall compares by their words. */
const comparedPieces = 200

/** Embeds pieces without a vector, newest first, until there are none or the embedder fails. */
export async function embedMissing(
  { store, id }: StoredConversation,
  meaning: Meaning,
  { question, before, pause }: Asked & { readonly pause: Pause },
): Promise<void> {
  const { model } = meaning
  const [vector] = (await meaning.vectorsOf([redactSecrets(question).text])) ?? []
  if (model === null || store.vectors === undefined || vector === undefined) return
  // What could not be embedded is missing again, and must not be asked for without end.
  for (let tries = 0; tries < maxBatches; tries += 1) {
    const found = await store.vectors.nearest({ id, model, vector, before, limit: 0 })
    if (found === null || found.missing.length === 0) return
    const { missing, rewrites } = found
    const texts = await textsOf({ store, id }, missing)
    const vectors = await meaning.vectorsOf([...texts.values()])
    if (vectors === null || vectors.length === 0) return
    const keys = [...texts.keys()]
    const entries = vectors.map((each, index) => ({ key: keys[index] ?? 0, vector: each }))
    await store.vectors.put({ id, model, rewrites, vectors: entries })
    await pause()
  }
}

const maxBatches = 100

async function textsOf(
  { store, id }: StoredConversation,
  keys: readonly PieceKey[],
): Promise<ReadonlyMap<PieceKey, string>> {
  const seqs = [...new Set(keys.map(seqOfPiece))].sort((left, right) => left - right)
  const messages = new Map<Seq, Message>()
  for (const span of spansOf(seqs))
    for (const message of (await store.read({ id, span })) ?? []) messages.set(message.seq, message)
  const texts = new Map<PieceKey, string>()
  for (const key of keys) {
    const message = messages.get(seqOfPiece(key))
    const { text = '', ranges = [] } = message === undefined ? {} : piecesOf(message)
    const range = ranges[partOfPiece(key)]
    if (range !== undefined) texts.set(key, text.slice(range.from, range.to))
  }
  return texts
}
