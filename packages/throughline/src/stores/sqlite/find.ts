/** The rows of conversations, found by id, by number, or in order. */
import type { Conversation } from '../../domain/conversation.ts'
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import { ThroughlineError } from '../../errors.ts'
import type { LatestConversation, LatestQuery, ListQuery } from '../../ports/store.ts'
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

export function listConversations(
  connection: SqliteConnection,
  tenant: TenantId,
  { after, limit, parent }: ListQuery,
): readonly Conversation[] {
  const from = after ?? ''
  const select = `SELECT ${conversationColumns} FROM conversations WHERE tenant = ? AND id > ?`
  const rows =
    parent === null
      ? connection.all(`${select} ORDER BY id LIMIT ?`, tenant, from, limit)
      : connection.all(
          `${select} AND parent_id = ? ORDER BY id LIMIT ?`,
          tenant,
          from,
          parent,
          limit,
        )
  return rows.map((row) => conversationRow(row).conversation)
}

/** In one statement, which looks at one message of each conversation and reads no body. */
export function latestConversations(
  connection: SqliteConnection,
  tenant: TenantId,
  { limit }: LatestQuery,
): readonly LatestConversation[] {
  const rows = connection.all(latest, tenant, limit ?? -1)
  return rows.map((row) => ({
    conversation: conversationRow(row).conversation,
    lastAt: Number(row['last_at']),
  }))
}

// A fork without messages of its own ends with one of its source, which is its source's own.
const latest = `SELECT ${conversationColumns}, coalesce((
    SELECT messages.created_at FROM messages WHERE messages.place =
      (CASE WHEN head > coalesce(fork_at, 0) THEN pk ELSE fork_pk END << 32) | (head - 1)
  ), created_at) AS last_at
  FROM conversations WHERE tenant = ? ORDER BY last_at DESC, id DESC LIMIT ?`
