/**
 * Vectors of pieces, where the database has the extension `vector`. The vectors of one conversation are
 * compared one by one: an index over all of them would find those of other conversations first.
 */
import { type PieceVectors, pieceKey } from 'throughline/stores'
import { encodeText } from './cells.ts'
import type { Database, Row } from './database.ts'
import {
  type ConversationRow,
  lockConversation,
  type Segment,
  segmentsOf,
  type TenantTransaction,
} from './rows.ts'

type NearestQuery = Parameters<PieceVectors['nearest']>[0]
type NearestPieces = NonNullable<Awaited<ReturnType<PieceVectors['nearest']>>>

/** Null where the extension is missing, or not for this role. Asked once: who creates it restarts the servers. */
export async function vectorSchema(database: Database): Promise<string | null> {
  const known = schemas.get(database)
  if (known !== undefined) return known
  const row = await database.transaction('', 'read', (sql) =>
    sql.get(
      `SELECT quote_ident(nspname) AS name FROM pg_extension
       JOIN pg_namespace n ON n.oid = extnamespace
       WHERE extname = 'vector' AND has_schema_privilege(n.oid, 'USAGE')`,
    ),
  )
  const schema = row === null ? null : String(row['name'])
  schemas.set(database, schema)
  return schema
}

const schemas = new WeakMap<Database, string | null>()

export async function nearestPieces(
  row: ConversationRow,
  query: NearestQuery,
  schema: string,
): Promise<NearestPieces> {
  const found: Row[] = []
  for (const segment of await segmentsOf(row))
    found.push(...(await nearestIn(segment, query, schema)))
  const pieces = found.flatMap(({ key, similarity }) =>
    similarity === null ? [] : { key: Number(key), similarity: Number(similarity) },
  )
  pieces.sort((left, right) => right.similarity - left.similarity)
  const missing = found.flatMap(({ key, similarity }) => (similarity === null ? Number(key) : []))
  missing.sort((left, right) => right - left)
  const { rewrites } = row.conversation
  return { pieces: pieces.slice(0, query.limit), missing: missing.slice(0, maxMissing), rewrites }
}

function nearestIn(
  { sql, tenant, tables, pk, span }: Segment,
  { model, vector, before, limit }: NearestQuery,
  schema: string,
): Promise<readonly Row[]> {
  const distance = `v.vector::${schema}.vector OPERATOR(${schema}.<=>) $6::real[]::${schema}.vector`
  return sql.all(
    `WITH newest AS MATERIALIZED (
       SELECT key FROM ${tables.pieces} WHERE tenant = $1 AND conversation = $2 AND key < $3
       ORDER BY key DESC LIMIT ${maxCompared}
     ), compared AS MATERIALIZED (
       SELECT n.key, 1 - (${distance}) AS similarity FROM newest n
       LEFT JOIN ${tables.vectors} v ON v.tenant = $1 AND v.conversation = $2 AND v.key = n.key
         AND v.model = $4 AND cardinality(v.vector) = $5
     )
     (SELECT key, similarity FROM compared WHERE similarity IS NOT NULL
      ORDER BY similarity DESC LIMIT $7)
     UNION ALL
     (SELECT key, NULL FROM compared WHERE similarity IS NULL ORDER BY key DESC LIMIT ${maxMissing})`,
    [
      encodeText(tenant),
      pk,
      pieceKey(Math.min(before, span.to), 0),
      encodeText(model),
      vector.length,
      arrayText(vector),
      limit,
    ],
  )
}

/** The extension compares no longer ones. */
export const maxNumbers = 16_000
/** Older pieces are found by their words only. About 30 ms for vectors of 1,536 numbers. */
const maxCompared = 2_000
const maxMissing = 100

export async function putVectors(
  transaction: TenantTransaction,
  { id, model, rewrites, vectors }: Parameters<PieceVectors['put']>[0],
): Promise<void> {
  const row = await lockConversation(transaction, id)
  if (row === null || row.conversation.rewrites !== rewrites) return
  for (const { sql, tenant, tables, pk, span } of await segmentsOf(row)) {
    const [from, to] = [pieceKey(span.from, 0), pieceKey(span.to, 0)]
    const own = vectors.filter(({ key }) => key >= from && key < to)
    if (own.length === 0) continue
    // A piece may be gone since it was asked for: then its vector is not kept.
    sql.send(
      `INSERT INTO ${tables.vectors} (tenant, conversation, key, model, vector)
       SELECT $1, $2::bigint, p.key, $3, given.vector::real[]
       FROM unnest($4::bigint[], $5::text[]) AS given(key, vector)
       JOIN ${tables.pieces} p ON p.tenant = $1 AND p.conversation = $2 AND p.key = given.key
       ORDER BY p.key
       ON CONFLICT (tenant, conversation, key)
       DO UPDATE SET model = excluded.model, vector = excluded.vector`,
      [
        encodeText(tenant),
        pk,
        encodeText(model),
        own.map(({ key }) => key),
        own.map(({ vector }) => arrayText(vector)),
      ],
    )
  }
}

function arrayText(vector: ArrayLike<number>): string {
  return `{${Array.from(vector).join()}}`
}
