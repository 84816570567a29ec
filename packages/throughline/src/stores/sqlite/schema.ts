/**
 * The tables, and how a file gets to them.
 *
 * conversations   one row each; `pk` stands for (tenant, id) in every other key. `title_seq` is the
 *                 place that the title was made from, null for one of a caller, -1 for not known yet
 * messages        the log: dense `seq`, original bytes, hashes; updated by `rewrite` alone. Its key
 *                 `place` is conversation and seq in one number, so that a
 *                 conversation lies in one tree in the order it is read
 * waiting_calls   calls of tools that have no result yet
 * files           bytes of files, once per conversation, under their hash
 * events          what happened, numbered per conversation
 * views           what each model sees, for the models that were served last
 * requests        the last requests, numbered per conversation
 * calibrations    what reports have taught of a model
 * facts           what messages tell, one row per message, under the same `place`
 * ledgers         what the facts of a conversation came to some commits ago; the rows behind it are folded on
 * summaries       what models have written of the messages before a place; the views
 *                 `conversation_summaries` and `running_summaries` are for people who ask in SQL
 *                 passing over those that were withdrawn
 * view_versions   the views that were in force, newest last, with what tells them apart; no body
 *                 where everything was shown
 * digests         what models have told of single messages that are too large to be shown
 * turns           what an agent remembers of its turns, numbered per conversation. The first
 *                 `conversations.fork_turns` of a fork are those of its source
 * steps           what the steps of those turns brought, whole
 * inserts         what was recalled for messages, for each model and epoch
 * purges          that something was purged, and nothing of it; `erased` says whether its bytes are gone
 * receipts        what the last compactions did; `due` and what follows it until there is hindsight
 * pieces          what can be searched of a conversation, under a `place` of its own: conversation,
 *                 seq and part in one number. `conversations.indexed_to` says how far it has come,
 *                 `indexed_pieces` and `indexed_words` how much that is
 * piece_words     what the two tables below hold of a piece, which they cannot tell
 * recall_terms    FTS5: which pieces hold a term
 * recall_names    FTS5: which pieces hold a run of three characters of a name
 *
 * `row_hash` is a hash of the cells that no other hash covers (`row-hash.ts`).
 *
 * `user_version` counts the migrations that a file has had. A migration is never
 * changed once released; a new one is added behind it.
 */
import { ThroughlineError } from '../../errors.ts'
import type { SqliteConnection } from './connection.ts'
import { hashAllRows } from './row-hash.ts'

/** "THRL": tells our files from other programs' databases. */
export const applicationId = 0x5448524c

