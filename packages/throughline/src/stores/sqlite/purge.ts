/** Purges conversations with all their rows, then erases their bytes from the file. */
import { type EngineEvent, type PurgeRecord, purgeSubject } from '../../domain/event.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Erasure, PurgeCommand, PurgeOutcome } from '../../ports/rewrite.ts'
import { sha256 } from '../../system.ts'
import { hexBytes, hexCell } from './cells.ts'
import type { Row, SqliteConnection } from './connection.ts'
import { deleteAtOnce, hideConversation } from './deletions.ts'
import { erasesInThread, fileBytes, overwriteOldPages } from './erase.ts'
import { findConversation, type SqliteTenant } from './rows.ts'

export async function purge(tenant: SqliteTenant, command: PurgeCommand): Promise<PurgeOutcome> {
  const { connection } = tenant
  const outcome = connection.write(() => removeRows(tenant, command))
  if (outcome.kind !== 'purged' && outcome.kind !== 'already-purged') return outcome
  return { ...outcome, ...(await finishErasure(connection)) }
}

function removeRows(tenant: SqliteTenant, command: PurgeCommand): PurgeOutcome {
  const { connection } = tenant
  const row = findConversation(tenant, command.id)
  if (row === null)
    return wasPurged(tenant, command.id)
      ? { kind: 'already-purged', ...allErased }
      : { kind: 'not-found' }
  const toPurge = new Map([[row.pk, command.id]])
  const forks = new Map<number, ConversationId>()
  const select = 'SELECT pk, id FROM conversations WHERE'
  // The map grows during the loop, so children of children are found too.
  for (const [pk, id] of toPurge) {
    for (const child of connection.all(`${select} tenant = ? AND parent_id = ?`, [
      tenant.tenant,
      id,
    ]))
      toPurge.set(...pkAndId(child))
    for (const fork of connection.all(`${select} fork_pk = ?`, [pk]))
      (command.forks === 'purge' ? toPurge : forks).set(...pkAndId(fork))
  }
  const refused = [...forks].filter(([pk]) => !toPurge.has(pk)).map(([, id]) => id)
  if (refused.length > 0) return { kind: 'has-forks', forks: sortIds(refused) }
  const pks = [...toPurge.keys()]
  const conversations = sortIds([...toPurge.values()])
  for (const id of conversations) {
    const messages = findConversation(tenant, id)?.conversation.head ?? 0
    writePurgeRecord(tenant, id, { what: 'conversation', seq: null, messages, at: command.at })
  }
  // A fork is newer than its source and refers to it, so the newest are deleted first.
  const remove = erasesInThread(connection) ? hideConversation : deleteAtOnce
  for (const pk of pks.sort((left, right) => right - left)) remove(connection, pk)
  return { kind: 'purged', conversations, ...allErased }
}

function pkAndId(row: Row): [pk: number, id: ConversationId] {
  return [Number(row['pk']), row['id'] as ConversationId]
}

/** In the order of the database: by UTF-8 bytes. */
function sortIds(ids: readonly ConversationId[]): readonly ConversationId[] {
  return ids.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
}

/** Records a purge with the hash of the id, and no purged content. */
export function writePurgeRecord(
  { connection, tenant }: SqliteTenant,
  id: ConversationId,
  { what, seq, messages, at }: Omit<PurgeRecord, 'number' | 'subject'>,
): void {
  connection.run(
    `INSERT INTO purges (tenant, number, subject, what, seq, messages, at, erased)
     SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, 0 FROM purges WHERE tenant = ?`,
    [tenant, hexBytes(purgeSubject(tenant, id, sha256)), what, seq, messages, at, tenant],
  )
}

function wasPurged(tenant: SqliteTenant, id: ConversationId): boolean {
  return selectPurges(tenant, { id, where: "AND what = 'conversation'", limit: 1 }).length > 0
}

export function readPurges(
  tenant: SqliteTenant,
  { purged: id, limit }: { readonly purged: ConversationId | null; readonly limit: number },
): readonly EngineEvent[] {
  return selectPurges(tenant, { id, limit }).map((row) => ({
    kind: 'purged',
    number: Number(row['number']),
    subject: hexCell(row['subject']),
    what: row['what'] as PurgeRecord['what'],
    seq: row['seq'] === null ? null : Number(row['seq']),
    messages: Number(row['messages']),
    at: Number(row['at']),
  }))
}

/** Newest first. */
function selectPurges(
  { connection, tenant }: SqliteTenant,
  {
    id,
    where = '',
    limit,
  }: { readonly id: ConversationId | null; readonly where?: string; readonly limit: number },
): readonly Row[] {
  const subject = id === null ? [] : [hexBytes(purgeSubject(tenant, id, sha256))]
  return connection.all(
    `SELECT number, subject, what, seq, messages, at FROM purges WHERE tenant = ?
     ${id === null ? '' : 'AND subject = ?'} ${where} ORDER BY number DESC LIMIT ?`,
    [tenant, ...subject, limit],
  )
}

export const allErased: Erasure = { erased: true, remains: Object.freeze([]) }

/**
 * Overwrites the bytes of purged rows. The records of their purges say until then that they are not
 * erased; after a kill, the next purge or open finishes the work. The rows are already deleted, so a
 * failure is reported, not thrown.
 */
export function finishErasure(connection: SqliteConnection): Promise<Erasure> {
  return connection.erase(() => erasePending(connection))
}

async function erasePending(connection: SqliteConnection): Promise<Erasure> {
  try {
    // Read before the work, because another process may purge meanwhile.
    const pending = pendingPurges(connection)
    if (pending.length === 0) return allErased
    const remains = await overwriteOldPages(connection)
    if (remains.length === 0) markErased(connection, pending)
    return { erased: remains.length === 0, remains }
  } catch {
    return { erased: false, remains: ['database', 'write-ahead-log'] }
  }
}

/** Finishes the erasure of a killed process, unless the file is too large for that at open. */
export function finishErasureAtOpen(connection: SqliteConnection): void {
  if (fileBytes(connection) <= maxBytesAtOpen) void finishErasure(connection)
}

/** Rewriting this much takes about a second. */
const maxBytesAtOpen = 256 * 1024 * 1024

/** Purges that are not erased yet, as JSON of tenant and number. */
export function pendingPurges(connection: SqliteConnection): readonly string[] {
  return connection
    .all('SELECT json_array(tenant, number) AS purge FROM purges WHERE NOT erased')
    .map(({ purge }) => String(purge))
}

function markErased(connection: SqliteConnection, purges: readonly string[]): void {
  connection.run(
    `UPDATE purges SET erased = 1 WHERE (tenant, number) IN
       (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
    [`[${purges.join()}]`],
  )
}
