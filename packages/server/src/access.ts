/**
 * Keys, answers for Idempotency-Keys and the audit, in a small SQLite database of their own. Keys are stored as
 * SHA-256 hashes: they are random and long, so a slow hash would add nothing.
 */
import { createHash, randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import {
  createKeyUses,
  type KeyUse,
  keyUsesSchema,
  type UsedKey,
  type UseOutcome,
} from './key-uses.ts'

export type Role = 'read' | 'write' | 'admin'

export interface Key {
  readonly id: string
  readonly tenant: string
  readonly name: string
  readonly role: Role
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

export interface NewKey {
  readonly tenant: string
  readonly name: string
  readonly role: Role
  readonly expiresAt?: number | null | undefined
}

export interface KeyChanges {
  readonly name?: string | undefined
  readonly expiresAt?: number | null | undefined
}

export interface StoredAnswer {
  readonly status: number
  readonly etag: string | null
  readonly body: string
}

/** What is known of an Idempotency-Key before its request runs. */
export type Reservation =
  | { readonly kind: 'new' }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'running' | 'other-request' | 'interrupted' }

export interface WriteRequest {
  readonly tenant: string
  readonly key: string
  readonly fingerprint: string
  readonly conversation: string | null
  /** After a crash it may run again without a second effect, so a power cut may lose what is stored of it. */
  readonly repeatable: boolean
}

export interface AuditRow {
  readonly at: number
  readonly tenant: string
  readonly key: string
  readonly operation: string
  readonly subject: string
  readonly status: number
}

/** Rows that a file has at once, and a database later. */
export type Awaitable<Value> = Value | Promise<Value>

/** The rows of a server that several may share; `sqliteAccess` keeps them in a file. */
export interface WritesAndAudit {
  reserve(request: WriteRequest): Awaitable<Reservation>
  complete(request: WriteRequest, answer: StoredAnswer): Awaitable<void>
  release(request: WriteRequest): Awaitable<void>
  /**
   * Removes the stored answers of conversations whose content was changed, and those that are of several
   * conversations. Answers of running requests are not stored, except that of the key `except`.
   */
  forgetAnswers(
    tenant: string,
    conversations: readonly string[],
    except: string | null,
  ): Awaitable<void>
  record(row: Omit<AuditRow, 'at'> & { readonly at?: number }): Awaitable<void>
  audit(
    tenant: string,
    query: { readonly before: number; readonly limit: number },
  ): Awaitable<readonly (AuditRow & { readonly number: number })[]>
}

/** The server's own rows, and those that it may share. */
export interface Access extends WritesAndAudit {
  /** The secret is returned once and not stored. */
  createKey(key: NewKey): { readonly key: Key; readonly secret: string }
  findKey(secret: string): Key | null
  /** Why a secret is not a valid key, and whose it was. */
  refusedKey(secret: string): { readonly key: Key | null; readonly outcome: UseOutcome }
  /** Counts a use of a key, or of a secret that no key has. */
  noteUse(key: UsedKey | null, outcome: UseOutcome): void
  /** The counts of a key, up to now. */
  useOf(id: string): KeyUse
  keys(tenant: string | null): readonly Key[]
  /** A new secret for the same key; null if it does not exist or is revoked. */
  rotateKey(id: string): string | null
  revokeKey(id: string): void
  /** Changes the name or the end of a key; undefined keeps it. */
  updateKey(id: string, changes: KeyChanges): void
  close(): Awaitable<void>
}

/** The same, without waiting. */
export type SqliteAccess = {
  readonly [Name in keyof Access]: (
    ...given: Parameters<Access[Name]>
  ) => Awaited<ReturnType<Access[Name]>>
} & {
  /** Deletes each row of the audit that was sent. */
  moveAudit(send: WritesAndAudit['record']): Promise<void>
}

const dayMs = 86_400_000
const minuteMs = 60_000

/**
 * Opens the server's own database; `:memory:` for tests. One server at a time may use a file.
 *
 * @example
 * const access = sqliteAccess('access.db')
 * const { secret } = access.createKey({ tenant: 'default', name: 'first', role: 'admin' })
 */
export function sqliteAccess(file: string, now: () => number = Date.now): SqliteAccess {
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec(schema + keyUsesSchema)
  /** A sync to disk takes most of the time of a write, and stops the event loop. */
  const syncedUnless = <Value>(isUnsynced: boolean, write: () => Value): Value => {
    if (!isUnsynced) return write()
    database.exec('PRAGMA synchronous = NORMAL')
    try {
      return write()
    } finally {
      database.exec('PRAGMA synchronous = FULL')
    }
  }
  let expireAfter = 0
  const boot = randomBytes(8).toString('hex')
  const sql = (text: string) => database.prepare(text)
  const statements = {
    insertKey: sql('INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, NULL)'),
    byHash: sql('SELECT * FROM keys WHERE hash = ?'),
    allKeys: sql('SELECT * FROM keys WHERE ?1 IS NULL OR tenant = ?1 ORDER BY created_at, id'),
    rotate: sql('UPDATE keys SET hash = ? WHERE id = ? AND revoked_at IS NULL'),
    revoke: sql('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL'),
    rename: sql('UPDATE keys SET name = ? WHERE id = ?'),
    expireAt: sql('UPDATE keys SET expires_at = ? WHERE id = ?'),
    reserve: sql(
      'INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, NULL, NULL, NULL) ON CONFLICT DO NOTHING',
    ),
    answer: sql('SELECT * FROM answers WHERE tenant = ? AND key = ?'),
    adopt: sql('UPDATE answers SET boot = ? WHERE tenant = ? AND key = ?'),
    complete: sql(
      'UPDATE answers SET status = ?, etag = ?, body = ? WHERE tenant = ? AND key = ? AND boot = ?',
    ),
    release: sql('DELETE FROM answers WHERE tenant = ? AND key = ?'),
    expire: sql('DELETE FROM answers WHERE at < ?'),
    forget: sql(
      `DELETE FROM answers WHERE tenant = ? AND (conversation = ? OR conversation IS NULL)
       AND status IS NOT NULL`,
    ),
    // As if the server had been stopped: their answers may contain what is removed now.
    interrupt: sql(
      `UPDATE answers SET boot = '' WHERE tenant = ? AND (conversation = ? OR conversation IS NULL)
       AND status IS NULL AND key <> ?`,
    ),
    record: sql('INSERT INTO audit VALUES (NULL, ?, ?, ?, ?, ?, ?)'),
    audit: sql('SELECT * FROM audit WHERE tenant = ? AND number < ? ORDER BY number DESC LIMIT ?'),
    oldest: sql('SELECT * FROM audit ORDER BY number LIMIT 1'),
    moved: sql('DELETE FROM audit WHERE number = ?'),
  }
  const record: Access['record'] = ({ at = now(), ...row }) => {
    const { tenant, key, operation, subject, status } = row
    statements.record.run(at, tenant, key, operation, subject, status)
  }
  const uses = createKeyUses(database, now, record)
  const rowOf = (secret: string) => {
    const row = statements.byHash.get(hashOf(secret))
    return row === undefined ? null : keyOf(row)
  }
  return {
    createKey: ({ tenant, name, role, expiresAt = null }) => {
      const key = { id: randomBytes(8).toString('hex'), tenant, name, role, createdAt: now() }
      const secret = newSecret()
      const { id, createdAt } = key
      statements.insertKey.run(id, hashOf(secret), tenant, name, role, createdAt, expiresAt)
      return { key: { ...key, expiresAt, revokedAt: null }, secret }
    },
    findKey: (secret) => {
      const key = rowOf(secret)
      const isValid = key?.revokedAt === null && (key.expiresAt ?? Infinity) > now()
      return isValid ? key : null
    },
    refusedKey: (secret) => {
      const key = rowOf(secret)
      if (key === null) return { key, outcome: 'unknown' }
      return { key, outcome: key.revokedAt === null ? 'expired' : 'revoked' }
    },
    noteUse: uses.note,
    useOf: (id) => {
      uses.flush()
      return uses.of(id)
    },
    keys: (tenant) => statements.allKeys.all(tenant).map(keyOf),
    rotateKey: (id) => {
      const secret = newSecret()
      return statements.rotate.run(hashOf(secret), id).changes === 0 ? null : secret
    },
    revokeKey: (id) => void statements.revoke.run(now(), id),
    updateKey: (id, { name, expiresAt }) => {
      if (name !== undefined) statements.rename.run(name, id)
      if (expiresAt !== undefined) statements.expireAt.run(expiresAt, id)
    },
    reserve: ({ tenant, key, fingerprint, conversation, repeatable }) => {
      if (now() >= expireAfter) {
        statements.expire.run(now() - dayMs)
        expireAfter = now() + minuteMs
      }
      const { changes } = syncedUnless(repeatable, () =>
        statements.reserve.run(tenant, key, fingerprint, conversation, boot, now()),
      )
      if (changes === 1) return { kind: 'new' }
      const row = statements.answer.get(tenant, key)
      if (row?.['fingerprint'] !== fingerprint) return { kind: 'other-request' }
      if (row['status'] !== null) return { kind: 'answered', answer: answerOf(row) }
      if (row['boot'] === boot) return { kind: 'running' }
      statements.adopt.run(boot, tenant, key)
      return { kind: 'interrupted' }
    },
    complete: ({ tenant, key, repeatable }, { status, etag, body }) =>
      void syncedUnless(repeatable, () =>
        statements.complete.run(status, etag, body, tenant, key, boot),
      ),
    release: ({ tenant, key }) => void statements.release.run(tenant, key),
    forgetAnswers: (tenant, conversations, except) => {
      for (const conversation of conversations) {
        statements.forget.run(tenant, conversation)
        statements.interrupt.run(tenant, conversation, except ?? '')
      }
    },
    record,
    audit: (tenant, { before, limit }) => {
      uses.flush()
      return statements.audit.all(tenant, before, limit).map((row) => ({
        number: Number(row['number']),
        ...auditRowOf(row),
      }))
    },
    moveAudit: async (send) => {
      uses.flush()
      for (let row = statements.oldest.get(); row !== undefined; row = statements.oldest.get()) {
        await send(auditRowOf(row))
        statements.moved.run(Number(row['number']))
      }
    },
    close: () => {
      uses.close()
      database.close()
    },
  }
}

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS keys (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL, name TEXT NOT NULL,
    role TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS answers (
    tenant TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, conversation TEXT,
    boot TEXT NOT NULL, at INTEGER NOT NULL, status INTEGER, etag TEXT, body TEXT,
    PRIMARY KEY (tenant, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS answers_by_time ON answers (at);
  CREATE INDEX IF NOT EXISTS answers_by_conversation ON answers (tenant, conversation);
  CREATE TABLE IF NOT EXISTS audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, tenant TEXT NOT NULL,
    key TEXT NOT NULL, operation TEXT NOT NULL, subject TEXT NOT NULL, status INTEGER NOT NULL
  ) STRICT;
`

type Row = Readonly<Record<string, unknown>>

function newSecret(): string {
  return `tl_${randomBytes(32).toString('base64url')}`
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function keyOf(row: Row): Key {
  const time = (value: unknown) => (value === null ? null : Number(value))
  return {
    id: String(row['id']),
    tenant: String(row['tenant']),
    name: String(row['name']),
    role: row['role'] as Role,
    createdAt: Number(row['created_at']),
    expiresAt: time(row['expires_at']),
    revokedAt: time(row['revoked_at']),
  }
}

function auditRowOf(row: Row): AuditRow {
  return {
    at: Number(row['at']),
    tenant: String(row['tenant']),
    key: String(row['key']),
    operation: String(row['operation']),
    subject: String(row['subject']),
    status: Number(row['status']),
  }
}

function answerOf(row: Row): StoredAnswer {
  const etag = row['etag'] === null ? null : String(row['etag'])
  return { status: Number(row['status']), etag, body: String(row['body']) }
}
