/**
 * How many pieces a conversation has, and of how many words: every search asks for it, so sums are
 * kept with the conversation, and only what lies behind a place is counted.
 */
import type { FoundPieces } from '../../domain/found-pieces.ts'
import type { Seq } from '../../domain/ids.ts'
import { type PieceKey, pieceKey } from '../../domain/indexed-piece.ts'
import type { SqliteConnection } from './connection.ts'

export type PieceSums = Pick<FoundPieces, 'pieces' | 'words'>

/** Inside the transaction that adds the pieces, or lets them go: then the sums are negative. */
export function moveSums(
  connection: SqliteConnection,
  pk: number,
  { pieces, words }: PieceSums,
): void {
  connection.run(
    `UPDATE conversations SET indexed_pieces = indexed_pieces + ?, indexed_words = indexed_words + ?
     WHERE pk = ?`,
    pieces,
    words,
    pk,
  )
}

export function sumsBefore(connection: SqliteConnection, pk: number, before: Seq): PieceSums {
  const row = connection.get(
    'SELECT indexed_to, indexed_pieces, indexed_words FROM conversations WHERE pk = ?',
    pk,
  )
  const [indexedTo, pieces, words] = [
    Number(row?.['indexed_to']),
    Number(row?.['indexed_pieces']),
    Number(row?.['indexed_words']),
  ]
  if (before >= indexedTo) return { pieces, words }
  if (before < indexedTo / 2)
    return sumsIn(connection, pk, { first: 0, last: pieceKey(before, 0) - 1 })
  const behind = sumsIn(connection, pk, {
    first: pieceKey(before, 0),
    last: pieceKey(indexedTo, 0) - 1,
  })
  return { pieces: pieces - behind.pieces, words: words - behind.words }
}

/** Counted, with both ends. */
export function sumsIn(
  connection: SqliteConnection,
  pk: number,
  { first, last }: { readonly first: PieceKey; readonly last: PieceKey },
): PieceSums {
  const row = connection.get(
    `SELECT count(*) AS pieces, coalesce(sum(length), 0) AS words FROM pieces
     WHERE place BETWEEN (? << 36) | ? AND (? << 36) | ?`,
    pk,
    first,
    pk,
    last,
  )
  return { pieces: Number(row?.['pieces']), words: Number(row?.['words']) }
}
