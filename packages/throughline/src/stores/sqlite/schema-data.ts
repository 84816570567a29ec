/**
 * The tables of a file.
 *
 * conversations   one row each; `pk` represents (tenant, id) in other tables. `title_seq` is the
 *                 message that the title was made from, null where a caller set it
 * messages        the log: dense `seq`, original bytes, hashes; only `rewrite` updates it. Its key
 *                 `place` is conversation and seq in one number: a conversation is one range
 *                 `chain_hash` is the second half of a chain hash; the first message of a segment
 *                 has the first half of all its messages in `chain_before`
 * waiting_calls   unanswered tool calls
 * answers         which messages have results of a call, by a code of its id
 * files           bytes of files, once per conversation, under their hash
 * events          what happened, numbered per conversation
 * derived         everything that is derived from the log: rows of the kinds in `derivedKinds`.
 *                 `number` is their age. A fork shares snapshot rows of its source up to
 *                 `conversations.fork_positions`. The two views are for people who use SQL
 * purges          a record of each purge, without its content; `erased`: its bytes are overwritten
 * pieces          searchable pieces of a conversation, with a `place` of conversation, seq and part
 *                 in one number. `conversations.indexed_to` is the end of the index,
 *                 `indexed_pieces` and `indexed_words` its size
 * piece_names     the names in a piece, in lower case, which cannot be read from the tables below
 * recall_terms    FTS5: the pieces that contain a term
 * recall_names    FTS5: the pieces with a name that contains three characters
 *
 * `row_hash` covers the cells that no other hash covers (`row-hash.ts`). `migrate.ts` changes files of
 * the schema before this one.
 */

/** "THRL": distinguishes our files from databases of other programs. */
export const applicationId = 0x5448524c

export const schemaVersion = 17

/** Files with an older schema are refused, and not changed. */
export const oldestVersion = 16

export const answersTable = `CREATE TABLE answers (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    code INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (conversation, code, seq)
  ) STRICT, WITHOUT ROWID;`

export const searchTables = `CREATE TABLE pieces (
    place INTEGER PRIMARY KEY,
    length INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE piece_names (
    place INTEGER PRIMARY KEY,
    names TEXT NOT NULL
  ) STRICT;

  CREATE VIRTUAL TABLE recall_terms USING fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );
  CREATE VIRTUAL TABLE recall_names USING fts5 (
    names, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );`

export const schema = `
  CREATE TABLE conversations (
    pk INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT,
    title_seq INTEGER,
    meta TEXT,
    head INTEGER NOT NULL,
    chain BLOB NOT NULL,
    version INTEGER NOT NULL DEFAULT 0,
    rewrites INTEGER NOT NULL DEFAULT 0,
    events INTEGER NOT NULL DEFAULT 0,
    pins TEXT,
    pinned_to INTEGER NOT NULL DEFAULT 0,
    compaction TEXT,
    parent_id TEXT,
    parent_call TEXT,
    fork_pk INTEGER REFERENCES conversations (pk),
    fork_id TEXT,
    fork_at INTEGER,
    fork_positions INTEGER NOT NULL DEFAULT 0,
    indexed_to INTEGER NOT NULL DEFAULT 0,
    indexed_pieces INTEGER NOT NULL DEFAULT 0,
    indexed_words INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    row_hash BLOB,
    UNIQUE (tenant, id)
  ) STRICT;
  CREATE INDEX conversations_parent ON conversations (tenant, parent_id) WHERE parent_id IS NOT NULL;
  CREATE INDEX conversations_fork ON conversations (fork_pk) WHERE fork_pk IS NOT NULL;

  CREATE TABLE messages (
    place INTEGER PRIMARY KEY,
    conversation INTEGER AS (place >> 32) VIRTUAL,
    seq INTEGER AS (place & 0xffffffff) VIRTUAL,
    created_at INTEGER NOT NULL,
    key TEXT,
    key_hash BLOB,
    content_hash BLOB NOT NULL,
    canonical_hash BLOB NOT NULL,
    chain_hash BLOB NOT NULL,
    chain_before BLOB,
    marks TEXT,
    answered TEXT,
    origin TEXT,
    body TEXT NOT NULL,
    raw BLOB,
    former TEXT,
    row_hash BLOB
  ) STRICT;
  CREATE UNIQUE INDEX messages_key ON messages (conversation, key) WHERE key IS NOT NULL;

  CREATE TABLE waiting_calls (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    call_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (conversation, call_id, seq)
  ) STRICT, WITHOUT ROWID;

  ${answersTable}
  CREATE TABLE files (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    sha256 BLOB NOT NULL,
    seq INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (conversation, sha256)
  ) STRICT;

  CREATE TABLE events (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE derived (
    number INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL,
    kind TEXT NOT NULL,
    position INTEGER NOT NULL,
    key TEXT NOT NULL,
    bound INTEGER,
    label TEXT,
    body TEXT NOT NULL,
    UNIQUE (conversation, kind, position, key)
  ) STRICT;
  CREATE INDEX derived_by_bound ON derived (conversation, kind, bound, position)
    WHERE bound IS NOT NULL;
  CREATE INDEX facts_by_label ON derived (conversation, label, position) WHERE kind = 'facts';

  CREATE VIEW conversation_summaries AS
    SELECT body ->> '$.id' AS id,
      tenant,
      conversations.id AS conversation_id,
      body ->> '$.text' AS summary_text,
      bound AS messages_covered,
      conversations.id || '#' || (body ->> '$.added.from') AS start_message_id,
      conversations.id || '#' || ((body ->> '$.added.to') - 1) AS end_message_id,
      strftime('%Y-%m-%dT%H:%M:%fZ', (body ->> '$.createdAt') / 1000.0, 'unixepoch') AS created_at
    FROM derived JOIN conversations ON pk = conversation
    WHERE kind = 'summary' AND label IS NULL
    ORDER BY conversation, position;

  CREATE VIEW running_summaries AS
    SELECT tenant, id, title,
      (SELECT body ->> '$.text' FROM derived WHERE conversation = pk AND kind = 'summary'
       AND label IS NULL ORDER BY position DESC LIMIT 1) AS summary,
      (SELECT bound - 1 FROM derived WHERE conversation = pk AND kind = 'summary'
       AND label IS NULL ORDER BY position DESC LIMIT 1) AS last_summarized_msg_id
    FROM conversations;

  ${searchTables}
  CREATE TABLE purges (
    tenant TEXT NOT NULL,
    number INTEGER NOT NULL,
    subject BLOB NOT NULL,
    what TEXT NOT NULL,
    seq INTEGER,
    messages INTEGER NOT NULL,
    at INTEGER NOT NULL,
    erased INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX purges_by_subject ON purges (tenant, subject, number);
  CREATE INDEX purges_to_erase ON purges (tenant, number) WHERE NOT erased;
`
