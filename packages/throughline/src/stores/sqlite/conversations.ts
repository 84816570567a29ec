/** Conversations begun, empty or as a fork of another. */
import {
  type CompactionMode,
  type Conversation,
  chainStart,
  type ForkPoint,
  noControl,
} from '../../domain/conversation.ts'
import type { Seq, TenantId } from '../../domain/ids.ts'
import type { CreateCommand, CreateOutcome } from '../../ports/store.ts'
import type { SqliteConnection } from './connection.ts'
import { conversationByPk, findConversation } from './find.ts'
import { readSpan } from './read.ts'
import { hashConversation } from './row-hash.ts'
import { type ConversationRow, controlCell, pinsCell, unhex, writeEvent } from './rows.ts'
import { copySnapshot, positionsBefore, positionsSharedWith } from './snapshots.ts'
import { addWaitingCall, waitingBefore } from './waiting-calls.ts'

export function createConversation(
  connection: SqliteConnection,
  tenant: TenantId,
  command: CreateCommand,
): CreateOutcome {
  const existing = findConversation(connection, tenant, command.id)
  if (existing !== null) return { kind: 'exists', conversation: existing.conversation }
  const point = command.forkedFrom
  if (point === null)
    return {
      kind: 'created',
      conversation: beginConversation(connection, tenant, command).conversation,
    }
  const source = findConversation(connection, tenant, point.conversationId)
  if (source === null) return { kind: 'source-not-found' }
  const { head } = source.conversation
  if (point.at > head) return { kind: 'source-too-short', head }
  return { kind: 'created', conversation: fork(connection, source, command, point) }
}

function fork(
  connection: SqliteConnection,
  asked: ConversationRow,
  command: CreateCommand,
  { at }: ForkPoint,
): Conversation {
  // What stands before a fork's own first row is its source's: refer to that directly.
  let source = asked
  while (source.fork !== null && at <= source.fork.at)
    source = conversationByPk(connection, source.fork.pk)
  const newest = at === 0 ? [] : readSpan(connection, source, { from: at - 1, to: at })
  const { tenant, id } = source.conversation
  const last = positionsBefore(connection, asked, at)
  const positions = Math.min(last, positionsSharedWith(connection, asked, source.pk))
  const forked = beginConversation(
    connection,
    tenant,
    { ...command, forkedFrom: { conversationId: id, at } },
    {
      pk: source.pk,
      at,
      positions,
      chain: newest[0]?.hashes.chain ?? chainStart,
      // Of the conversation that was asked for, which may have pinned what it shares.
      pins: asked.conversation.pins.filter((seq) => seq < at),
      pinnedTo: Math.min(at, asked.conversation.pinnedTo),
      mode: asked.conversation.compaction.mode,
    },
  )
  // It takes along the calls that were waiting where it leaves its source.
  for (const call of waitingBefore(connection, source.pk, at))
    addWaitingCall(connection, forked.pk, call)
  // Those of one that is not referred to.
  copySnapshot(connection, { of: asked, to: forked.pk }, { from: positions + 1, to: last + 1 })
  return forked.conversation
}

/** What a fork has of its source. */
interface SharedPast {
  readonly pk: number
  readonly at: Seq
  readonly positions: number
  readonly chain: string
  readonly pins: readonly Seq[]
  readonly pinnedTo: Seq
  readonly mode: CompactionMode | null
}

export function beginConversation(
  connection: SqliteConnection,
  tenant: TenantId,
  command: CreateCommand,
  source?: SharedPast,
): ConversationRow {
  const inserted = connection.get(
    `INSERT INTO conversations (tenant, id, title, meta, head, chain, events, parent_id,
       parent_call, fork_pk, fork_id, fork_at, created_at, pins, pinned_to, compaction,
       fork_positions)
     VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING pk`,
    tenant,
    command.id,
    command.title,
    command.meta && JSON.stringify(command.meta),
    source?.at ?? 0,
    unhex(source?.chain ?? chainStart),
    command.parent?.conversationId ?? null,
    command.parent?.callId ?? null,
    source?.pk ?? null,
    command.forkedFrom?.conversationId ?? null,
    source?.at ?? null,
    command.at,
    pinsCell(source?.pins ?? []),
    source?.pinnedTo ?? 0,
    controlCell({ ...noControl, mode: source?.mode ?? null }),
    source?.positions ?? 0,
  )
  const pk = Number(inserted?.['pk'])
  hashConversation(connection, pk)
  const { parent, forkedFrom, at } = command
  const body = { kind: 'conversation-created', parent, forkedFrom } as const
  writeEvent(connection, pk, { number: 1, at, body })
  return conversationByPk(connection, pk)
}
