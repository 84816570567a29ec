/** What stays of purges: lines that name nobody, and nothing of what went. */
import type { EngineEvent } from '../../domain/event.ts'
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import { type PurgeLine, purgeSubject } from '../../domain/purge-line.ts'
import { sha256 } from '../../system.ts'
import type { SqliteConnection } from './connection.ts'
import { hex, unhex } from './rows.ts'

export function writePurgeLine(
  connection: SqliteConnection,
  { tenant, id }: { readonly tenant: TenantId; readonly id: ConversationId },
  { what, seq, messages, at }: Omit<PurgeLine, 'number' | 'subject'>,
): void {
  connection.run(
    `INSERT INTO purges (tenant, number, subject, what, seq, messages, at, erased)
     SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, 0 FROM purges WHERE tenant = ?`,
    tenant,
    unhex(purgeSubject(tenant, id, sha256)),
    what,
    seq,
    messages,
    at,
    tenant,
  )
}

/** Whether there was a conversation of that id that is purged. */
export function wasPurged(
  connection: SqliteConnection,
  tenant: TenantId,
  id: ConversationId,
): boolean {
  const found = connection.get(
    `SELECT 1 FROM purges WHERE tenant = ? AND subject = ? AND what = 'conversation' LIMIT 1`,
    tenant,
    unhex(purgeSubject(tenant, id, sha256)),
  )
  return found !== null
}

export function readPurgeLines(
  connection: SqliteConnection,
  tenant: TenantId,
  { purged: id, limit }: { readonly purged: ConversationId | null; readonly limit: number },
): readonly EngineEvent[] {
  const select = 'SELECT number, subject, what, seq, messages, at FROM purges WHERE tenant = ?'
  const newest = 'ORDER BY number DESC LIMIT ?'
  const rows =
    id === null
      ? connection.all(`${select} ${newest}`, tenant, limit)
      : connection.all(
          `${select} AND subject = ? ${newest}`,
          tenant,
          unhex(purgeSubject(tenant, id, sha256)),
          limit,
        )
  return rows.map((row) => ({
    kind: 'purged',
    number: Number(row['number']),
    subject: hex(row['subject']),
    what: row['what'] as PurgeLine['what'],
    seq: row['seq'] === null ? null : Number(row['seq']),
    messages: Number(row['messages']),
    at: Number(row['at']),
  }))
}
