/** Adds, deletes and searches indexed pieces. The owner of a message has its pieces. */
import type { Seq } from 'throughline'
import {
  type FoundPieces,
  foldedNames,
  foldedPart,
  type IndexCommand,
  type IndexedPiece,
  type IndexOutcome,
  joinFound,
  type PieceQuery,
  pieceKey,
  type SearchQuery,
} from 'throughline/stores'
import { encodeText, encodeTextOrNull } from './cells.ts'
import { nameCodes, partCodes, termCode } from './codes.ts'
import { Values } from './derived.ts'
import { chainAt } from './read.ts'
import {
  type ConversationRow,
  type Log,
  lockFamily,
  type Segment,
  segmentsOf,
  type TenantTransaction,
} from './rows.ts'

export async function index(
  transaction: TenantTransaction,
  command: IndexCommand,
): Promise<IndexOutcome> {
  const row = await lockFamily(transaction, command.id)
  if (row === null) return { kind: 'not-found' }
  const { from, to, chain, pieces } = command
  const segments = await segmentsOf(row)
  const indexedTo = indexEnd(segments)
  if (from !== indexedTo || (to > from && (await chainAt(row, to - 1)) !== chain))
    return { kind: 'moved', indexedTo }
  for (const { span, ...log } of segments) {
    if (span.to <= from || span.from >= to) continue
    const isOwn = ({ seq }: { readonly seq: Seq }) => seq >= span.from && seq < span.to
    addPieces(log, pieces.filter(isOwn), Math.min(to, span.to))
  }
  return { kind: 'indexed' }
}

/** All messages before this place are indexed. */
function indexEnd(segments: readonly Segment[]): Seq {
  let end = 0
  for (const { span, indexed } of segments) {
    end = Math.max(span.from, Math.min(indexed.to, span.to))
    if (end < span.to) break
  }
  return end
}

/** `end` is the new end of the index; null leaves it. */
function addPieces(log: Log, pieces: readonly IndexedPiece[], end: Seq | null): void {
  const { sql, tenant, tables, pk } = log
  for (let from = 0; from < pieces.length; from += piecesPerInsert) {
    const values = new Values()
    values.add(encodeText(tenant))
    values.add(pk)
    const rows = pieces.slice(from, from + piecesPerInsert).map((piece) => {
      const names = foldedNames(piece.names)
      const codes = new Set(piece.terms.map((term) => termCode(pk, term)))
      for (const code of nameCodes(pk, names)) codes.add(code)
      const cells = [
        values.add(pieceKey(piece.seq, piece.part)),
        values.add(piece.length),
        values.add(encodeTextOrNull(names === '' ? null : names)),
        values.add([...codes], 'bigint[]'),
      ]
      return `($1, $2, ${cells.join()})`
    })
    sql.send(
      `INSERT INTO ${tables.pieces} (tenant, conversation, key, length, names, codes)
       VALUES ${rows.join()}`,
      values.all,
    )
  }
  const words = pieces.reduce((sum, { length }) => sum + length, 0)
  sql.send(
    `UPDATE ${tables.conversations} SET indexed_pieces = indexed_pieces + $3,
       indexed_words = indexed_words + $4, indexed_to = coalesce($5::bigint, indexed_to)
     WHERE tenant = $1 AND pk = $2`,
    [encodeText(tenant), pk, pieces.length, words, end],
  )
}

const piecesPerInsert = 50

