/** The rows of conversations, found by id, by number, or in order. */
import type { Conversation } from '../../domain/conversation.ts'
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import { ThroughlineError } from '../../errors.ts'
import type { ListQuery } from '../../ports/store.ts'
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