const migrations: readonly string[] = [
  `
  CREATE TABLE conversations (
    pk INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT,
    meta TEXT,
    head INTEGER NOT NULL,
    chain BLOB NOT NULL,
    version INTEGER NOT NULL DEFAULT 0,
    events INTEGER NOT NULL DEFAULT 0,
    parent_id TEXT,
    parent_call TEXT,
    fork_pk INTEGER REFERENCES conversations (pk),
    fork_id TEXT,
    fork_at INTEGER,
    created_at INTEGER NOT NULL,
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
    marks TEXT,
    answered TEXT,
    body TEXT NOT NULL,
    raw BLOB
  ) STRICT;
  CREATE UNIQUE INDEX messages_key ON messages (conversation, key) WHERE key IS NOT NULL;

  CREATE TABLE waiting_calls (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    call_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (conversation, call_id, seq)
  ) STRICT, WITHOUT ROWID;

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
  `,
  `
  ALTER TABLE conversations ADD COLUMN pins TEXT;

  CREATE TABLE views (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    model TEXT NOT NULL,
    touched INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, model)
  ) STRICT;

  CREATE TABLE requests (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    model TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE calibrations (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    model TEXT NOT NULL,
    touched INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, model)
  ) STRICT;
  `,
  `
  ALTER TABLE conversations ADD COLUMN compaction TEXT;
  `,
  `
  CREATE TABLE facts (
    place INTEGER PRIMARY KEY,
    conversation INTEGER AS (place >> 32) VIRTUAL,
    seq INTEGER AS (place & 0xffffffff) VIRTUAL,
    trust TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX facts_by_trust ON facts (trust, place);

  CREATE TABLE ledgers (
    conversation INTEGER PRIMARY KEY REFERENCES conversations (pk) ON DELETE CASCADE,
    body TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE receipts (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    hindsight TEXT,
    due INTEGER,
    left_text TEXT,
    expanded TEXT,
    PRIMARY KEY (conversation, version)
  ) STRICT;
  CREATE INDEX receipts_due ON receipts (conversation, due) WHERE due IS NOT NULL;
  `,
  `
  ALTER TABLE conversations ADD COLUMN asking TEXT;

  CREATE TABLE summaries (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    covers_to INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, version)
  ) STRICT;
  CREATE INDEX summaries_by_place ON summaries (conversation, covers_to, version);

  CREATE TABLE digests (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, seq)
  ) STRICT;

  CREATE VIEW conversation_summaries AS
    SELECT body ->> '$.id' AS id,
      tenant,
      conversations.id AS conversation_id,
      body ->> '$.text' AS summary_text,
      covers_to AS messages_covered,
      conversations.id || '#' || (body ->> '$.told.from') AS start_message_id,
      conversations.id || '#' || ((body ->> '$.told.to') - 1) AS end_message_id,
      strftime('%Y-%m-%dT%H:%M:%fZ', (body ->> '$.createdAt') / 1000.0, 'unixepoch') AS created_at
    FROM summaries JOIN conversations ON pk = conversation
    ORDER BY conversation, summaries.version;

  CREATE VIEW running_summaries AS
    SELECT tenant, id, title,
      (SELECT body ->> '$.text' FROM summaries WHERE conversation = pk
       ORDER BY version DESC LIMIT 1) AS summary,
      (SELECT covers_to - 1 FROM summaries WHERE conversation = pk
       ORDER BY version DESC LIMIT 1) AS last_summarized_msg_id
    FROM conversations;
  `,
  `
  ALTER TABLE conversations ADD COLUMN indexed_to INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE conversations ADD COLUMN indexed_pieces INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE conversations ADD COLUMN indexed_words INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE pieces (
    place INTEGER PRIMARY KEY,
    length INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE piece_words (
    place INTEGER PRIMARY KEY,
    terms BLOB NOT NULL,
    names TEXT NOT NULL
  ) STRICT;

  CREATE VIRTUAL TABLE recall_terms USING fts5 (
    terms, content = '', columnsize = 0, detail = none, tokenize = 'ascii'
  );
  INSERT INTO recall_terms (recall_terms, rank) VALUES ('secure-delete', 1);
  CREATE VIRTUAL TABLE recall_names USING fts5 (
    names, content = '', columnsize = 0, detail = none, tokenize = 'ascii'
  );
  INSERT INTO recall_names (recall_names, rank) VALUES ('secure-delete', 1);
  `,
  `
  ALTER TABLE views ADD COLUMN inserts_of INTEGER;
  UPDATE views SET inserts_of = body ->> '$.epoch';

  CREATE TABLE inserts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    model TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    before_seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (conversation, model, epoch, before_seq)
  ) STRICT;
  `,
  `
  ALTER TABLE conversations ADD COLUMN pinned_to INTEGER NOT NULL DEFAULT 0;
  `,
  `
  CREATE TABLE view_versions (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    model TEXT NOT NULL,
    at INTEGER NOT NULL,
    restores INTEGER,
    epoch INTEGER,
    cause TEXT,
    line INTEGER NOT NULL,
    tokens REAL NOT NULL,
    summary TEXT,
    body TEXT,
    PRIMARY KEY (conversation, version)
  ) STRICT;
  INSERT INTO view_versions
    SELECT conversation, touched, model, 0, NULL, body ->> '$.epoch', body ->> '$.cause',
      body ->> '$.line', body ->> '$.beganTokens', body ->> '$.past.written.id', body
    FROM views;

  ALTER TABLE summaries ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0;

  DROP VIEW conversation_summaries;
  CREATE VIEW conversation_summaries AS
    SELECT body ->> '$.id' AS id,
      tenant,
      conversations.id AS conversation_id,
      body ->> '$.text' AS summary_text,
      covers_to AS messages_covered,
      conversations.id || '#' || (body ->> '$.told.from') AS start_message_id,
      conversations.id || '#' || ((body ->> '$.told.to') - 1) AS end_message_id,
      strftime('%Y-%m-%dT%H:%M:%fZ', (body ->> '$.createdAt') / 1000.0, 'unixepoch') AS created_at
    FROM summaries JOIN conversations ON pk = conversation
    WHERE NOT withdrawn
    ORDER BY conversation, summaries.version;

  DROP VIEW running_summaries;
  CREATE VIEW running_summaries AS
    SELECT tenant, id, title,
      (SELECT body ->> '$.text' FROM summaries WHERE conversation = pk AND NOT withdrawn
       ORDER BY version DESC LIMIT 1) AS summary,
      (SELECT covers_to - 1 FROM summaries WHERE conversation = pk AND NOT withdrawn
       ORDER BY version DESC LIMIT 1) AS last_summarized_msg_id
    FROM conversations;
  `,
  `
  ALTER TABLE conversations ADD COLUMN rewrites INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE messages ADD COLUMN former TEXT;

  CREATE TABLE purges (
    tenant TEXT NOT NULL,
    number INTEGER NOT NULL,
    subject BLOB NOT NULL,
    what TEXT NOT NULL,
    seq INTEGER,
    messages INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (tenant, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX purges_by_subject ON purges (tenant, subject, number);
  `,
  `
  ALTER TABLE conversations ADD COLUMN fork_turns INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE turns (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    turn INTEGER NOT NULL,
    messages_from INTEGER NOT NULL,
    messages_to INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, turn)
  ) STRICT;

  CREATE TABLE steps (
    conversation INTEGER NOT NULL REFERENCES conversations (pk) ON DELETE CASCADE,
    turn INTEGER NOT NULL,
    step INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, turn, step)
  ) STRICT;
  `,
  `
  ALTER TABLE conversations ADD COLUMN title_seq INTEGER;
  UPDATE conversations SET title_seq = -1 WHERE title IS NOT NULL;
  ALTER TABLE purges ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX purges_to_erase ON purges (tenant, number) WHERE NOT erased;
  ALTER TABLE conversations ADD COLUMN row_hash BLOB;
  ALTER TABLE messages ADD COLUMN row_hash BLOB;
  `,
]

