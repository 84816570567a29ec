/**
 * Looking terms up. FTS5 is asked for a range of places, so other conversations cost nothing, and
 * never for a rank: its figures are of all tenants together. What is found comes as one text of
 * numbers, because rows by the thousand are slow to cross the driver.
 */
import type { FoundPieces, PieceQuery, TermMatch } from '../../domain/found-pieces.ts'
import { type PieceKey, pieceKey } from '../../domain/indexed-piece.ts'
import { foldedPart, joinFound } from '../../extract/term-index.ts'
import type { Found, SearchQuery } from '../../ports/store.ts'
import { jsonCell } from './cells.ts'
import type { Row, SqliteConnection } from './connection.ts'
import { isOneRun, partCodes } from './name-codes.ts'
import { sumsBefore } from './piece-sums.ts'
import { segmentsOf } from './read.ts'
import { type ConversationRow, isPlaces } from './rows.ts'
import { indexEnd } from './search-index.ts'
import { codesQuery, termCode } from './term-codes.ts'

export function findPieces(
  connection: SqliteConnection,
  row: ConversationRow,
  query: SearchQuery,
): Found {
  const segments = segmentsOf(connection, row)
  const stretches = segments.map(({ pk, span }) =>
    findIn(connection, pk, { ...query, before: Math.min(query.before, span.to) }),
  )
  return { indexedTo: indexEnd(connection, segments), ...joinFound(stretches, query) }
}

function findIn(
  connection: SqliteConnection,
  pk: number,
  { terms, partsOfNames, before, most }: PieceQuery,
): FoundPieces {
  const range: Range = [pk, pk, pieceKey(before, 0) - 1]
  const match = (lookup: Lookup | null) =>
    lookup === null ? nowhere() : matchOf(connection, lookup, { range, most })
  return {
    ...sumsBefore(connection, pk, before),
    matches: [
      ...terms.map((term) => match({ hits: holdingTerm, codes: [termCode(term)], part: [] })),
      ...partsOfNames.map((part) => match(lookupOf(part))),
    ],
  }
}

type Range = readonly [pk: number, pk: number, last: PieceKey]

interface Lookup {
  readonly hits: Hits
  readonly codes: Iterable<number>
  /** What the names must hold, where codes alone do not tell. */
  readonly part: readonly string[]
}

function lookupOf(partOfName: string): Lookup | null {
  const text = foldedPart(partOfName)
  if (text === null) return null
  const codes = partCodes(text)
  return isOneRun(text)
    ? { hits: holdingRun, codes, part: [] }
    : { hits: holdingPart, codes, part: [text] }
}

function nowhere(): TermMatch {
  return { count: 0, places: { keys: [], lengths: [] } }
}

/** Counted first: what too many pieces hold is not fetched. */
function matchOf(
  connection: SqliteConnection,
  { hits, codes, part }: Lookup,
  { range, most }: { readonly range: Range; readonly most: number },
): TermMatch {
  const values = [codesQuery(codes), ...range, ...part]
  const count = Number(connection.get(hits.count, ...values)?.['count'])
  if (count === 0) return nowhere()
  if (count > most) return { count, places: null }
  const row = connection.get(hits.places, ...values)
  return { count, places: { keys: numbers(row?.['keys']), lengths: numbers(row?.['lengths']) } }
}

function numbers(cell: Row[string] | undefined): readonly number[] {
  return jsonCell<readonly number[]>(cell, 'the search index', isPlaces) ?? []
}

interface Hits {
  readonly count: string
  readonly places: string
}

const holdingTerm = hitsIn('recall_terms')
const holdingRun = hitsIn('recall_names')
const holdingPart = hitsIn('recall_names', {
  join: 'CROSS JOIN piece_words ON piece_words.place = recall_names.rowid',
  where: 'AND instr(piece_words.names, ?) > 0',
})

/** FTS5 leads every join, in the order of its rows: left to itself, SQLite may turn it round. */
function hitsIn(table: string, { join = '', where = '' } = {}): Hits {
  const rows = `WHERE ${table} MATCH ?
    AND ${table}.rowid BETWEEN ? << 36 AND (? << 36) | ? ${where}`
  return {
    count: `SELECT count(*) AS count FROM ${table} ${join} ${rows}`,
    places: `SELECT json_group_array(pieces.place & 0xfffffffff) AS keys,
        json_group_array(length) AS lengths
      FROM ${table} ${join} CROSS JOIN pieces ON pieces.place = ${table}.rowid ${rows}`,
  }
}
