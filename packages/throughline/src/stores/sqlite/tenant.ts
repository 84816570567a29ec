/** One tenant's conversations in SQLite. Each method is one transaction or one look. */
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import type { TenantStore } from '../../ports/store.ts'
import { append } from './append.ts'
import { commit, record } from './commit.ts'
import type { SqliteConnection } from './connection.ts'
import { createConversation } from './conversations.ts'
import { findConversation, listConversations } from './find.ts'
import { load } from './load.ts'
import { purge, readPurgeLines } from './purge.ts'
import { readFile, readMessages, readOriginal } from './read.ts'
import { rewrite } from './rewrite.ts'
import { type ConversationRow, readEvents } from './rows.ts'
import { findPieces, index } from './search-index.ts'

export function sqliteTenant(connection: SqliteConnection, tenant: TenantId): TenantStore {
  const look = <Value>(id: ConversationId, at: (row: ConversationRow) => Value): Value | null => {
    return connection.read(() => {
      const row = findConversation(connection, tenant, id)
      return row && at(row)
    })
  }
  return {
    create: async (command) =>
      connection.write(() => createConversation(connection, tenant, command)),
    load: async (query) => load(connection, tenant, query),
    list: async (query) => listConversations(connection, tenant, query),
    append: async (command) => connection.write(() => append(connection, tenant, command)),
    read: async (query) => look(query.id, (row) => readMessages(connection, row, query)),
    bytes: async (query) =>
      look(query.id, (row) =>
        'seq' in query
          ? readOriginal(connection, row, query.seq)
          : readFile(connection, row, query.sha256),
      ),
    commit: async (command) => connection.write(() => commit(connection, tenant, command)),
    record: async (command) => record(connection, tenant, command),
    index: async (command) => index(connection, tenant, command),
    search: async (query) => look(query.id, (row) => findPieces(connection, row, query)),
    events: async (query) =>
      query.id === null
        ? readPurgeLines(connection, tenant, query)
        : look(query.id, (row) => readEvents(connection, row.pk, query)),
    rewrite: async (command) => rewrite(connection, tenant, command),
    purge: async (command) => purge(connection, tenant, command),
  }
}
