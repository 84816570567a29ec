/**
 * A file as the first release wrote it. The text is that of its one migration, kept
 * here as it was: a file that is out in the world does not change either.
 */
import { DatabaseSync } from 'node:sqlite'
import { createThroughline, type MessageInput } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'

export const schema1 = `
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
`

/** Makes such a file with one conversation of these messages in it. */
export async function writeSchema1(
  file: string,
  id: string,
  messages: readonly MessageInput[],
): Promise<void> {
  const today = `${file}-today`
  const tl = createThroughline({ store: sqlite(today) })
  await tl.conversation(id).append(messages, { key: 'k' })
  await tl.close()
  const database = new DatabaseSync(file)
  database.exec(schema1)
  database.exec('PRAGMA application_id = 0x5448524c')
  database.exec('PRAGMA user_version = 1')
  database.prepare('ATTACH ? AS today').run(today)
  for (const table of ['conversations', 'messages', 'waiting_calls', 'files', 'events']) {
    const columns = database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name))
      .join(', ')
    database.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM today.${table}`)
  }
  database.close()
}
