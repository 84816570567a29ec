/**
 * The two FTS5 tables. They keep no text: what a piece holds is told to them when it comes and
 * again when it goes, word for word, or they would forget something else.
 */
import type { PieceKey } from '../../domain/indexed-piece.ts'
import type { SqliteConnection } from './connection.ts'
import { nameCodes } from './name-codes.ts'
import { codesCell, codesText } from './term-codes.ts'

export interface SearchedPiece {
  readonly pk: number
  readonly key: PieceKey
  /** Codes, as a row keeps them. */
  readonly terms: Uint8Array
  /** Folded; empty where there are none. */
  readonly names: string
}

export function insertSearched(connection: SqliteConnection, piece: SearchedPiece): void {
  const { pk, key, terms, names } = piece
  connection.run(insertTerms, pk, key, codesText(terms))
  if (names !== '') connection.run(insertNames, pk, key, namesText(names))
}

export function forgetSearched(connection: SqliteConnection, piece: SearchedPiece): void {
  const { pk, key, terms, names } = piece
  connection.run(forgetTerms, pk, key, codesText(terms))
  if (names !== '') connection.run(forgetNames, pk, key, namesText(names))
}

function namesText(names: string): string {
  return codesText(codesCell(nameCodes(names)))
}

const insertTerms = 'INSERT INTO recall_terms (rowid, terms) VALUES ((? << 36) | ?, ?)'
const insertNames = 'INSERT INTO recall_names (rowid, names) VALUES ((? << 36) | ?, ?)'
const forgetTerms = `INSERT INTO recall_terms (recall_terms, rowid, terms)
  VALUES ('delete', (? << 36) | ?, ?)`
const forgetNames = `INSERT INTO recall_names (recall_names, rowid, names)
  VALUES ('delete', (? << 36) | ?, ?)`

/**
 * Forgets so many pieces for good, inside a transaction. A few are cut out of their pages, which
 * takes a millisecond for each. Of many it is noted that they are gone, and all pages that are
 * left are written anew.
 */
export function forgetting(connection: SqliteConnection, pieces: number, forget: () => void): void {
  const pages = Number(connection.get('SELECT count(*) AS pages FROM recall_terms_idx')?.['pages'])
  if (pieces * pagesPerPiece < pages) {
    forget()
    return
  }
  // A transaction that fails takes the settings back, also those that FTS5 remembers.
  configure(connection, inBulk)
  forget()
  for (const table of tables) connection.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`)
  configure(connection, usual)
}

/** So many pages are written anew in the time in which one piece is cut out. */
const pagesPerPiece = 25

const tables = ['recall_terms', 'recall_names'] as const

type Settings = Readonly<Record<'secure-delete' | 'automerge' | 'hashsize', number>>
const inBulk: Settings = { 'secure-delete': 0, automerge: 0, hashsize: 32 * 1024 * 1024 }
/** The last two are the defaults of FTS5. */
const usual: Settings = { 'secure-delete': 1, automerge: 4, hashsize: 1024 * 1024 }

function configure(connection: SqliteConnection, settings: Settings): void {
  // Written out: a number that a driver binds is none that FTS5 takes for a whole one.
  for (const table of tables)
    for (const [name, value] of Object.entries(settings))
      connection.run(`INSERT INTO ${table} (${table}, rank) VALUES ('${name}', ${value})`)
}
