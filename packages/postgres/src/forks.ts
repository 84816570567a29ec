/** Creates conversations, empty or as a fork, and copies rows that a fork shares. */
import type { Conversation, Seq } from 'throughline'
import {
  type CreateCommand,
  type CreateOutcome,
  chainStart,
  decodeBody,
  derivedKinds,
  kindNames,
  noControl,
  storedIn,
} from 'throughline/stores'
import { addUnansweredCalls, unansweredBefore } from './calls.ts'
import { encodeList, encodeText, encodeTextOrNull, hexBytes } from './cells.ts'
import type { Value } from './database.ts'
import { resetIndex } from './pieces.ts'
import { cellsAt, chainBefore } from './read.ts'
import {
  type ConversationRow,
  conversationRow,
  encodeControl,
  findConversation,
  type Log,
  lineageOf,
  lockFamily,
  lostRace,
  ownerBefore,
  readConversation,
  rowSegmentsOf,
  segmentsOf,
  type TenantTransaction,
  transactionOf,
  updateConversation,
  writeEvent,
} from './rows.ts'
import { copyRows, lastPosition } from './write-derived.ts'

type Span = { readonly from: Seq; readonly to: Seq }

export async function createConversation(
  transaction: TenantTransaction,
  command: CreateCommand,
): Promise<CreateOutcome> {
  const existing = await findConversation(transaction, command.id)
  if (existing !== null) return { kind: 'exists', conversation: existing.conversation }
  const { forkedFrom } = command
  if (forkedFrom === null) {
    const { conversation } = await insertConversation(transaction, command)
    return { kind: 'created', conversation }
  }
  const source = await lockFamily(transaction, forkedFrom.conversationId)
  if (source === null) return { kind: 'source-not-found' }
  const { head } = source.conversation
  if (forkedFrom.at > head) return { kind: 'source-too-short', head }
  return { kind: 'created', conversation: await fork(source, command, forkedFrom.at) }
}

/** `namedSource` may be a fork too; `owner` is the conversation with the last shared message. */
async function fork(
  namedSource: ConversationRow,
  command: CreateCommand,
  forkSeq: Seq,
): Promise<Conversation> {
  const owner = await ownerBefore(namedSource, forkSeq)
  const { pk } = owner
  const { id } = owner.conversation
  const last = await lastPositionBefore(namedSource, forkSeq)
  const lastInherited = Math.min(last, await lastPositionSharedWith(namedSource, pk))
  const { pins, pinnedTo, compaction } = namedSource.conversation
  const forked = await insertConversation(
    transactionOf(owner),
    { ...command, forkedFrom: { conversationId: id, at: forkSeq } },
    {
      head: forkSeq,
      chain: hexBytes(await chainBefore(owner, forkSeq)),
      fork_pk: pk,
      fork_id: encodeText(id),
      fork_at: forkSeq,
      fork_positions: lastInherited,
      // The named source may have pinned messages that `owner` stores.
      pins: encodeList(pins.filter((seq) => seq < forkSeq)),
      pinned_to: Math.min(forkSeq, pinnedTo),
      compaction: encodeControl({ ...noControl, mode: compaction.mode }),
    },
  )
  // Calls without a result at the fork; their results may follow in the fork.
  addUnansweredCalls(forked, await unansweredBefore(owner, forkSeq))
  // Rows that `owner` does not have, because the named source added them.
  await copySnapshot(namedSource, forked, { from: lastInherited + 1, to: last + 1 })
  return forked.conversation
}

/** Cells that are left out have the default of the table; a fork sets more of them. */
export async function insertConversation(
  transaction: TenantTransaction,
  { id, title, meta, parent, forkedFrom, at: createdAt }: CreateCommand,
  forkCells: Readonly<Record<string, Value>> = {},
): Promise<ConversationRow> {
  const { sql, tenant, tables } = transaction
  const cells: Readonly<Record<string, Value>> = {
    tenant: encodeText(tenant),
    id: encodeText(id),
    title: encodeTextOrNull(title),
    meta: meta && JSON.stringify(meta),
    head: 0,
    chain: hexBytes(chainStart),
    events: 1,
    parent_id: encodeTextOrNull(parent?.conversationId ?? null),
    parent_call: encodeTextOrNull(parent?.callId ?? null),
    created_at: createdAt,
    ...forkCells,
  }
  const places = Object.keys(cells).map((_, index) => `$${index + 1}`)
  const [inserted] = await sql.all(
    `INSERT INTO ${tables.conversations} (pk, ${Object.keys(cells).join()})
     VALUES (nextval('${tables.serials}'), ${places.join()})
     ON CONFLICT DO NOTHING RETURNING *`,
    Object.values(cells),
  )
  // Another transaction has created it meanwhile: this one begins again, and finds it.
  if (inserted === undefined) throw lostRace()
  const row = conversationRow(transaction, inserted)
  const event = { kind: 'conversation-created', parent, forkedFrom }
  writeEvent(row, event, { number: 1, at: createdAt })
  return row
}

