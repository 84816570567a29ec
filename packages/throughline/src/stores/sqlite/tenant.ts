/** One tenant's conversations in SQLite. Each method is one transaction or one look. */
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import type { TenantStore } from '../../ports/store.ts'
import { append } from './append.ts'
import { commit } from './commit.ts'
import type { SqliteConnection } from './connection.ts'
import { createConversation } from './conversations.ts'
import { readDigests } from './digests.ts'
import { readEvents } from './events.ts'
import { readFacts, readLedger } from './facts.ts'
import { findConversation, latestConversations, listConversations } from './find.ts'
import { findPieces } from './find-pieces.ts'
import { purge } from './purge.ts'
import { readPurgeLines } from './purge-lines.ts'
import { readBack, readFile, readOriginal, readSpan } from './read.ts'
import { complete, readReceipts, readWaiting } from './receipts.ts'
import { readRequests, record } from './requests.ts'
import { rewrite } from './rewrite.ts'
import type { ConversationRow } from './rows.ts'
import { index } from './search-index.ts'
import { readState } from './state.ts'
import { readSummaries, readSummaryBefore } from './summaries.ts'
import { readSteps, readTurns } from './turns.ts'
import { readVersions, readViewOf } from './versions.ts'

export function sqliteTenant(connection: SqliteConnection, tenant: TenantId): TenantStore {
  const find = (id: ConversationId) => findConversation(connection, tenant, id)
  const look = <Value>(id: ConversationId, at: (row: ConversationRow) => Value): Value | null => {
    return connection.read(() => {
      const row = find(id)
      return row && at(row)
    })
  }
  return {
    create: async (command) =>
      connection.write(() => createConversation(connection, tenant, command)),
    conversation: async (id) => find(id)?.conversation ?? null,
    list: async (query) => listConversations(connection, tenant, query),
    latest: async (query) => latestConversations(connection, tenant, query),
    append: async (command) => connection.write(() => append(connection, tenant, command)),
    read: async ({ id, span, except }) =>
      look(id, (row) => readSpan(connection, row, span, except)),
    readBack: async (query) => look(query.id, (row) => readBack(connection, row, query)),
    original: async (id, seq) => look(id, (row) => readOriginal(connection, row, seq)),
    file: async (id, hash) => look(id, (row) => readFile(connection, row, hash)),
    commit: async (command) => connection.write(() => commit(connection, tenant, command)),
    state: async (query) => readState(connection, tenant, query),
    record: async (command) => record(connection, tenant, command),
    requests: async ({ id, limit }) => look(id, (row) => readRequests(connection, row.pk, limit)),
    facts: async (query) => look(query.id, (row) => readFacts(connection, row, query)),
    ledger: async ({ id }) => look(id, (row) => readLedger(connection, row.pk)),
    summaries: async (query) => look(query.id, (row) => readSummaries(connection, row.pk, query)),
    digests: async ({ id, span }) => look(id, (row) => readDigests(connection, row, span)),
    turns: async (query) => look(query.id, (row) => readTurns(connection, row, query)),
    steps: async (query) => look(query.id, (row) => readSteps(connection, row, query)),
    summaryBefore: async ({ id, place: before }) =>
      look(id, (row) => readSummaryBefore(connection, row, before)),
    receipts: async (query) => look(query.id, (row) => readReceipts(connection, row.pk, query)),
    versions: async (query) => look(query.id, (row) => readVersions(connection, row.pk, query)),
    viewOf: async ({ id, version }) => look(id, (row) => readViewOf(connection, row.pk, version)),
    waiting: async ({ id, recorded }) => look(id, (row) => readWaiting(connection, row, recorded)),
    complete: async (command) => connection.write(() => complete(connection, tenant, command)),
    index: async (command) => index(connection, tenant, command),
    find: async (query) => look(query.id, (row) => findPieces(connection, row, query)),
    events: async (query) => look(query.id, (row) => readEvents(connection, row.pk, query)),
    rewrite: async (command) => rewrite(connection, tenant, command),
    purge: async (command) => purge(connection, tenant, command),
    purges: async (query) => readPurgeLines(connection, tenant, query),
  }
}
