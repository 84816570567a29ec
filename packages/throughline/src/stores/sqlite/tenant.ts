/** The conversations of one tenant in SQLite. Each method is one transaction or one read. */
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import type { TenantStore } from '../../ports/store.ts'
import { append } from './append.ts'
import { commit, record } from './commit.ts'
import type { SqliteConnection } from './connection.ts'
import { createConversation } from './forks.ts'
import { load } from './load.ts'
import { purge, readPurges } from './purge.ts'
import { readFile, readMessages, readOriginal } from './read.ts'
import { rewrite } from './rewrite.ts'
import { type ConversationRow, findConversation, listConversations, readEvents } from './rows.ts'
import { findPieces, index } from './search-index.ts'

export function sqliteTenant(connection: SqliteConnection, id: TenantId): TenantStore {
  const tenant = { connection, tenant: id }
  const readFrom = <Value>(
    conversation: ConversationId,
    read: (row: ConversationRow) => Value,
  ): Value | null =>
    connection.read(() => {
      const row = findConversation(tenant, conversation)
      return row && read(row)
    })
  return {
    create: async (command) => connection.write(() => createConversation(tenant, command)),
    load: async (query) => load(tenant, query),
    list: async (query) => listConversations(tenant, query),
    append: async (command) => connection.write(() => append(tenant, command)),
    read: async (query) => readFrom(query.id, (row) => readMessages(row, query)),
    bytes: async (query) =>
      readFrom(query.id, (row) =>
        'seq' in query ? readOriginal(row, query.seq) : readFile(row, query.sha256),
      ),
    commit: async (command) => connection.write(() => commit(tenant, command)),
    record: async (command) => record(tenant, command),
    index: async (command) => index(tenant, command),
    search: async (query) => readFrom(query.id, (row) => findPieces(row, query)),
    events: async (query) =>
      query.id === null
        ? readPurges(tenant, query)
        : readFrom(query.id, (row) => readEvents(row, query)),
    rewrite: async (command) => rewrite(tenant, command),
    purge: async (command) => purge(tenant, command),
  }
}
