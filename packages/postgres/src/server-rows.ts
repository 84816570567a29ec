/**
 * What servers of one database share besides conversations: answers by Idempotency-Key, the audit, and the
 * ids by which their gateways find conversations.
 */
import { randomBytes } from 'node:crypto'
import { encodeText, encodeTextOrNull, textCell, textOrNullCell } from './cells.ts'
import type { Mode, Row, Transaction } from './database.ts'
import { openSchema, type PostgresOptions } from './open-schema.ts'
import { lostRace, type TableNames } from './rows.ts'

/** The options of `postgresServerRows`. */
export interface ServerRowsOptions extends Pick<PostgresOptions, 'url' | 'schema'> {
  /** How long a server may need for an answer: after this long, it is taken for dead. */
  readonly answerMs: number
}

/** A write with an Idempotency-Key. */
export interface SharedWrite {
  readonly tenant: string
  readonly key: string
  readonly fingerprint: string
  readonly conversation: string | null
  /** Running it again has no second effect. */
  readonly repeatable: boolean
}

/** An answer that is repeated for the same Idempotency-Key. */
export interface SharedAnswer {
  readonly status: number
  readonly etag: string | null
  readonly body: string
}

/** What is known of an Idempotency-Key before its request runs. */
export type SharedReservation =
  | { readonly kind: 'new' }
  | { readonly kind: 'answered'; readonly answer: SharedAnswer }
  | { readonly kind: 'running' | 'other-request' | 'interrupted' }

/** A row of the audit. */
export interface SharedAuditRow {
  readonly at: number
  readonly tenant: string
  readonly key: string
  readonly operation: string
  readonly subject: string
  readonly status: number
}

/** A span of places in a log; the last one of a track has no end. */
export type SharedSpan = readonly [from: number, to: number | null]

/** The rows that servers share. */
export interface ServerRows {
  readonly access: {
    reserve(write: SharedWrite): Promise<SharedReservation>
    complete(write: SharedWrite, answer: SharedAnswer): Promise<void>
    release(write: SharedWrite): Promise<void>
    forgetAnswers(
      tenant: string,
      conversations: readonly string[],
      except: string | null,
    ): Promise<void>
    record(row: Omit<SharedAuditRow, 'at'> & { readonly at?: number }): Promise<void>
    audit(
      tenant: string,
      query: { readonly before: number; readonly limit: number },
    ): Promise<readonly (SharedAuditRow & { readonly number: number })[]>
  }
  readonly index: {
    find(tenant: string, ids: readonly string[]): Promise<readonly string[]>
    add(tenant: string, conversation: string, ids: readonly string[]): Promise<void>
    track(tenant: string, conversation: string): Promise<readonly SharedSpan[] | null>
    setTrack(tenant: string, conversation: string, spans: readonly SharedSpan[]): Promise<void>
    forget(tenant: string, conversations: readonly string[]): Promise<void>
  }
  close(): Promise<void>
}

type Run = <Value>(
  tenant: string,
  mode: Mode,
  action: (sql: Transaction) => Promise<Value>,
) => Promise<Value>

/**
 * Opens the rows that servers share, in the schema of their store.
 *
 * @example
 * const rows = postgresServerRows({ url: 'postgres://app@localhost/chats', answerMs: 60_000 })
 */
export function postgresServerRows({ answerMs, ...options }: ServerRowsOptions): ServerRows {
  const { database, tables, ready } = openSchema(options, connections)
  const run: Run = async (tenant, mode, action) => {
    await ready()
    return database.transaction(tenant, mode, action)
  }
  return {
    access: { ...answersIn(run, tables, answerMs), ...auditIn(run, tables) },
    index: indexIn(run, tables),
    close: () => database.close(),
  }
}

/** Short statements only. */
const connections = 4

function answersIn(run: Run, { server_answers: table }: TableNames, answerMs: number) {
  const boot = randomBytes(8).toString('hex')
  const nextExpiry = new Map<string, number>()
  /** A power cut may lose what is stored of a write that may run again. */
  const modeOf = ({ repeatable }: SharedWrite): Mode => (repeatable ? 'write-async' : 'write')
  const isKey = 'tenant = $1 AND key = $2'
  const named = ({ tenant, key }: SharedWrite) => [encodeText(tenant), encodeText(key)]
  const expire = (sql: Transaction, tenant: string) => {
    if (performance.now() < (nextExpiry.get(tenant) ?? 0)) return
    nextExpiry.set(tenant, performance.now() + expiryMs)
    sql.send(`DELETE FROM ${table} WHERE tenant = $1 AND at < now() - interval '1 day'`, [
      encodeText(tenant),
    ])
  }
  const access: Pick<ServerRows['access'], 'reserve' | 'complete' | 'release' | 'forgetAnswers'> = {
    reserve: (write) =>
      run(write.tenant, modeOf(write), async (sql) => {
        expire(sql, write.tenant)
        const { fingerprint, conversation, repeatable } = write
        const inserted = await sql.get(
          `INSERT INTO ${table} (tenant, key, fingerprint, conversation, boot, until)
           VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond')
           ON CONFLICT DO NOTHING RETURNING 1`,
          [...named(write), fingerprint, encodeTextOrNull(conversation), boot, answerMs],
        )
        if (inserted !== null) return { kind: 'new' }
        const row = await sql.get(
          `SELECT *, until > now() AS is_running FROM ${table} WHERE ${isKey} FOR UPDATE`,
          named(write),
        )
        // Its request failed, and gave the key free.
        if (row === null) throw lostRace()
        if (row['fingerprint'] !== fingerprint) return { kind: 'other-request' }
        if (row['status'] !== null) return { kind: 'answered', answer: answerOf(row) }
        if (row['boot'] === boot) return { kind: 'running' }
        // Whether another server still works on it does not matter where a repeat does no harm.
        if (row['is_running'] === true && !repeatable) return { kind: 'running' }
        sql.send(
          `UPDATE ${table} SET boot = $3, until = now() + $4 * interval '1 millisecond'
           WHERE ${isKey}`,
          [...named(write), boot, answerMs],
        )
        return { kind: 'interrupted' }
      }),
    complete: (write, { status, etag, body }) =>
      run(write.tenant, modeOf(write), async (sql) =>
        sql.send(
          `UPDATE ${table} SET status = $4, etag = $5, body = $6 WHERE ${isKey} AND boot = $3`,
          [...named(write), boot, status, etag, encodeText(body)],
        ),
      ),
    release: (write) =>
      run(write.tenant, 'write', async (sql) =>
        sql.send(`DELETE FROM ${table} WHERE ${isKey} AND boot = $3`, [...named(write), boot]),
      ),
    forgetAnswers: (tenant, conversations, except) =>
      run(tenant, 'write', async (sql) => {
        const those = 'tenant = $1 AND (conversation = ANY($2::text[]) OR conversation IS NULL)'
        const values = [encodeText(tenant), conversations.map(encodeText)]
        sql.send(`DELETE FROM ${table} WHERE ${those} AND status IS NOT NULL`, values)
        // As if their server had stopped: their answers may contain what is removed now.
        sql.send(
          `UPDATE ${table} SET boot = '', until = now()
           WHERE ${those} AND status IS NULL AND key <> $3`,
          [...values, encodeText(except ?? '')],
        )
      }),
  }
  return access
}

