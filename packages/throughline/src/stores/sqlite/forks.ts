/** Creates conversations, empty or as a fork, and copies rows that a fork shares. */
import { type Conversation, chainStart, noControl } from '../../domain/conversation.ts'
import { derivedKinds, kindNames } from '../../domain/derived-kinds.ts'
import type { Seq } from '../../domain/ids.ts'
import { storedIn } from '../../domain/message.ts'
import type { Span } from '../../domain/span.ts'
import type { CreateCommand, CreateOutcome } from '../../ports/store.ts'
import { bodyCells, encodeList, hexBytes } from './cells.ts'
import { insertSql, type Row } from './connection.ts'
import { copyRows, lastPosition } from './derived.ts'
import { resetIndex } from './pieces.ts'
import { cellsAt, chainBefore, inSpan } from './read.ts'
import { hashConversation, updateConversation } from './row-hash.ts'
import {
  type ConversationRow,
  encodeControl,
  findConversation,
  lineageOf,
  ownerBefore,
  readConversation,
  rowSegmentsOf,
  type SqliteLog,
  type SqliteTenant,
  segmentsOf,
  writeEvents,
} from './rows.ts'
import { addUnansweredCall, unansweredBefore } from './unanswered-calls.ts'

export function createConversation(tenant: SqliteTenant, command: CreateCommand): CreateOutcome {
  const existing = findConversation(tenant, command.id)
  if (existing !== null) return { kind: 'exists', conversation: existing.conversation }
  const { forkedFrom } = command
  if (forkedFrom === null)
    return { kind: 'created', conversation: insertConversation(tenant, command).conversation }
  const source = findConversation(tenant, forkedFrom.conversationId)
  if (source === null) return { kind: 'source-not-found' }
  const { head } = source.conversation
  if (forkedFrom.at > head) return { kind: 'source-too-short', head }
  return { kind: 'created', conversation: fork(source, command, forkedFrom.at) }
}

/** `namedSource` may be a fork too; `owner` is the conversation with the last shared message. */
function fork(namedSource: ConversationRow, command: CreateCommand, forkSeq: Seq): Conversation {
  const owner = ownerBefore(namedSource, forkSeq)
  const { connection, pk } = owner
  const { tenant, id } = owner.conversation
  const last = lastPositionBefore(namedSource, forkSeq)
  const lastInherited = Math.min(last, lastPositionSharedWith(namedSource, pk))
  const { pins, pinnedTo, compaction } = namedSource.conversation
  const forked = insertConversation(
    { connection, tenant },
    { ...command, forkedFrom: { conversationId: id, at: forkSeq } },
    {
      head: forkSeq,
      chain: hexBytes(chainBefore(owner, forkSeq)),
      fork_pk: pk,
      fork_id: id,
      fork_at: forkSeq,
      fork_positions: lastInherited,
      // The named source may have pinned messages that `owner` stores.
      pins: encodeList(pins.filter((seq) => seq < forkSeq)),
      pinned_to: Math.min(forkSeq, pinnedTo),
      compaction: encodeControl({ ...noControl, mode: compaction.mode }),
    },
  )
  // Calls without a result at the fork; their results may follow in the fork.
  for (const call of unansweredBefore(owner, forkSeq)) addUnansweredCall(forked, call)
  // Rows that `owner` does not have, because the named source added them.
  copySnapshot(namedSource, forked, { from: lastInherited + 1, to: last + 1 })
  return forked.conversation
}

/** Cells that are left out have the default of the table; a fork sets more of them. */
export function insertConversation(
  { connection, tenant }: SqliteTenant,
  { id, title, meta, parent, forkedFrom, at: createdAt }: CreateCommand,
  forkCells: Row = {},
): ConversationRow {
  const cells = {
    tenant,
    id,
    title,
    meta: meta && JSON.stringify(meta),
    head: 0,
    chain: hexBytes(chainStart),
    parent_id: parent?.conversationId ?? null,
    parent_call: parent?.callId ?? null,
    created_at: createdAt,
    ...forkCells,
  }
  const insert = `${insertSql('conversations', cells)} RETURNING pk`
  const log = { connection, pk: Number(connection.get(insert, Object.values(cells))?.['pk']) }
  hashConversation(log)
  const event = { kind: 'conversation-created', parent, forkedFrom } as const
  writeEvents(readConversation(log), [event], createdAt)
  return readConversation(log)
}

