/** Removing conversations: messages and pieces by their range, derived rows by their conversation, all others by foreign keys. */
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import type { PurgeCommand, PurgeOutcome } from '../../ports/rewrite.ts'
import type { Row, SqliteConnection } from './connection.ts'
import { allErased, finishErasure } from './erase.ts'
import { findConversation } from './find.ts'
import { dropAllPieces } from './pieces.ts'
import { wasPurged, writePurgeLine } from './purge-lines.ts'

export function purge(
  connection: SqliteConnection,
  tenant: TenantId,
  command: PurgeCommand,
): PurgeOutcome {
  const outcome = connection.write(() => removeRows(connection, tenant, command))
  if (outcome.kind !== 'purged' && outcome.kind !== 'already-purged') return outcome
  return { ...outcome, ...finishErasure(connection) }
}

function removeRows(
  connection: SqliteConnection,
  tenant: TenantId,
  command: PurgeCommand,
): PurgeOutcome {
  const row = findConversation(connection, tenant, command.id)
  if (row === null)
    return wasPurged(connection, tenant, command.id)
      ? { kind: 'already-purged', ...allErased }
      : { kind: 'not-found' }
  const doomed = new Map([[row.pk, command.id]])
  const forks = new Map<number, ConversationId>()
  // A map grows while it is walked: children of children are found too.
  for (const [pk, id] of doomed) {
    const children = connection.all(
      'SELECT pk, id FROM conversations WHERE tenant = ? AND parent_id = ?',
      tenant,
      id,
    )
    for (const child of children) doomed.set(...named(child))
    const found = connection.all('SELECT pk, id FROM conversations WHERE fork_pk = ?', pk)
    for (const fork of found) (command.forks === 'purge' ? doomed : forks).set(...named(fork))
  }
  const refused = [...forks].filter(([pk]) => !doomed.has(pk)).map(([, id]) => id)
  if (refused.length > 0) return { kind: 'has-forks', forks: sorted(refused) }
  dropAllPieces(connection, [...doomed.keys()])
  const conversations = sorted([...doomed.values()])
  for (const id of conversations) {
    const messages = findConversation(connection, tenant, id)?.conversation.head ?? 0
    const line = { what: 'conversation', seq: null, messages, at: command.at } as const
    writePurgeLine(connection, { tenant, id }, line)
  }
  // A fork is younger than its source and refers to it, so the youngest go first.
  for (const pk of [...doomed.keys()].sort((left, right) => right - left)) {
    connection.run('DELETE FROM messages WHERE place >= ? << 32 AND place < (? + 1) << 32', pk, pk)
    connection.run('DELETE FROM derived WHERE conversation = ?', pk)
    connection.run('DELETE FROM conversations WHERE pk = ?', pk)
  }
  return { kind: 'purged', conversations, ...allErased }
}

function named(row: Row): [pk: number, id: ConversationId] {
  return [Number(row['pk']), row['id'] as ConversationId]
}

/** In the order of the database, which is that of UTF-8 bytes. */
function sorted(ids: readonly ConversationId[]): readonly ConversationId[] {
  return ids.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
}