/** See `RewrittenLog.unshareFrom`; copies files too. Readers see no change. */
export async function unshareFrom(row: ConversationRow, seq: Seq): Promise<void> {
  const { pk, fork } = row
  if (fork === null || seq >= fork.at) return
  const sources = (await segmentsOf(row)).filter((segment) => segment.pk !== pk)
  // Nearest source first: its rows hide those of others.
  for (const { span, ...source } of sources.toReversed()) {
    copyRows(source, row, 'rows', { from: seq, to: span.to })
    await copyMessages(source, row, { from: Math.max(seq, span.from), to: span.to })
  }
  resetIndex(row)
  const nearest = await readConversation({ ...transactionOf(row), pk: fork.pk })
  const owner = await ownerBefore(nearest, seq)
  // The fork skips logs between the two, but needs their derived rows of shared messages.
  for (const skipped of await lineageOf(nearest)) {
    if (skipped.pk === owner.pk) break
    copyRows(skipped, row, 'rows', { from: 0, to: seq })
  }
  const last = await lastPositionBefore(row, seq)
  const lastInherited = Math.min(last, await lastPositionSharedWith(row, owner.pk))
  await copySnapshot(row, row, { from: lastInherited + 1, to: fork.lastPosition + 1 })
  updateConversation(row, {
    fork_pk: owner.pk,
    fork_id: encodeText(owner.conversation.id),
    fork_at: seq,
    fork_positions: lastInherited,
  })
}

const messageCells = `seq, created_at, key, key_hash, content_hash, canonical_hash, chain_hash,
  chain_before, marks, answered, origin, body, raw, former`

async function copyMessages(source: Log, to: Log, { from, to: end }: Span): Promise<void> {
  if (from >= end) return
  const { sql, tenant, tables, pk } = source
  const values = [encodeText(tenant), pk, from, end, to.pk]
  const ofSource = 'tenant = $1 AND conversation = $2 AND seq >= $3 AND seq < $4'
  sql.send(
    `INSERT INTO ${tables.messages} (tenant, conversation, ${messageCells})
     SELECT tenant, $5::bigint, ${messageCells} FROM ${tables.messages} WHERE ${ofSource}`,
    values,
  )
  sql.send(
    `INSERT INTO ${tables.answers} (tenant, conversation, code, seq)
     SELECT tenant, $5::bigint, code, seq FROM ${tables.answers} WHERE ${ofSource}`,
    values,
  )
  for (let first = from; first < end; first += messagesAtOnce) {
    const span = { from: first, to: Math.min(end, first + messagesAtOnce) }
    for (const [seq, files] of await filesIn(source, span))
      for (const sha256 of files) copyFile(source, to, { sha256, seq })
  }
}

/** Bodies may be large. */
const messagesAtOnce = 200

function copyFile(
  { sql, tenant, tables, pk }: Log,
  to: Log,
  { sha256, seq }: { readonly sha256: string; readonly seq: Seq },
): void {
  sql.send(
    `INSERT INTO ${tables.files} AS files (tenant, conversation, sha256, seq, bytes)
     SELECT tenant, $4::bigint, sha256, $5::bigint, bytes FROM ${tables.files}
     WHERE tenant = $1 AND conversation = $2 AND sha256 = $3
     ON CONFLICT (tenant, conversation, sha256) DO UPDATE SET seq = least(files.seq, excluded.seq)`,
    [encodeText(tenant), pk, hexBytes(sha256), to.pk, seq],
  )
}

/** The hashes of the files of messages, by place, without the messages that have none. */
async function filesIn(
  { sql, tenant, tables, pk }: Log,
  { from, to }: Span,
): Promise<ReadonlyMap<Seq, readonly string[]>> {
  const rows = await sql.all(
    `SELECT seq, body FROM ${tables.messages} WHERE tenant = $1 AND conversation = $2
       AND seq >= $3 AND seq < $4 AND strpos(body, '"stored"') > 0`,
    [encodeText(tenant), pk, from, to],
  )
  return new Map(rows.map((row) => [Number(row['seq']), filesOf(row['body'])]))
}

/** The hashes of the files of one message. */
export async function filesAt(log: Log, seq: Seq): Promise<readonly string[]> {
  return filesOf((await cellsAt(log, seq, 'body'))?.['body'])
}

function filesOf(body: unknown): readonly string[] {
  return storedIn(decodeBody(body as string, null).parts)
}

/** Kinds whose rows a fork keeps as they were at the fork, partly by reference to its source. */
const snapshotKinds = kindNames.filter((kind) => derivedKinds[kind].forks === 'snapshot')

/** The row position before the first snapshot row that depends on messages from `seq` on. */
async function lastPositionBefore(row: ConversationRow, seq: Seq): Promise<number> {
  for (const { owner, positions } of (await rowSegmentsOf(row)).toReversed()) {
    const { sql, tenant, tables, pk } = owner
    const found = await sql.get(
      `SELECT min(position) AS beyond FROM ${tables.derived} WHERE tenant = $1
         AND conversation = $2 AND kind = ANY($3::text[]) AND bound > $4
         AND position >= $5 AND position < $6`,
      [encodeText(tenant), pk, snapshotKinds, seq, positions.from, positions.to],
    )
    const beyond = found?.['beyond'] ?? null
    if (beyond !== null) return Number(beyond) - 1
  }
  const ownPositions: number[] = []
  for (const kind of snapshotKinds) ownPositions.push(await lastPosition(row, kind))
  return Math.max(row.fork?.lastPosition ?? 0, ...ownPositions)
}

/** The last row position that a fork reads from this source; forks between the two can lower it. */
async function lastPositionSharedWith(row: ConversationRow, sourcePk: number): Promise<number> {
  let last = Number.MAX_SAFE_INTEGER
  for (const { pk, fork } of await lineageOf(row)) {
    if (pk === sourcePk) break
    last = Math.min(last, fork?.lastPosition ?? last)
  }
  return last
}

/** Copies the snapshot rows of a conversation at these row positions, inherited ones included. */
async function copySnapshot(source: ConversationRow, target: Log, { from, to }: Span) {
  for (const { owner, positions } of await rowSegmentsOf(source))
    copyRows(owner, target, 'snapshot', {
      from: Math.max(positions.from, from),
      to: Math.min(positions.to, to),
    })
}