const expiryMs = 60_000

function answerOf(row: Row): SharedAnswer {
  return {
    status: Number(row['status']),
    etag: textOrNullCell(row['etag']),
    body: textCell(row['body']),
  }
}

function auditIn(run: Run, { server_audit: table, serials }: TableNames) {
  const access: Pick<ServerRows['access'], 'record' | 'audit'> = {
    record: ({ at = Date.now(), tenant, key, operation, subject, status }) =>
      run(tenant, 'write', async (sql) =>
        sql.send(
          `INSERT INTO ${table} (tenant, number, at, key, operation, subject, status)
           VALUES ($1, nextval('${serials}'), $2, $3, $4, $5, $6)`,
          [encodeText(tenant), at, encodeText(key), operation, encodeText(subject), status],
        ),
      ),
    audit: (tenant, { before, limit }) =>
      run(tenant, 'read', async (sql) => {
        const rows = await sql.all(
          `SELECT * FROM ${table} WHERE tenant = $1 AND number < $2 ORDER BY number DESC LIMIT $3`,
          [encodeText(tenant), before, limit],
        )
        return rows.map((row) => ({
          number: Number(row['number']),
          at: Number(row['at']),
          tenant: textCell(row['tenant']),
          key: textCell(row['key']),
          operation: textCell(row['operation']),
          subject: textCell(row['subject']),
          status: Number(row['status']),
        }))
      }),
  }
  return access
}

/** The newest conversations of an id at most. */
const foundAtMost = 8

function indexIn(run: Run, { gateway_ids: ids, gateway_tracks: tracks }: TableNames) {
  const index: ServerRows['index'] = {
    find: async (tenant, wanted) => {
      if (wanted.length === 0) return []
      return run(tenant, 'read', async (sql) => {
        const rows = await sql.all(
          `SELECT found.conversation FROM unnest($2::text[]) WITH ORDINALITY AS wanted (id, place)
           CROSS JOIN LATERAL (
             SELECT conversation, at FROM ${ids} WHERE tenant = $1 AND id = wanted.id
             ORDER BY at DESC LIMIT ${foundAtMost}
           ) found ORDER BY wanted.place, found.at DESC`,
          [encodeText(tenant), wanted],
        )
        return rows.map((row) => textCell(row['conversation']))
      })
    },
    add: (tenant, conversation, added) =>
      // What a crash loses can be found again by the rest of a request.
      run(tenant, 'write-async', async (sql) =>
        sql.send(
          `INSERT INTO ${ids} (tenant, id, conversation, at)
           SELECT $1, id, $3, (extract(epoch FROM clock_timestamp()) * 1e6)::bigint
           FROM (SELECT DISTINCT unnest($2::text[]) AS id ORDER BY id) added
           ON CONFLICT (tenant, id, conversation) DO UPDATE SET at = excluded.at`,
          [encodeText(tenant), added, encodeText(conversation)],
        ),
      ),
    track: (tenant, conversation) =>
      run(tenant, 'read', async (sql) => {
        const row = await sql.get(
          `SELECT spans FROM ${tracks} WHERE tenant = $1 AND conversation = $2`,
          [encodeText(tenant), encodeText(conversation)],
        )
        return row && (JSON.parse(String(row['spans'])) as readonly SharedSpan[])
      }),
    setTrack: (tenant, conversation, spans) =>
      run(tenant, 'write-async', async (sql) =>
        sql.send(
          `INSERT INTO ${tracks} (tenant, conversation, spans) VALUES ($1, $2, $3)
           ON CONFLICT (tenant, conversation) DO UPDATE SET spans = excluded.spans`,
          [encodeText(tenant), encodeText(conversation), JSON.stringify(spans)],
        ),
      ),
    forget: (tenant, conversations) =>
      run(tenant, 'write', async (sql) => {
        for (const table of [ids, tracks])
          sql.send(`DELETE FROM ${table} WHERE tenant = $1 AND conversation = ANY($2::text[])`, [
            encodeText(tenant),
            conversations.map(encodeText),
          ])
      }),
  }
  return index
}