/** See `RewrittenLog.unshareFrom`; copies files too. Readers see no change. */
export function unshareFrom(row: ConversationRow, seq: Seq): void {
  const { connection, pk, fork } = row
  if (fork === null || seq >= fork.at) return
  const sources = segmentsOf(row).filter((segment) => segment.pk !== pk)
  // Nearest source first: its rows hide those of others.
  for (const { span, ...source } of sources.toReversed()) {
    copyRows(source, row, 'rows', { from: seq, to: span.to })
    copyMessages(source, row, { from: Math.max(seq, span.from), to: span.to })
  }
  resetIndex(row)
  const nearest = readConversation({ connection, pk: fork.pk })
  const owner = ownerBefore(nearest, seq)
  // The fork skips logs between the two, but needs their derived rows of shared messages.
  for (const skipped of lineageOf(nearest)) {
    if (skipped.pk === owner.pk) break
    copyRows(skipped, row, 'rows', { from: 0, to: seq })
  }
  const last = lastPositionBefore(row, seq)
  const lastInherited = Math.min(last, lastPositionSharedWith(row, owner.pk))
  copySnapshot(row, row, { from: lastInherited + 1, to: fork.lastPosition + 1 })
  updateConversation(row, {
    fork_pk: owner.pk,
    fork_id: owner.conversation.id,
    fork_at: seq,
    fork_positions: lastInherited,
  })
}

const messageCells =
  'created_at, key, key_hash, content_hash, canonical_hash, chain_hash, chain_before, marks, answered, origin, body, raw, former, row_hash'

function copyMessages({ connection, pk }: SqliteLog, to: SqliteLog, span: Span): void {
  connection.run(
    `INSERT INTO messages (place, ${messageCells})
     SELECT (? << 32) | seq, ${messageCells} FROM messages WHERE ${inSpan}`,
    [to.pk, pk, span.from, pk, span.to],
  )
  connection.run(
    `INSERT INTO answers SELECT ?, code, seq FROM answers
     WHERE conversation = ? AND seq >= ? AND seq < ?`,
    [to.pk, pk, span.from, span.to],
  )
  // One message at a time, because a body may be large.
  for (let seq = span.from; seq < span.to; seq += 1)
    for (const sha256 of filesAt(to, seq))
      connection.run(
        `INSERT INTO files (conversation, sha256, seq, bytes)
         SELECT ?, sha256, ?, bytes FROM files WHERE conversation = ? AND sha256 = ?
         ON CONFLICT (conversation, sha256) DO UPDATE SET seq = min(seq, excluded.seq)`,
        [to.pk, seq, pk, hexBytes(sha256)],
      )
}

/** The hashes of the files of a message. */
export function filesAt(log: SqliteLog, seq: Seq): readonly string[] {
  return storedIn(bodyCells(cellsAt(log, seq, 'body') ?? {}, `message ${seq}`).parts)
}

/** Kinds whose rows a fork keeps as they were at the fork, partly by reference to its source. */
const snapshotKinds = kindNames.filter((kind) => derivedKinds[kind].forks === 'snapshot')

/** The row position before the first snapshot row that depends on messages from `seq` on. */
function lastPositionBefore(row: ConversationRow, seq: Seq): number {
  for (const { owner, positions } of rowSegmentsOf(row).toReversed()) {
    const found = owner.connection.get(
      `SELECT min(position) AS beyond FROM derived WHERE conversation = ?
         AND kind IN (SELECT value FROM json_each(?)) AND bound > ? AND position >= ? AND position < ?`,
      [owner.pk, JSON.stringify(snapshotKinds), seq, positions.from, positions.to],
    )
    const beyond = found?.['beyond'] ?? null
    if (beyond !== null) return Number(beyond) - 1
  }
  const ownPositions = snapshotKinds.map((kind) => lastPosition(row, kind))
  return Math.max(row.fork?.lastPosition ?? 0, ...ownPositions)
}

/** The last row position that a fork reads from this source; forks between the two can lower it. */
function lastPositionSharedWith(row: ConversationRow, sourcePk: number): number {
  let last = Number.MAX_SAFE_INTEGER
  for (const { pk, fork } of lineageOf(row)) {
    if (pk === sourcePk) break
    last = Math.min(last, fork?.lastPosition ?? last)
  }
  return last
}

/** Copies the snapshot rows of a conversation at these row positions, inherited ones included. */
function copySnapshot(source: ConversationRow, target: SqliteLog, { from, to }: Span): void {
  for (const { owner, positions } of rowSegmentsOf(source))
    copyRows(owner, target, 'snapshot', {
      from: Math.max(positions.from, from),
      to: Math.min(positions.to, to),
    })
}
