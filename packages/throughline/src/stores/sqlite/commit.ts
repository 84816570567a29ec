/** Changes a conversation and its derived rows: `commit` checks the version, `record` does not. */
import type {
  CommitCommand,
  CommitOutcome,
  RecordCommand,
  RecordOutcome,
} from '../../ports/store.ts'
import { encodeList } from './cells.ts'
import { annotateRows, findRow, relabelRow, writeNextRow, writeRows } from './derived.ts'
import { updateConversation } from './row-hash.ts'
import {
  type ConversationRow,
  encodeControl,
  findConversation,
  readConversation,
  type SqliteTenant,
  writeEvents,
} from './rows.ts'

/** In the caller's transaction. */
export function commit(
  tenant: SqliteTenant,
  { id, expectedVersion, fields = {}, relabel = [], events, at, ...rows }: CommitCommand,
): CommitOutcome {
  const row = findConversation(tenant, id)
  if (row === null) return { kind: 'not-found' }
  const { version } = row.conversation
  if (version !== expectedVersion) return { kind: 'version-moved', version }
  // A new title has no source, unless the fields name one.
  const titleFrom = fields.title === undefined ? row.conversation.titleFrom : null
  const next = { ...row.conversation, titleFrom, ...fields }
  updateConversation(row, {
    title: next.title,
    title_seq: next.titleFrom,
    meta: next.meta && JSON.stringify(next.meta),
    pins: encodeList(next.pins),
    pinned_to: next.pinnedTo,
    compaction: encodeControl(next.compaction),
    version: version + 1,
  })
  writeRows(row, rows)
  for (const each of relabel) relabelRow(row, each)
  writeEvents(row, events, at)
  return { kind: 'committed', conversation: readConversation(row).conversation }
}

/** Syncs to disk only with events: an event number that was read must not be used again. */
export function record(tenant: SqliteTenant, command: RecordCommand): RecordOutcome {
  const { id, put = [], drop, annotate, onlyIf, events = [] } = command
  const { connection } = tenant
  const [row] = put
  const isRowAlone = put.length === 1 && !drop && !annotate && !onlyIf && events.length === 0
  if (isRowAlone && row?.position === 'next') {
    const isWritten = connection.withoutSync(() => writeNextRow(tenant, id, row))
    return { kind: isWritten ? 'recorded' : 'not-found' }
  }
  const write = () => {
    const found = findConversation(tenant, id)
    return found === null ? notFound : recordRows(found, command)
  }
  return events.length > 0 ? connection.write(write) : connection.writeWithoutSync(write)
}

const notFound = { kind: 'not-found' } as const

function recordRows(row: ConversationRow, command: RecordCommand): RecordOutcome {
  const { annotate, onlyIf, events = [], at = 0 } = command
  if (onlyIf !== undefined) {
    if (onlyIf.serial !== row.pk) return notFound
    if (onlyIf.rewrites !== row.conversation.rewrites) return { kind: 'rewritten' }
    const found = findRow(row, onlyIf.row)
    if (found === null) return notFound
    if (found.bound !== onlyIf.row.bound) return { kind: 'row-changed' }
  }
  writeRows(row, command)
  if (annotate !== undefined) annotateRows(row, annotate)
  writeEvents(row, events, at)
  return { kind: 'recorded' }
}
