/**
 * What is searched of messages that the caller keeps: an index made when somebody asks, of
 * messages that mostly were analysed before.
 */
import { defaults } from '../../defaults.ts'
import type { IndexedPiece } from '../../domain/indexed-piece.ts'
import type { Message } from '../../domain/message.ts'
import { TermIndex } from '../../extract/term-index.ts'
import type { LogReader } from '../read/log-reader.ts'
import type { Recaller } from '../read/recaller.ts'
import { createBoundedCache } from '../text/bounded-cache.ts'
import { indexedPieces } from './message-pieces.ts'

export function arrayRecaller(log: Pick<LogReader, 'head' | 'read'>): Recaller {
  let index: TermIndex | null = null
  return {
    async find(query) {
      if (index === null) {
        const from = Math.max(0, log.head - defaults.indexMessages.value)
        index = new TermIndex()
        for (const message of await log.read({ from, to: log.head }, []))
          index.add(analysed(message))
      }
      return index.find(query)
    },
  }
}

const known = createBoundedCache<readonly IndexedPiece[]>(defaults.indexMessages.value * 2)

/** By all that is analysed, because the same words may be another's, or of another day. */
function analysed(message: Message): readonly IndexedPiece[] {
  const { hashes, author, createdAt, seq } = message
  const key = JSON.stringify([hashes.content, hashes.canonical, author, createdAt])
  return known.get(key, () => indexedPieces(message)).map((piece) => ({ ...piece, seq }))
}
