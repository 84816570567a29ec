/**
 * Adds and deletes indexed pieces. The `place` of a piece is the number of its conversation and its
 * key in one number, so each conversation is a range in every table, and others cost nothing.
 * `piece_words` has the text that a delete must repeat to FTS5.
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
import { bytesCell, changedOutside } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import type { SqliteLog } from './rows.ts'
import { codesCell, codesText, nameCodes, termCode } from './term-codes.ts'

/** Inside a transaction. The conversation must own the messages, not share them as a fork. */
export function addPieces(log: SqliteLog, pieces: readonly IndexedPiece[]): void {
  const { connection, pk } = log
  for (const { seq, part, length, ...piece } of pieces) {
    const key = pieceKey(seq, part)
    const terms = codesCell(piece.terms.map(termCode))
    const names = foldedNames(piece.names)
    connection.run(`INSERT INTO pieces (place, length) VALUES (${placeSql}, ?)`, [pk, key, length])
    connection.run(`INSERT INTO piece_words (place, terms, names) VALUES (${placeSql}, ?, ?)`, [
      pk,
      key,
      terms,
      names,
    ])
    updateSearchTables(log, 'insert', { key, terms, names })
  }
  const words = pieces.reduce((sum, { length }) => sum + length, 0)
  addTotals(log, { pieces: pieces.length, words })
}

export function dropPieces(log: SqliteLog, seq: Seq): void {
  deleteRanges([{ ...log, first: pieceKey(seq, 0), last: pieceKey(seq + 1, 0) - 1 }])
}

/** Inside a transaction. */
export function dropAllPieces(logs: readonly SqliteLog[]): void {
  const last = pieceKey(maxSearchable, 0) - 1
  deleteRanges(logs.map((log) => ({ ...log, first: 0, last })))
}

/** Inclusive at both ends: a key after the last one belongs to the next conversation. */
interface PieceRange extends SqliteLog {
  readonly first: PieceKey
  readonly last: PieceKey
}

const placeSql = '(? << 36) | ?'
const inRange = `place BETWEEN ${placeSql} AND ${placeSql}`

function deleteRanges(ranges: readonly PieceRange[]): void {
  const totals = ranges.map((range) => ({ range, sum: totalsIn(range) }))
  const pieceCount = totals.reduce((count, { sum }) => count + sum.pieces, 0)
  const [first] = ranges
  if (first === undefined || pieceCount === 0) return
  tuneDeletes(first.connection, pieceCount, () => {
    for (const range of ranges)
      for (const piece of piecesIn(range)) updateSearchTables(range, 'delete', piece)
  })
  for (const { range, sum } of totals) {
    for (const table of ['pieces', 'piece_words'])
      range.connection.run(`DELETE FROM ${table} WHERE ${inRange}`, endsOf(range))
    addTotals(range, { pieces: -sum.pieces, words: -sum.words })
  }
}

function endsOf({ pk, first, last }: PieceRange): readonly number[] {
  return [pk, first, pk, last]
}

/** Reads in pages, because a conversation may have hundreds of thousands of pieces. */
function* piecesIn(range: PieceRange): Generator<SearchedPiece> {
  const select = `SELECT place & 0xfffffffff AS key, terms, names FROM piece_words
    WHERE ${inRange} ORDER BY place LIMIT 1000`
  let next = range.first
  for (;;) {
    const rows = range.connection.all(select, endsOf({ ...range, first: next }))
    for (const row of rows) {
      const [key, names] = [Number(row['key']), String(row['names'])]
      // A damaged tree may return rows in any order, without end.
      if (key < next) throw changedOutside('the search index')
      yield { key, names, terms: bytesCell(row['terms'], 'the search index') }
      next = key + 1
    }
    if (rows.length === 0) return
  }
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
  dropAllPieces([log])
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
  const row = range.connection.get(`${select} WHERE ${inRange}`, endsOf(range))
  return { pieces: Number(row?.['pieces']), words: Number(row?.['words']) }
}

/** The data of a piece in the two FTS5 tables, which store no text: a delete must repeat it. */
interface SearchedPiece {
  readonly key: PieceKey
  readonly terms: Uint8Array
  /** Folded; empty where there are none. */
  readonly names: string
}

const searchStatements = {
  insert: (column: string) =>
    `INSERT INTO recall_${column} (rowid, ${column}) VALUES (${placeSql}, ?)`,
  delete: (column: string) =>
    `INSERT INTO recall_${column} (recall_${column}, rowid, ${column})
     VALUES ('delete', ${placeSql}, ?)`,
}

function updateSearchTables(
  { connection, pk }: SqliteLog,
  how: keyof typeof searchStatements,
  { key, terms, names }: SearchedPiece,
): void {
  connection.run(searchStatements[how]('terms'), [pk, key, codesText(terms)])
  if (names === '') return
  connection.run(searchStatements[how]('names'), [pk, key, codesText(codesCell(nameCodes(names)))])
}

/**
 * Inside a transaction. A few pieces are removed from their pages, at a millisecond each. Many are
 * marked as deleted, and all remaining pages are rewritten.
 */
function tuneDeletes(connection: SqliteConnection, pieceCount: number, run: () => void): void {
  const pages = Number(connection.get('SELECT count(*) AS pages FROM recall_terms_idx')?.['pages'])
  if (pieceCount * pagesPerPiece < pages) {
    run()
    return
  }
  // A failed transaction restores the settings, also those that FTS5 stores.
  configure(connection, bulkSettings)
  run()
  for (const table of tables) connection.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`)
  configure(connection, usualSettings)
}

/** Pages that are rewritten in the time of removing one piece. */
const pagesPerPiece = 25

const tables = ['recall_terms', 'recall_names'] as const

type Settings = Readonly<Record<'secure-delete' | 'automerge' | 'hashsize', number>>
const bulkSettings: Settings = { 'secure-delete': 0, automerge: 0, hashsize: 32 * 1024 * 1024 }
/** The last two are the defaults of FTS5. */
const usualSettings: Settings = { 'secure-delete': 1, automerge: 4, hashsize: 1024 * 1024 }

function configure(connection: SqliteConnection, settings: Settings): void {
  // Literals, because FTS5 does not accept the numbers that drivers bind as integers.
  for (const table of tables)
    for (const [name, value] of Object.entries(settings))
      connection.run(`INSERT INTO ${table} (${table}, rank) VALUES ('${name}', ${value})`)
}
