/** What is searched of messages that have changed, where they were indexed. */
import type { Seq } from '../../domain/ids.ts'
import type { IndexedPiece } from '../../domain/indexed-piece.ts'
import type { SqliteConnection } from './connection.ts'
import { addPieces, dropAllPieces, dropPieces } from './pieces.ts'

/** Of rows of its own. */
export function reindex(
  connection: SqliteConnection,
  pk: number,
  places: readonly Seq[],
  pieces: readonly IndexedPiece[],
): void {
  for (const seq of places) dropPieces(connection, pk, seq)
  const row = connection.get('SELECT indexed_to FROM conversations WHERE pk = ?', pk)
  const isIndexed = ({ seq }: IndexedPiece) => seq < Number(row?.['indexed_to'])
  addPieces(connection, pk, pieces.filter(isIndexed))
}

/** Where its rows begin elsewhere, all of them are indexed again, when somebody searches. */
export function indexAgain(connection: SqliteConnection, pk: number): void {
  dropAllPieces(connection, [pk])
  connection.run('UPDATE conversations SET indexed_to = 0 WHERE pk = ?', pk)
}
