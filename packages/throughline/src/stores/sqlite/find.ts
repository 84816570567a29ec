/** The rows of conversations, found by id, by number, or in order. */
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import { ThroughlineError } from '../../errors.ts'
import type { ListedConversation, ListQuery } from '../../ports/store.ts'
import type { SqliteConnection } from './connection.ts'
import { type ConversationRow, conversationColumns, conversationRow } from './rows.ts'

export function findConversation(
  connection: SqliteConnection,
  tenant: TenantId,
  id: ConversationId,
): ConversationRow | null {
  const row = connection.get(byId, tenant, id)
  return row && conversationRow(row)
}

// Asked with every call, and found again by their text.
const byId = `SELECT ${conversationColumns} FROM conversations WHERE tenant = ? AND id = ?`
const byPk = `SELECT ${conversationColumns} FROM conversations WHERE pk = ?`

/** For a number that another row holds: it is there, or the foreign key lied. */
export function conversationByPk(connection: SqliteConnection, pk: number): ConversationRow {
  const row = connection.get(byPk, pk)
  if (row === null) throw new ThroughlineError('STORE_CORRUPT', `conversation ${pk} is missing`)
  return conversationRow(row)
}

/** In one statement, which looks at one message of each conversation and reads no body. */
export function listConversations(
  connection: SqliteConnection,
  tenant: TenantId,
  query: ListQuery,
): readonly ListedConversation[] {
  const rows =
    query.by === 'latest'
      ? connection.all(
          `${select} ORDER BY last_at DESC, id DESC LIMIT ?`,
          tenant,
          query.limit ?? -1,
        )
      : connection.all(
          `${select} AND id > ? ${query.parent === null ? '' : 'AND parent_id = ?'}
           ORDER BY id LIMIT ?`,
          tenant,
          query.after ?? '',
          ...(query.parent === null ? [] : [query.parent]),
          query.limit,
        )
  return rows.map((row) => ({
    conversation: conversationRow(row).conversation,
    lastAt: Number(row['last_at']),
  }))
}

// A fork without messages of its own ends with one of its source, which is its source's own.
const select = `SELECT ${conversationColumns}, coalesce((
    SELECT messages.created_at FROM messages WHERE messages.place =
      (CASE WHEN head > coalesce(fork_at, 0) THEN pk ELSE fork_pk END << 32) | (head - 1)
  ), created_at) AS last_at
  FROM conversations WHERE tenant = ?`
