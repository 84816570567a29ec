/** Changes of a conversation and its derived rows: guarded by the version, or whatever it is. */
import type { TenantId } from '../../domain/ids.ts'
import type {
  CommitCommand,
  CommitOutcome,
  RecordCommand,
  RecordOutcome,
} from '../../ports/store.ts'
import type { SqliteConnection } from './connection.ts'
import { boundOf, noteInRows, relabelRow, writeNextRow, writeRows } from './derived.ts'
import { conversationByPk, findConversation } from './find.ts'
import { updateConversation } from './row-hash.ts'
import { type ConversationRow, controlCell, pinsCell, writeEvent } from './rows.ts'

/** In a transaction of its caller. */
export function commit(
  connection: SqliteConnection,
  tenant: TenantId,
  { id, expectedVersion, fields = {}, relabel = [], events, at, ...rows }: CommitCommand,
): CommitOutcome {
  const row = findConversation(connection, tenant, id)
  if (row === null) return { kind: 'not-found' }
  const { pk, eventCount, conversation } = row
  const { version } = conversation
  if (version !== expectedVersion) return { kind: 'version-moved', version }
  const isTitled = fields.title !== undefined
  const next = { ...conversation, ...(isTitled && { titleFrom: null }), ...fields }
  updateConversation(connection, pk, {
    title: next.title,
    title_seq: next.titleFrom,
    meta: next.meta && JSON.stringify(next.meta),
    pins: pinsCell(next.pins),
    pinned_to: next.pinnedTo,
    compaction: controlCell(next.compaction),
    version: version + 1,
    events: eventCount + events.length,
  })
  writeRows(connection, row, rows)
  for (const each of relabel) relabelRow(connection, pk, each)
  for (const [index, body] of events.entries())
    writeEvent(connection, pk, { number: eventCount + index + 1, at, body })
  return { kind: 'committed', conversation: conversationByPk(connection, pk).conversation }
}

/** Without events it does not wait for the disk: a number that was read must not be given again. */
export function record(
  connection: SqliteConnection,
  tenant: TenantId,
  command: RecordCommand,
): RecordOutcome {
  const { id, put = [], drop, note, only, events = [] } = command
  const [row] = put
  const isRowAlone = put.length === 1 && !drop && !note && !only && events.length === 0
  if (isRowAlone && row?.position === 'next') {
    const isWritten = connection.unsynced(() => writeNextRow(connection, { tenant, id }, row))
    return { kind: isWritten ? 'recorded' : 'not-found' }
  }
  const write = () => {
    const found = findConversation(connection, tenant, id)
    return found === null ? notFound : recordRows(connection, found, command)
  }
  return events.length > 0 ? connection.write(write) : connection.writeUnsynced(write)
}

const notFound = { kind: 'not-found' } as const

function recordRows(
  connection: SqliteConnection,
  row: ConversationRow,
  { put = [], drop = [], note, only, events = [], at = 0 }: RecordCommand,
): RecordOutcome {
  const { pk, eventCount, conversation } = row
  if (only !== undefined) {
    if (only.serial !== pk) return notFound
    if (only.rewrites !== conversation.rewrites) return { kind: 'rewritten' }
    const found = boundOf(connection, pk, only.row)
    if (found === null) return notFound
    if (found.bound !== only.row.bound) return { kind: 'row-changed' }
  }
  writeRows(connection, row, { drop, put })
  if (note !== undefined) noteInRows(connection, pk, note)
  for (const [index, body] of events.entries())
    writeEvent(connection, pk, { number: eventCount + index + 1, at, body })
  if (events.length > 0) {
    const count = eventCount + events.length
    connection.run('UPDATE conversations SET events = ? WHERE pk = ?', count, pk)
  }
  return { kind: 'recorded' }
}
