/**
 * Adds and deletes indexed pieces. The `place` of a piece is the number of its conversation and its
 * key in one number, so each conversation is a range in every table, and others cost nothing.
 */
import type { Seq } from '../../domain/ids.ts'
import {
  type FoundPieces,
  type IndexedPiece,
  maxSearchable,
  type PieceKey,
  pieceKey,
} from '../../domain/search-index.ts'
import { foldedNames } from '../../extract/term-index.ts'
import type { SqliteLog } from './rows.ts'
import { codesText, nameCodes, termCode } from './term-codes.ts'

/** Inside a transaction. The conversation must own the messages, not share them as a fork. */
export function addPieces(log: SqliteLog, pieces: readonly IndexedPiece[]): void {
  const { connection, pk } = log
  for (const { seq, part, length, ...piece } of pieces) {
    const key = pieceKey(seq, part)
    const insert = (columns: string, cell: number | string) =>
      connection.run(`INSERT INTO ${columns} VALUES (${placeSql}, ?)`, [pk, key, cell])
    insert('pieces (place, length)', length)
    insert(
      'recall_terms (rowid, terms)',
      codesText(new Set(piece.terms.map((term) => termCode(term)))),
    )
    const names = foldedNames(piece.names)
    if (names === '') continue
    insert('piece_names (place, names)', names)
    insert('recall_names (rowid, names)', codesText(nameCodes(names)))
  }
  const words = pieces.reduce((sum, { length }) => sum + length, 0)
  addTotals(log, { pieces: pieces.length, words })
}

export function dropPieces(log: SqliteLog, seq: Seq): void {
  deleteRange({ ...log, first: pieceKey(seq, 0), last: pieceKey(seq + 1, 0) - 1 })
}

/** Inside a transaction. */
function dropAllPieces(log: SqliteLog): void {
  deleteRange({ ...log, first: 0, last: pieceKey(maxSearchable, 0) - 1 })
}

/** Inclusive at both ends: a key after the last one belongs to the next conversation. */
interface PieceRange extends SqliteLog {
  readonly first: PieceKey
  readonly last: PieceKey
}

const placeSql = '(? << 36) | ?'
const inRange = `BETWEEN ${placeSql} AND ${placeSql}`

/** FTS5 marks pieces as deleted, and removes them when it merges its data. See `forgetDeleted`. */
function deleteRange(range: PieceRange): void {
  const { pieces, words } = totalsIn(range)
  if (pieces === 0) return
  for (const table of pieceTables)
    range.connection.run(`DELETE FROM ${table} WHERE rowid ${inRange}`, endsOf(range))
  addTotals(range, { pieces: -pieces, words: -words })
}

const searchTables = ['recall_terms', 'recall_names'] as const
export const pieceTables = ['pieces', 'piece_names', ...searchTables] as const

/** Statements that rewrite the data of FTS5 without the terms of deleted pieces. */
export const forgetDeleted = searchTables.map(
  (table) => `INSERT INTO ${table} (${table}) VALUES ('optimize')`,
)

function endsOf({ pk, first, last }: PieceRange): readonly number[] {
  return [pk, first, pk, last]
}

export function reindex(
  log: SqliteLog,
  places: readonly Seq[],
  pieces: readonly IndexedPiece[],
): void {
  for (const seq of places) dropPieces(log, seq)
  const { indexedTo } = indexedOf(log)
  addPieces(
    log,
    pieces.filter(({ seq }) => seq < indexedTo),
  )
}

/** For a fork that now shares fewer messages: its own messages are indexed again. */
export function resetIndex(log: SqliteLog): void {
  dropAllPieces(log)
  moveIndexEnd(log, 0)
}

export function moveIndexEnd({ connection, pk }: SqliteLog, end: Seq): void {
  connection.update('conversations', { indexed_to: end }, 'pk = ?', [pk])
}

type PieceTotals = Pick<FoundPieces, 'pieces' | 'words'>

/** Every search needs these totals, so the conversation has them. Negative after a delete. */
function addTotals({ connection, pk }: SqliteLog, { pieces, words }: PieceTotals): void {
  connection.run(
    `UPDATE conversations SET indexed_pieces = indexed_pieces + ?, indexed_words = indexed_words + ?
     WHERE pk = ?`,
    [pieces, words, pk],
  )
}

export function totalsBefore(log: SqliteLog, before: Seq): PieceTotals {
  const { indexedTo, ...all } = indexedOf(log)
  if (before >= indexedTo) return all
  // Counts the shorter side.
  const end = pieceKey(before, 0)
  if (before < indexedTo / 2) return totalsIn({ ...log, first: 0, last: end - 1 })
  const after = totalsIn({ ...log, first: end, last: pieceKey(indexedTo, 0) - 1 })
  return { pieces: all.pieces - after.pieces, words: all.words - after.words }
}

export function indexedOf({
  connection,
  pk,
}: SqliteLog): PieceTotals & { readonly indexedTo: Seq } {
  const row = connection.get(
    'SELECT indexed_to, indexed_pieces, indexed_words FROM conversations WHERE pk = ?',
    [pk],
  )
  return {
    indexedTo: Number(row?.['indexed_to']),
    pieces: Number(row?.['indexed_pieces']),
    words: Number(row?.['indexed_words']),
  }
}

function totalsIn(range: PieceRange): PieceTotals {
  const select = 'SELECT count(*) AS pieces, coalesce(sum(length), 0) AS words FROM pieces'
  const row = range.connection.get(`${select} WHERE place ${inRange}`, endsOf(range))
  return { pieces: Number(row?.['pieces']), words: Number(row?.['words']) }
}
