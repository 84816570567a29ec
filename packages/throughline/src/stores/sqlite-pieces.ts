/**
 * The pieces of conversations, and what FTS5 knows of them. A piece's place is the number of its
 * conversation and its key in one number, so each conversation is a range in every table.
 *
 * FTS5 keeps no text here; `piece_words` does, because FTS5 forgets only what it is told again.
 */
import type { Seq } from '../domain/ids.ts'
import {
  type IndexedPiece,
  mostSearched,
  type PieceKey,
  pieceKey,
} from '../domain/indexed-piece.ts'
import { foldedNames } from '../extract/folded-names.ts'
import type { Row, SqliteConnection } from './sqlite-connection.ts'
import { nameCodes } from './sqlite-name-codes.ts'
import { bytesOf } from './sqlite-rows.ts'
import { codesCell, codesOf, codesText, termCode } from './sqlite-term-codes.ts'

/** Inside a transaction. The conversation is the one that the messages stand in, not a fork of it. */
export function addPieces(
  connection: SqliteConnection,
  pk: number,
  pieces: readonly IndexedPiece[],
): void {
  for (const { seq, part, terms, names, length } of pieces) {
    const key = pieceKey(seq, part)
    const codes = [...new Set(terms.map(termCode))]
    const text = foldedNames(names)
    connection.run(`INSERT INTO pieces (place, length) VALUES (${place}, ?)`, pk, key, length)
    connection.run(
      `INSERT INTO piece_words (place, terms, names) VALUES (${place}, ?, ?)`,
      pk,
      key,
      codesCell(codes),
      text,
    )
    connection.run(insertTerms, pk, key, codesText(codes))
    if (text !== '') connection.run(insertNames, pk, key, codesText(nameCodes(text)))
  }
}

/** The pieces of one message leave, inside a transaction. */
export function dropPieces(connection: SqliteConnection, pk: number, seq: Seq): void {
  drop(connection, [{ pk, first: pieceKey(seq, 0), last: pieceKey(seq + 1, 0) - 1 }])
}

/** All pieces of these conversations leave, inside a transaction. */
export function dropAllPieces(connection: SqliteConnection, pks: readonly number[]): void {
  drop(
    connection,
    pks.map((pk) => ({ pk, first: 0, last: pieceKey(mostSearched, 0) - 1 })),
  )
}

/** Keys with both ends: the one behind the last of all has no room beside the conversation. */
interface PieceRange {
  readonly pk: number
  readonly first: PieceKey
  readonly last: PieceKey
}

const place = '(? << 36) | ?'
const inRange = `place BETWEEN ${place} AND ${place}`
const insertTerms = `INSERT INTO recall_terms (rowid, terms) VALUES (${place}, ?)`
const insertNames = `INSERT INTO recall_names (rowid, names) VALUES (${place}, ?)`
const deleteTerms = `INSERT INTO recall_terms (recall_terms, rowid, terms) VALUES ('delete', ${place}, ?)`
const deleteNames = `INSERT INTO recall_names (recall_names, rowid, names) VALUES ('delete', ${place}, ?)`

function drop(connection: SqliteConnection, ranges: readonly PieceRange[]): void {
  const counts = ranges.map(({ pk, first, last }) =>
    Number(
      connection.get(
        `SELECT count(*) AS pieces FROM pieces WHERE ${inRange}`,
        pk,
        first,
        pk,
        last,
      )?.['pieces'],
    ),
  )
  const doomed = counts.reduce((sum, count) => sum + count, 0)
  if (doomed === 0) return
  // One by one, what FTS5 forgets is cut out of its pages, which is slow. For many it is quicker
  // to write all pages that are left anew.
  const pages = Number(connection.get('SELECT count(*) AS pages FROM recall_terms_idx')?.['pages'])
  if (doomed * pagesPerPiece < pages) {
    dropEach(connection, ranges)
    return
  }
  for (const table of searched) setSecureDelete(connection, table, 'off')
  dropEach(connection, ranges)
  for (const table of searched) {
    connection.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`)
    setSecureDelete(connection, table, 'on')
  }
}

/** So many pages are written anew in the time in which one piece is cut out. */
const pagesPerPiece = 25

const searched = ['recall_terms', 'recall_names']

function setSecureDelete(connection: SqliteConnection, table: string, to: 'on' | 'off'): void {
  // Written out, because drivers hand over numbers that FTS5 does not take for whole ones.
  const value = to === 'on' ? 1 : 0
  connection.run(`INSERT INTO ${table} (${table}, rank) VALUES ('secure-delete', ${value})`)
}

function dropEach(connection: SqliteConnection, ranges: readonly PieceRange[]): void {
  for (const { pk, first, last } of ranges) {
    for (let next = first; ; ) {
      const rows = connection.all(
        `SELECT place & 0xfffffffff AS key, terms, names FROM piece_words
         WHERE ${inRange} ORDER BY place LIMIT 1000`,
        pk,
        next,
        pk,
        last,
      )
      for (const row of rows) forget(connection, pk, row)
      const newest = rows.at(-1)
      if (newest === undefined) break
      next = Number(newest['key']) + 1
    }
    for (const table of ['pieces', 'piece_words'])
      connection.run(`DELETE FROM ${table} WHERE ${inRange}`, pk, first, pk, last)
  }
}

function forget(connection: SqliteConnection, pk: number, row: Row): void {
  const [key, names] = [Number(row['key']), String(row['names'])]
  connection.run(deleteTerms, pk, key, codesText(codesOf(bytesOf(row['terms']))))
  if (names !== '') connection.run(deleteNames, pk, key, codesText(nameCodes(names)))
}