export async function reindex(
  log: Log,
  places: readonly Seq[],
  pieces: readonly IndexedPiece[],
): Promise<void> {
  for (const seq of places) {
    const { sql, tenant, tables, pk } = log
    sql.send(
      `WITH deleted AS (
         DELETE FROM ${tables.pieces} WHERE tenant = $1 AND conversation = $2
           AND key >= $3 AND key < $4 RETURNING length
       ) UPDATE ${tables.conversations}
         SET indexed_pieces = indexed_pieces - (SELECT count(*) FROM deleted),
           indexed_words = indexed_words - (SELECT coalesce(sum(length), 0) FROM deleted)
         WHERE tenant = $1 AND pk = $2`,
      [encodeText(tenant), pk, pieceKey(seq, 0), pieceKey(seq + 1, 0)],
    )
  }
  const { sql, tenant, tables, pk } = log
  const row = await sql.get(
    `SELECT indexed_to FROM ${tables.conversations} WHERE tenant = $1 AND pk = $2`,
    [encodeText(tenant), pk],
  )
  const indexedTo = Number(row?.['indexed_to'])
  addPieces(
    log,
    pieces.filter(({ seq }) => seq < indexedTo),
    null,
  )
}

/** For a fork that now shares fewer messages: its own messages are indexed again. */
export function resetIndex({ sql, tenant, tables, pk }: Log): void {
  const values = [encodeText(tenant), pk]
  sql.send(`DELETE FROM ${tables.pieces} WHERE tenant = $1 AND conversation = $2`, values)
  sql.send(
    `UPDATE ${tables.conversations} SET indexed_to = 0, indexed_pieces = 0, indexed_words = 0
     WHERE tenant = $1 AND pk = $2`,
    values,
  )
}

type PieceTotals = Pick<FoundPieces, 'pieces' | 'words'>

/** In a transaction whose statements read one state. */
export async function findPieces(
  row: ConversationRow,
  query: SearchQuery,
): Promise<FoundPieces & { readonly indexedTo: Seq }> {
  const segments = await segmentsOf(row)
  const found: FoundPieces[] = []
  for (const segment of segments)
    found.push(await findIn(segment, { ...query, before: Math.min(query.before, segment.span.to) }))
  return { indexedTo: indexEnd(segments), ...joinFound(found, query) }
}

async function findIn(
  log: Segment,
  { terms, partsOfNames, before, most }: PieceQuery,
): Promise<FoundPieces> {
  const { pk } = log
  const lookups = [
    ...terms.map((term) => ({ codes: [termCode(pk, term)], part: null })),
    ...partsOfNames.map((partOfName) => {
      const part = foldedPart(partOfName)
      return part === null ? null : { codes: partCodes(pk, part), part }
    }),
  ]
  const totals = totalsBefore(log, before)
  const matches = lookups.map((lookup) =>
    lookup === null ? noMatch() : matchOf(log, lookup, { before, most }),
  )
  const [found, ...all] = await Promise.all([totals, ...matches])
  return { ...found, matches: all }
}

function noMatch() {
  return { count: 0, keys: [] }
}

async function totalsBefore(log: Segment, before: Seq): Promise<PieceTotals> {
  const { sql, tenant, tables, pk, indexed } = log
  if (before >= indexed.to) return { pieces: indexed.pieces, words: indexed.words }
  const row = await sql.get(
    `SELECT count(*) AS pieces, coalesce(sum(length), 0)::bigint AS words FROM ${tables.pieces}
     WHERE tenant = $1 AND conversation = $2 AND key < $3`,
    [encodeText(tenant), pk, pieceKey(before, 0)],
  )
  return { pieces: Number(row?.['pieces']), words: Number(row?.['words']) }
}

interface Lookup {
  readonly codes: readonly number[]
  /** Text that the names must contain. */
  readonly part: string | null
}

async function matchOf(
  { sql, tables, pk }: Log,
  { codes, part }: Lookup,
  { before, most }: Pick<PieceQuery, 'before' | 'most'>,
): Promise<FoundPieces['matches'][number]> {
  const row = await sql.get(`SELECT count, keys FROM ${tables.find_pieces}($1, $2, $3, $4, $5)`, [
    pk,
    codes,
    encodeTextOrNull(part),
    pieceKey(before, 0),
    most,
  ])
  const count = Number(row?.['count'])
  const keys = (row?.['keys'] as readonly number[] | null) ?? []
  return { count, keys: count > most ? null : keys }
}
