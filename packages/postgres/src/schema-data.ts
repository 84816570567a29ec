/**
 * The tables of a schema. Each has the tenant in its key and a policy of row-level security on it: a
 * statement that forgets the tenant finds nothing of others.
 *
 * conversations   one row each; `pk` represents it in other tables. Rows change in place (`fillfactor`)
 * messages        the log: dense `seq`, original bytes, hashes. `chain_hash` is the second half of a
 *                 chain hash; the first message of a segment has the first half in `chain_before`
 * waiting_calls   unanswered tool calls
 * answers         which messages have results of a call, by a code of its id
 * files           bytes of files, once per conversation, under their hash
 * events          what happened, numbered per conversation
 * derived         everything that is derived from the log: rows of the kinds in `derivedKinds`;
 *                 `number` is their age
 * purges          a record of each purge, without its content
 * pieces          searchable pieces; `codes` are hashes of a conversation and a term, so that the
 *                 index finds the pieces of one conversation and reads no others. Row-level
 *                 security would keep PostgreSQL from using that index, so the app searches with
 *                 the function `find_pieces`, which has the tenant in its own text
 * vectors         vectors of pieces, of one model each; they are deleted with their pieces
 * server_answers  answers of servers by Idempotency-Key; `boot` is the run of the server that has it
 * server_audit    what callers of servers changed
 * gateway_ids     which conversation an id of a client of the gateway belongs to
 * gateway_tracks  the places that a client's history has, where these are not all of the log
 * leases          which worker has which job of the queue, and until when
 * versions        the versions of this schema; code of `readable_from` and later may use it
 *
 * Text columns have what `cells.ts` encodes. Ids sort by their bytes.
 */

export const schemaVersion = 3

/** Releases that know this version can use the tables: what was added since does not concern them. */
export const readableFrom = 1

const text = 'text COLLATE "C"'

interface Table {
  readonly columns: string
  readonly key: string
  readonly more?: readonly string[]
  readonly storage?: string
  /** The version that added the table; 1 unless set. */
  readonly since?: number
}

const ofConversation = `tenant ${text} NOT NULL, conversation bigint NOT NULL`

