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
  const write = <Value>(action: () => Value) =>
    connection.afterErasure(() => connection.write(action))
  return {
    create: (command) => write(() => createConversation(tenant, command)),
    load: async (query) => load(tenant, query),
    list: async (query) => listConversations(tenant, query),
    append: (command) => write(() => append(tenant, command)),
    read: async (query) => readFrom(query.id, (row) => readMessages(row, query)),
    bytes: async (query) =>
      readFrom(query.id, (row) =>
        'seq' in query ? readOriginal(row, query.seq) : readFile(row, query.sha256),
      ),
    commit: (command) => write(() => commit(tenant, command)),
    record: (command) => connection.afterErasure(() => record(tenant, command)),
    index: (command) => connection.afterErasure(() => index(tenant, command)),
    search: async (query) => readFrom(query.id, (row) => findPieces(row, query)),
    events: async (query) =>
      query.id === null
        ? readPurges(tenant, query)
        : readFrom(query.id, (row) => readEvents(row, query)),
    rewrite: (command) => connection.afterErasure(() => rewrite(tenant, command)),
    purge: (command) => connection.afterErasure(() => purge(tenant, command)),
  }
}
