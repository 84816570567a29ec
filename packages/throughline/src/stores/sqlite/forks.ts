/** Creates conversations, empty or as a fork, and gives forks rows of their own. */
import {
  type CompactionMode,
  type Conversation,
  chainStart,
  noControl,
} from '../../domain/conversation.ts'
import { derivedKinds, kindNames } from '../../domain/derived-kinds.ts'
import type { Seq } from '../../domain/ids.ts'
import { storedIn } from '../../domain/message.ts'
import type { Span } from '../../domain/span.ts'
import type { CreateCommand, CreateOutcome } from '../../ports/store.ts'
import { bodyOf, listCell, unhex } from './cells.ts'
import { insertion } from './connection.ts'
import { copyRows, lastPosition } from './derived.ts'
import { resetIndex } from './pieces.ts'
import { cellsAt, chainBefore, inSpan } from './read.ts'
import { hashConversation, updateConversation } from './row-hash.ts'
import {
  type ConversationRow,
  controlCell,
  conversationOf,
  findConversation,
  lineageOf,
  ownerAt,
  rowSegmentsOf,
  type SqliteLog,
  type SqliteTenant,
  segmentsOf,
  writeEvents,
} from './rows.ts'
import { addWaitingCall, waitingBefore } from './waiting-calls.ts'

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
  const owner = ownerAt(namedSource, forkSeq)
  const { connection, pk } = owner
  const { tenant, id } = owner.conversation
  const last = positionsBefore(namedSource, forkSeq)
  const positions = Math.min(last, positionsSharedWith(namedSource, pk))
  const forked = insertConversation(
    { connection, tenant },
    { ...command, forkedFrom: { conversationId: id, at: forkSeq } },
    {
      pk,
      forkSeq,
      positions,
      chain: chainBefore(owner, forkSeq),
      // The named source may have pinned messages that `owner` stores.
      pins: namedSource.conversation.pins.filter((seq) => seq < forkSeq),
      pinnedTo: Math.min(forkSeq, namedSource.conversation.pinnedTo),
      mode: namedSource.conversation.compaction.mode,
    },
  )
  // Calls without a result at the fork; their results may follow in the fork.
  for (const call of waitingBefore(owner, forkSeq)) addWaitingCall(forked, call)
  // The fork refers to rows of `owner`; it needs copies of those after them.
  copySnapshot(namedSource, forked, { from: positions + 1, to: last + 1 })
  return forked.conversation
}

interface SharedPast {
  readonly pk: number
  readonly forkSeq: Seq
  readonly positions: number
  readonly chain: string
  readonly pins: readonly Seq[]
  readonly pinnedTo: Seq
  readonly mode: CompactionMode | null
}

export function insertConversation(
  { connection, tenant }: SqliteTenant,
  { id, title, meta, parent, forkedFrom, at: createdAt }: CreateCommand,
  source?: SharedPast,
): ConversationRow {
  const cells = {
    tenant,
    id,
    title,
    meta: meta && JSON.stringify(meta),
    head: source?.forkSeq ?? 0,
    chain: unhex(source?.chain ?? chainStart),
    parent_id: parent?.conversationId ?? null,
    parent_call: parent?.callId ?? null,
    fork_pk: source?.pk ?? null,
    fork_id: forkedFrom?.conversationId ?? null,
    fork_at: source?.forkSeq ?? null,
    fork_positions: source?.positions ?? 0,
    created_at: createdAt,
    pins: listCell(source?.pins ?? []),
    pinned_to: source?.pinnedTo ?? 0,
    compaction: controlCell({ ...noControl, mode: source?.mode ?? null }),
  }
  const insert = `${insertion('conversations', cells)} RETURNING pk`
  const log = { connection, pk: Number(connection.get(insert, ...Object.values(cells))?.['pk']) }
  hashConversation(log)
  writeEvents(
    conversationOf(log),
    [{ kind: 'conversation-created', parent, forkedFrom }],
    createdAt,
  )
  return conversationOf(log)
}

/**
 * Copies the rows that a fork shares from `seq` on, with files and derived rows. Readers see no
 * change.
 */