export const tables: Readonly<Record<string, Table>> = {
  conversations: {
    columns: `tenant ${text} NOT NULL, id ${text} NOT NULL, pk bigint NOT NULL,
      title ${text}, title_seq bigint, meta text, head bigint NOT NULL, chain bytea NOT NULL,
      version bigint NOT NULL DEFAULT 0, rewrites bigint NOT NULL DEFAULT 0,
      events bigint NOT NULL DEFAULT 0, pins text, pinned_to bigint NOT NULL DEFAULT 0,
      compaction text, parent_id ${text}, parent_call text, fork_pk bigint, fork_id ${text},
      fork_at bigint, fork_positions bigint NOT NULL DEFAULT 0,
      indexed_to bigint NOT NULL DEFAULT 0, indexed_pieces bigint NOT NULL DEFAULT 0,
      indexed_words bigint NOT NULL DEFAULT 0, created_at bigint NOT NULL`,
    key: 'tenant, id',
    storage: 'fillfactor = 70',
    more: [
      'CREATE UNIQUE INDEX ON $table (tenant, pk)',
      'CREATE INDEX ON $table (tenant, parent_id) WHERE parent_id IS NOT NULL',
      'CREATE INDEX ON $table (tenant, fork_pk) WHERE fork_pk IS NOT NULL',
    ],
  },
  messages: {
    columns: `${ofConversation}, seq bigint NOT NULL, created_at bigint NOT NULL, key ${text},
      key_hash bytea, content_hash bytea NOT NULL, canonical_hash bytea NOT NULL,
      chain_hash bytea NOT NULL, chain_before bytea, marks text, answered text, origin text,
      body text NOT NULL, raw bytea, former text`,
    key: 'tenant, conversation, seq',
    more: ['CREATE UNIQUE INDEX ON $table (tenant, conversation, key) WHERE key IS NOT NULL'],
  },
  waiting_calls: {
    columns: `${ofConversation}, call_id ${text} NOT NULL, seq bigint NOT NULL`,
    key: 'tenant, conversation, call_id, seq',
  },
  answers: {
    columns: `${ofConversation}, code bigint NOT NULL, seq bigint NOT NULL`,
    key: 'tenant, conversation, code, seq',
  },
  files: {
    columns: `${ofConversation}, sha256 bytea NOT NULL, seq bigint NOT NULL, bytes bytea NOT NULL`,
    key: 'tenant, conversation, sha256',
  },
  events: {
    columns: `${ofConversation}, number bigint NOT NULL, at bigint NOT NULL, body text NOT NULL`,
    key: 'tenant, conversation, number',
  },
  derived: {
    columns: `${ofConversation}, kind ${text} NOT NULL, position bigint NOT NULL,
      key ${text} NOT NULL, bound bigint, label ${text}, body text NOT NULL, number bigint NOT NULL`,
    key: 'tenant, conversation, kind, position, key',
    storage: 'fillfactor = 80',
    more: [
      `CREATE INDEX ON $table (tenant, conversation, kind, bound, position) WHERE bound IS NOT NULL`,
      `CREATE INDEX ON $table (tenant, conversation, label, position) WHERE kind = 'facts'`,
    ],
  },
  purges: {
    columns: `tenant ${text} NOT NULL, number bigint NOT NULL, subject bytea NOT NULL,
      what text NOT NULL, seq bigint, messages bigint NOT NULL, at bigint NOT NULL`,
    key: 'tenant, number',
    more: ['CREATE INDEX ON $table (tenant, subject, number)'],
  },
  pieces: {
    columns: `${ofConversation}, key bigint NOT NULL, length bigint NOT NULL, names ${text},
      codes bigint[] NOT NULL`,
    key: 'tenant, conversation, key',
    more: ['CREATE INDEX ON $table USING gin (codes) WITH (fastupdate = off)'],
  },
  vectors: {
    since: 3,
    columns: `${ofConversation}, key bigint NOT NULL, model ${text} NOT NULL, vector real[] NOT NULL`,
    key: 'tenant, conversation, key',
    more: [
      `ALTER TABLE $table ADD FOREIGN KEY (tenant, conversation, key)
         REFERENCES $schema.pieces ON DELETE CASCADE`,
      // Numbers of vectors cannot be compressed.
      'ALTER TABLE $table ALTER vector SET STORAGE EXTERNAL',
    ],
  },
  server_answers: {
    since: 2,
    columns: `tenant ${text} NOT NULL, key ${text} NOT NULL, fingerprint ${text} NOT NULL,
      conversation ${text}, boot ${text} NOT NULL, until timestamptz NOT NULL,
      at timestamptz NOT NULL DEFAULT now(), status bigint, etag ${text}, body text`,
    key: 'tenant, key',
    more: ['CREATE INDEX ON $table (tenant, at)', 'CREATE INDEX ON $table (tenant, conversation)'],
  },
  server_audit: {
    since: 2,
    columns: `tenant ${text} NOT NULL, number bigint NOT NULL, at bigint NOT NULL,
      key ${text} NOT NULL, operation ${text} NOT NULL, subject ${text} NOT NULL,
      status bigint NOT NULL`,
    key: 'tenant, number',
  },
  gateway_ids: {
    since: 2,
    columns: `tenant ${text} NOT NULL, id ${text} NOT NULL, conversation ${text} NOT NULL,
      at bigint NOT NULL`,
    key: 'tenant, id, conversation',
    more: ['CREATE INDEX ON $table (tenant, conversation)'],
  },
  gateway_tracks: {
    since: 2,
    columns: `tenant ${text} NOT NULL, conversation ${text} NOT NULL, spans text NOT NULL`,
    key: 'tenant, conversation',
  },
}

/** The pieces of a conversation with all codes, and the part in their names. */
export function findPieces(pieces: string, name: string): string {
  return `CREATE FUNCTION ${name}(
      conversation bigint, wanted bigint[], part text, before bigint, most bigint
    ) RETURNS TABLE (count bigint, keys bigint[], lengths bigint[])
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
    #variable_conflict use_column
    BEGIN RETURN QUERY
      WITH found AS MATERIALIZED (
        SELECT p.key, p.length FROM ${pieces} p
        WHERE p.codes @> $2 AND p.tenant = current_setting('throughline.tenant', true)
          AND p.conversation = $1 AND p.key < $4
          AND ($3 IS NULL OR strpos(p.names, $3) > 0)
      ), counted AS (SELECT count(*) AS count FROM found)
      SELECT c.count,
        CASE WHEN c.count <= $5 THEN (SELECT array_agg(f.key ORDER BY f.key) FROM found f) END,
        CASE WHEN c.count <= $5 THEN (SELECT array_agg(f.length ORDER BY f.key) FROM found f) END
      FROM counted c;
    END $function$`
}
