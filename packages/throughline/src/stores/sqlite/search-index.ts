/**
 * Indexes and searches pieces. An index command is valid only at the end of the index, and for the
 * chain that was analysed. The conversation that owns a message stores its pieces.
 */
import type { Seq } from '../../domain/ids.ts'
import {
  type FoundPieces,
  type PieceKey,
  type PieceQuery,
  pieceKey,
  type TermMatch,
} from '../../domain/search-index.ts'
import { number } from '../../domain/shape.ts'
import { foldedPart, joinFound } from '../../extract/term-index.ts'
import type { Found, IndexCommand, IndexOutcome, SearchQuery } from '../../ports/store.ts'
import { checkPieces } from '../check-pieces.ts'
import { type Cell, jsonCell } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import { addPieces, indexedOf, moveIndexEnd, totalsBefore } from './pieces.ts'
import { chainAt } from './read.ts'
import {
  type ConversationRow,
  findConversation,
  type Segment,
  type SqliteLog,
  type SqliteTenant,
  segmentsOf,
} from './rows.ts'
import { codesQuery, isOneRun, partCodes, termCode } from './term-codes.ts'

export function index(tenant: SqliteTenant, command: IndexCommand): IndexOutcome {
  checkPieces(command)
  return tenant.connection.writeWithoutSync(() => {
    const row = findConversation(tenant, command.id)
    if (row === null) return { kind: 'not-found' }
    const { from, to, chain, pieces } = command
    const segments = segmentsOf(row)
    const indexedTo = indexEnd(segments)
    if (from !== indexedTo || (to > from && chainAt(row, to - 1) !== chain))
      return { kind: 'moved', indexedTo }
    for (const { span, ...log } of segments) {
      if (span.to <= from || span.from >= to) continue
      const isOwn = ({ seq }: { readonly seq: Seq }) => seq >= span.from && seq < span.to
      addPieces(log, pieces.filter(isOwn))
      moveIndexEnd(log, Math.min(to, span.to))
    }
    return { kind: 'indexed' }
  })
}

/** All messages before this place are indexed. */
function indexEnd(segments: readonly Segment[]): Seq {
  let end = 0
  for (const { span, ...log } of segments) {
    end = Math.max(span.from, Math.min(indexedOf(log).indexedTo, span.to))
    if (end < span.to) break
  }
  return end
}

/**
 * Searches FTS5 in a range of places, so that other conversations cost nothing, and without ranks,
 * which would count all tenants. The result is one text, because drivers are slow with many rows.
 */
export function findPieces(row: ConversationRow, query: SearchQuery): Found {
  const segments = segmentsOf(row)
  const found = segments.map(({ span, ...log }) =>
    findIn(log, { ...query, before: Math.min(query.before, span.to) }),
  )
  return { indexedTo: indexEnd(segments), ...joinFound(found, query) }
}

function findIn(log: SqliteLog, { terms, partsOfNames, before, most }: PieceQuery): FoundPieces {
  const { connection, pk } = log
  const range: Range = [pk, pk, pieceKey(before, 0) - 1]
  const match = (lookup: Lookup | null) =>
    lookup === null ? noMatch() : matchOf(connection, lookup, { range, maxFetched: most })
  return {
    ...totalsBefore(log, before),
    matches: [
      ...terms.map((term) => match({ select: selectTerms, codes: [termCode(term)], part: [] })),
      ...partsOfNames.map((part) => match(lookupOf(part))),
    ],
  }
}

type Range = readonly [pk: number, pk: number, last: PieceKey]

interface Lookup {
  readonly select: Selects
  readonly codes: Iterable<number>
  /** Text that the names must contain, where codes alone do not decide. */
  readonly part: readonly string[]
}

function lookupOf(partOfName: string): Lookup | null {
  const text = foldedPart(partOfName)
  if (text === null) return null
  const codes = partCodes(text)
  return isOneRun(text)
    ? { select: selectRuns, codes, part: [] }
    : { select: selectParts, codes, part: [text] }
}

function noMatch(): TermMatch {
  return { count: 0, keys: [] }
}

/** Fetches the places of a few pieces at once; of many it needs the count only, which is a second search. */
function matchOf(
  connection: SqliteConnection,
  { select, codes, part }: Lookup,
  { range, maxFetched }: { readonly range: Range; readonly maxFetched: number },
): TermMatch {
  const values = [codesQuery(codes), ...range, ...part]
  const keys = keysCell(connection.get(select.keys, [...values, maxFetched + 1])?.['keys'])
  if (keys.length <= maxFetched) return { count: keys.length, keys }
  return { count: Number(connection.get(select.count, values)?.['count']), keys: null }
}

function keysCell(cell: Cell): readonly PieceKey[] {
  return jsonCell<readonly PieceKey[]>(cell, 'the search index', [number]) ?? []
}

/** Statements that fetch the keys of the first matching pieces, and count all. */
interface Selects {
  readonly keys: string
  readonly count: string
}

const selectTerms = selectsFrom('recall_terms')
const selectRuns = selectsFrom('recall_names')
const selectParts = selectsFrom('recall_names', {
  join: 'CROSS JOIN piece_names ON piece_names.place = recall_names.rowid',
  where: 'AND instr(piece_names.names, ?) > 0',
})

/** CROSS JOIN keeps FTS5 first in every join; otherwise SQLite may reverse the order. */
function selectsFrom(table: string, { join = '', where = '' } = {}): Selects {
  const rows = `WHERE ${table} MATCH ?
    AND ${table}.rowid BETWEEN ? << 36 AND (? << 36) | ? ${where}`
  return {
    keys: `SELECT json_group_array(place & 0xfffffffff) AS keys
      FROM (SELECT ${table}.rowid AS place FROM ${table} ${join} ${rows} LIMIT ?)`,
    count: `SELECT count(*) AS count FROM ${table} ${join} ${rows}`,
  }
}
