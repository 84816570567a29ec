/**
 * Which conversation an id belongs to: ids of clients, ids of upstreams, and hashes of histories, each as a hash.
 * It lies in the server's own database, so that a backup has it; with PostgreSQL it is there, for all servers.
 * Nothing in it is content.
 */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { Awaitable } from '../access.ts'

/** A span of places in a log; the last one of a track has no end. */
export type TrackSpan = readonly [from: number, to: number | null]

export interface GatewayIndex {
  /** The conversations of the first id, the newest first; then those of the next. */
  find(tenant: string, ids: readonly string[]): Awaitable<readonly string[]>
  add(tenant: string, conversation: string, ids: readonly string[]): Awaitable<void>
  /** The places that a client's history has, where these are not all of the log. */
  track(tenant: string, conversation: string): Awaitable<readonly TrackSpan[] | null>
  setTrack(tenant: string, conversation: string, spans: readonly TrackSpan[]): Awaitable<void>
  /** Of conversations that were purged or rewritten. */
  forget(tenant: string, conversations: readonly string[]): Awaitable<void>
  close(): void
}

/** An index that servers share. Ids are hashed before it gets them. */
export type SharedIndex = Omit<GatewayIndex, 'close'>

/** The index that servers share, or else the one in a file. */
export function openGatewayIndex(file: string, shared: SharedIndex | null): GatewayIndex {
  if (shared === null) return sqliteGatewayIndex(file)
  return {
    ...shared,
    find: (tenant, ids) => shared.find(tenant, ids.map(hashOf)),
    add: (tenant, conversation, ids) => shared.add(tenant, conversation, ids.map(hashOf)),
    close: () => {},
  }
}

const foundAtMost = 8

/** Opens the index in the file of the server's keys; `:memory:` for tests. */
export function sqliteGatewayIndex(file: string, now: () => number = Date.now): GatewayIndex {
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec(schema)
  const sql = (text: string) => database.prepare(text)
  const find = sql(
    'SELECT conversation FROM gateway_ids WHERE tenant = ? AND id = ? ORDER BY at DESC LIMIT ?',
  )
  const add = sql(
    `INSERT INTO gateway_ids VALUES (?, ?, ?, ?)
     ON CONFLICT (tenant, id, conversation) DO UPDATE SET at = excluded.at`,
  )
  const readTrack = sql('SELECT spans FROM gateway_tracks WHERE tenant = ? AND conversation = ?')
  const writeTrack = sql('INSERT OR REPLACE INTO gateway_tracks VALUES (?, ?, ?)')
  const removals = ['gateway_ids', 'gateway_tracks'].map((table) =>
    sql(`DELETE FROM ${table} WHERE tenant = ? AND conversation = ?`),
  )
  let last = 0
  return {
    find: (tenant, ids) =>
      ids.flatMap((id) =>
        find.all(tenant, hashOf(id), foundAtMost).map((row) => String(row['conversation'])),
      ),
    add: (tenant, conversation, ids) => {
      // Two entries of one millisecond keep their order.
      last = Math.max(now(), last + 1)
      database.exec('BEGIN IMMEDIATE')
      try {
        for (const id of ids) add.run(tenant, hashOf(id), conversation, last)
        database.exec('COMMIT')
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    track: (tenant, conversation) => {
      const row = readTrack.get(tenant, conversation)
      return row === undefined ? null : (JSON.parse(String(row['spans'])) as TrackSpan[])
    },
    setTrack: (tenant, conversation, spans) =>
      void writeTrack.run(tenant, conversation, JSON.stringify(spans)),
    forget: (tenant, conversations) => {
      for (const conversation of conversations)
        for (const removal of removals) removal.run(tenant, conversation)
    },
    close: () => database.close(),
  }
}

// What a power cut takes can be found again by the rest of a request.
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS gateway_ids (
    tenant TEXT NOT NULL, id TEXT NOT NULL, conversation TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (tenant, id, conversation)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS gateway_ids_by_conversation ON gateway_ids (tenant, conversation);
  CREATE TABLE IF NOT EXISTS gateway_tracks (
    tenant TEXT NOT NULL, conversation TEXT NOT NULL, spans TEXT NOT NULL,
    PRIMARY KEY (tenant, conversation)
  ) STRICT, WITHOUT ROWID;
`

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 32)
}