export function copyShared(row: ConversationRow, seq: Seq): void {
  const { connection, pk, fork } = row
  if (fork === null || seq >= fork.at) return
  const sources = segmentsOf(row).filter((segment) => segment.pk !== pk)
  // Nearest source first: its rows hide those of others.
  for (const { span, ...source } of sources.toReversed()) {
    copyRows(source, row, 'rows', { from: seq, to: span.to })
    copyMessages(source, row, { from: Math.max(seq, span.from), to: span.to })
  }
  resetIndex(row)
  const nearest = conversationOf({ connection, pk: fork.pk })
  const owner = ownerAt(nearest, seq)
  // Logs between the two are no longer sources, but may have derived rows of shared messages.
  for (const passed of lineageOf(nearest)) {
    if (passed.pk === owner.pk) break
    copyRows(passed, row, 'rows', { from: 0, to: seq })
  }
  const positions = Math.min(positionsBefore(row, seq), positionsSharedWith(row, owner.pk))
  copySnapshot(row, row, { from: positions + 1, to: fork.positions + 1 })
  const { id } = owner.conversation
  const point = { fork_pk: owner.pk, fork_id: id, fork_at: seq, fork_positions: positions }
  updateConversation(row, point)
}

const messageCells =
  'created_at, key, key_hash, content_hash, canonical_hash, chain_hash, marks, answered, body, raw, former, row_hash'

function copyMessages({ connection, pk }: SqliteLog, to: SqliteLog, span: Span): void {
  connection.run(
    `INSERT INTO messages (place, ${messageCells})
     SELECT (? << 32) | seq, ${messageCells} FROM messages WHERE ${inSpan}`,
    ...[to.pk, pk, span.from, pk, span.to],
  )
  // One message at a time, because a body may be large.
  for (let seq = span.from; seq < span.to; seq += 1)
    for (const sha256 of storedAt(to, seq))
      connection.run(
        `INSERT INTO files (conversation, sha256, seq, bytes)
         SELECT ?, sha256, ?, bytes FROM files WHERE conversation = ? AND sha256 = ?
         ON CONFLICT (conversation, sha256) DO UPDATE SET seq = min(seq, excluded.seq)`,
        ...[to.pk, seq, pk, unhex(sha256)],
      )
}

export function storedAt(log: SqliteLog, seq: Seq): readonly string[] {
  return storedIn(bodyOf(cellsAt(log, seq, 'body')?.['body'], `message ${seq}`).parts)
}

/** Kinds whose rows a fork keeps as they were at the fork, partly by reference to its source. */
const snapshotKinds = kindNames.filter((kind) => derivedKinds[kind].forks === 'snapshot')

/** The row position before the first snapshot row that depends on messages from `seq` on. */
function positionsBefore(row: ConversationRow, seq: Seq): number {
  for (const { owner, after, last } of rowSegmentsOf(row).toReversed()) {
    const found = owner.connection.get(
      `SELECT min(position) AS beyond FROM derived WHERE conversation = ?
         AND kind IN (SELECT value FROM json_each(?)) AND bound > ? AND position > ? AND position <= ?`,
      ...[owner.pk, JSON.stringify(snapshotKinds), seq, after, last],
    )
    const beyond = found?.['beyond'] ?? null
    if (beyond !== null) return Number(beyond) - 1
  }
  const own = snapshotKinds.map((kind) => lastPosition(row, kind))
  return Math.max(row.fork?.positions ?? 0, ...own)
}

/** The last row position that a fork reads from this source; forks between the two can lower it. */
function positionsSharedWith(row: ConversationRow, sourcePk: number): number {
  let shared = Number.MAX_SAFE_INTEGER
  for (const { pk, fork } of lineageOf(row)) {
    if (pk === sourcePk) break
    shared = Math.min(shared, fork?.positions ?? shared)
  }
  return shared
}

/** Copies snapshot rows at these positions to a conversation; `to` is exclusive. */
function copySnapshot(source: ConversationRow, to: SqliteLog, positions: Span): void {
  for (const { owner, after, last } of rowSegmentsOf(source)) {
    const from = Math.max(after + 1, positions.from)
    copyRows(owner, to, 'snapshot', { from, to: Math.min(last + 1, positions.to) })
  }
}