/** The migration after which every row has a hash: SQL cannot make these. */
export const hashedVersion = 13

/** Only looks: a file that is not ours, or newer than we are, is left as it is. */
export function checkFile(connection: SqliteConnection, where: string): void {
  // In one statement, and so of one state: another process may be making the file right now.
  const row = connection.get(
    `SELECT application_id AS found, user_version AS version,
       (SELECT count(*) FROM sqlite_schema) AS tables
     FROM pragma_application_id, pragma_user_version`,
  )
  const [found, version, tables] = [row?.['found'], row?.['version'], row?.['tables']].map(Number)
  const untouched = found === 0 && version === 0 && tables === 0
  if (found !== applicationId && !untouched) throw foreignFile(where)
  if (version !== undefined && version > migrations.length)
    throw new ThroughlineError(
      'STORE_NEWER',
      `${where}: has schema version ${version}; this release knows ${migrations.length}`,
    )
}

export function foreignFile(where: string): ThroughlineError {
  return new ThroughlineError('STORE_FOREIGN', `${where}: is a database of another program`)
}

export function migrate(connection: SqliteConnection, where: string): void {
  if (versionOf(connection) === migrations.length) return
  connection.write(() => {
    // Another process may have been faster; the lock is ours from here on.
    checkFile(connection, where)
    const version = versionOf(connection)
    for (const migration of migrations.slice(version)) connection.exec(migration)
    if (version < hashedVersion) hashAllRows(connection)
    connection.exec(`PRAGMA application_id = ${applicationId}`)
    connection.exec(`PRAGMA user_version = ${migrations.length}`)
  })
}

/** Of a file that cannot be brought to our tables: whether it has them. */
export function checkMigrated(connection: SqliteConnection, where: string): void {
  const version = versionOf(connection)
  if (version === migrations.length) return
  throw new ThroughlineError(
    'STORE_READ_ONLY',
    `${where}: has schema version ${version}, and has to be brought to ${migrations.length} before it can be read`,
  )
}

function versionOf(connection: SqliteConnection): number {
  return Number(connection.get('PRAGMA user_version')?.['user_version'])
}
