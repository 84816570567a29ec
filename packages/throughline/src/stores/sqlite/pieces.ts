/**
 * The pieces of conversations. A piece's place is the number of its conversation and its key in
 * one number, so each conversation is a range in every table, and other conversations cost it
 * nothing. `piece_words` holds what FTS5 has to be told again when a piece goes.
 */
import type { Seq } from '../../domain/ids.ts'
import {
  type IndexedPiece,
  mostSearched,
  type PieceKey,
  pieceKey,
} from '../../domain/indexed-piece.ts'
import { foldedNames } from '../../extract/term-index.ts'
import { bytesCell, changedOutside } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import { moveSums, sumsIn } from './piece-sums.ts'
import { forgetSearched, forgetting, insertSearched, type SearchedPiece } from './search-tables.ts'
import { codesCell, termCode } from './term-codes.ts'

/** Inside a transaction. The conversation is the one that the messages stand in, not a fork of it. */
export function addPieces(
  connection: SqliteConnection,
  pk: number,
  pieces: readonly IndexedPiece[],
): void {
  for (const { seq, part, length, ...piece } of pieces) {
    const key = pieceKey(seq, part)
    const terms = codesCell(piece.terms.map(termCode))
    const names = foldedNames(piece.names)
    connection.run(`INSERT INTO pieces (place, length) VALUES (${place}, ?)`, pk, key, length)
    connection.run(
      `INSERT INTO piece_words (place, terms, names) VALUES (${place}, ?, ?)`,
      pk,
      key,
      terms,
      names,
    )
    insertSearched(connection, { pk, key, terms, names })
  }
  const words = pieces.reduce((sum, { length }) => sum + length, 0)
  moveSums(connection, pk, { pieces: pieces.length, words })
}

/** The pieces of one message go, inside a transaction. */
export function dropPieces(connection: SqliteConnection, pk: number, seq: Seq): void {
  drop(connection, [{ pk, first: pieceKey(seq, 0), last: pieceKey(seq + 1, 0) - 1 }])
}

/** All pieces of these conversations go, inside a transaction. */
export function dropAllPieces(connection: SqliteConnection, pks: readonly number[]): void {
  const last = pieceKey(mostSearched, 0) - 1
  drop(
    connection,
    pks.map((pk) => ({ pk, first: 0, last })),
  )
}

/** With both ends: a key behind the last of all would be one of the next conversation. */
interface PieceRange {
  readonly pk: number
  readonly first: PieceKey
  readonly last: PieceKey
}

const place = '(? << 36) | ?'
const inRange = `place BETWEEN ${place} AND ${place}`

function drop(connection: SqliteConnection, ranges: readonly PieceRange[]): void {
  const sums = ranges.map((range) => ({ range, sum: sumsIn(connection, range.pk, range) }))
  const doomed = sums.reduce((all, { sum }) => all + sum.pieces, 0)
  if (doomed === 0) return
  forgetting(connection, doomed, () => {
    for (const range of ranges)
      for (const piece of piecesIn(connection, range)) forgetSearched(connection, piece)
  })
  for (const { range, sum } of sums) {
    const { pk, first, last } = range
    for (const table of ['pieces', 'piece_words'])
      connection.run(`DELETE FROM ${table} WHERE ${inRange}`, pk, first, pk, last)
    moveSums(connection, pk, { pieces: -sum.pieces, words: -sum.words })
  }
}

/** Some at a time: a conversation may have hundreds of thousands. */
function* piecesIn(
  connection: SqliteConnection,
  { pk, first, last }: PieceRange,
): Generator<SearchedPiece> {
  let next = first
  for (;;) {
    const rows = connection.all(
      `SELECT place & 0xfffffffff AS key, terms, names FROM piece_words
       WHERE ${inRange} ORDER BY place LIMIT 1000`,
      pk,
      next,
      pk,
      last,
    )
    for (const row of rows) {
      const [key, names] = [Number(row['key']), String(row['names'])]
      // A damaged tree gives rows in no order, and without an end.
      if (key < next) throw changedOutside('the search index')
      yield { pk, key, names, terms: bytesCell(row['terms'], 'the search index') }
      next = key + 1
    }
    if (rows.length === 0) return
  }
}
