/** Edits, removes or purges messages, with everything derived from them, in one transaction. */
import { derivedKinds, kindNames, MessageChange } from '../../domain/derived-kinds.ts'
import type { DerivedKind, DerivedRow } from '../../domain/derived-row.ts'
import type { KeptKeys } from '../../domain/forget-turns.ts'
import type { Seq } from '../../domain/ids.ts'
import { answersOf, callsOf, isRemoved } from '../../domain/sealed-message.ts'
import { text } from '../../domain/shape.ts'
import type { RewriteCommand, RewriteOutcome } from '../../ports/rewrite.ts'
import { sha256 } from '../../system.ts'
import { type RowSegment, readRows } from '../derived-read.ts'
import { renewTitle } from '../renew-title.ts'
import { type MessageState, type RewrittenLog, rewriteLog } from '../rewrite-log.ts'
import { type Cell, changedOutside, encodeList, hexBytes, jsonCell } from './cells.ts'
import { deleteRow, sqliteRows, updateRow } from './derived.ts'
import { unshareFrom } from './forks.ts'
import { reindex } from './pieces.ts'
import { allErased, finishErasure, writePurgeRecord } from './purge.ts'
import { readSpan, sharedCellsAt } from './read.ts'
import { replaceRow, replayChains } from './replay.ts'
import { replayCalls } from './replay-calls.ts'
import { updateConversation } from './row-hash.ts'
import {
  type ConversationRow,
  findConversation,
  readConversation,
  rowSegmentsOf,
  type SqliteLog,
  type SqliteTenant,
  writeEvents,
} from './rows.ts'

export async function rewrite(
  tenant: SqliteTenant,
  command: RewriteCommand,
): Promise<RewriteOutcome> {
  const { connection } = tenant
  const outcome = connection.write(() => rewriteRows(tenant, command))
  if (command.how !== 'purge') return outcome
  if (outcome.kind !== 'rewritten' && outcome.kind !== 'already-purged') return outcome
  return { ...outcome, ...(await finishErasure(connection)) }
}

function rewriteRows(tenant: SqliteTenant, command: RewriteCommand): RewriteOutcome {
  const row = findConversation(tenant, command.id)
  if (row === null) return { kind: 'not-found' }
  const outcome = rewriteLog(rewrittenLog(row), command, sha256)
  if (outcome.kind !== 'rewritten') return outcome
  const conversations = outcome.changed.map(({ id }) => id)
  if (command.how === 'purge') {
    if (conversations.length === 0) return { kind: 'already-purged', ...allErased }
    const { seq, at } = command
    for (const id of conversations)
      writePurgeRecord(tenant, id, { what: 'message', seq, messages: 1, at })
  }
  const { conversation } = readConversation(row)
  return { kind: 'rewritten', conversation, conversations, ...allErased }
}

/** Reads the row at each call, because an earlier step may have changed it. */
function rewrittenLog(log: SqliteLog): RewrittenLog {
  const { connection, pk } = log
  const row = () => readConversation(log)
  const { id, head } = row().conversation
  return {
    id,
    head,
    source: () => {
      const { fork } = row()
      return fork && { log: rewrittenLog({ connection, pk: fork.pk }), at: fork.at }
    },
    forks: () =>
      connection
        .all('SELECT pk FROM conversations WHERE fork_pk = ? ORDER BY pk', [pk])
        .map((fork) => rewrittenLog({ connection, pk: Number(fork['pk']) })),
    messageState: (seq) => messageState(row(), seq),
    unshareFrom: (seq) => unshareFrom(row(), seq),
    replace: (seq, change) => replaceRow(log, seq, change),
    replay: (changed, calls) => {
      const answering = calls === null ? [] : replayCalls(row(), changed, calls)
      const chain = replayChains(row(), changed)
      connection.update('conversations', { chain: hexBytes(chain) }, 'pk = ?', [pk])
      return answering
    },
    dropDerived: (places, keys) => {
      dropDerived(row(), places, keys)
      updateTitle(row(), places)
    },
    reindex: (places, pieces) => reindex(log, places, pieces),
    finishRewrite: (event, at, unpinned) => {
      const { version, rewrites, pins } = row().conversation
      updateConversation(log, {
        version: version + 1,
        rewrites: rewrites + 1,
        pins: encodeList(pins.filter((seq) => !unpinned.includes(seq))),
      })
      writeEvents(row(), [event], at)
    },
  }
}

function messageState(row: ConversationRow, seq: Seq): MessageState {
  const [message] = readSpan(row, { from: seq, to: seq + 1 })
  if (message === undefined) throw changedOutside(`message ${seq}`)
  const { role, parts, hashes } = message
  const former = formerOf(sharedCellsAt(row, seq, 'former')?.['former'])
  const removed = isRemoved(message)
  const [calls, answers] = [callsOf(parts), answersOf(parts)]
  return { role, removed, contentHash: hashes.content, former, calls, answers }
}

function formerOf(cell: Cell): readonly string[] {
  return jsonCell<readonly string[]>(cell, 'former hashes', [text]) ?? []
}

function updateTitle(row: ConversationRow, places: readonly Seq[]): void {
  const { title, titleFrom } = renewTitle(row.conversation, places, (seq) => {
    const [message] = readSpan(row, { from: seq, to: seq + 1 })
    return message ?? null
  })
  if (title !== row.conversation.title || titleFrom !== row.conversation.titleFrom)
    updateConversation(row, { title, title_seq: titleFrom })
}

/** `places` are ascending. */
function dropDerived(row: ConversationRow, places: readonly Seq[], keys: KeptKeys): void {
  const { connection, pk } = row
  const change = new MessageChange(places, keys)
  const deleteKind = 'DELETE FROM derived WHERE conversation = ? AND kind = ?'
  const segments = rowSegmentsOf(row)
  const ownFrom = segments[0]?.positions.from ?? 1
  for (const kind of kindNames) {
    const { remains, forks } = derivedKinds[kind]
    if (remains === 'none') connection.run(deleteKind, [pk, kind])
    if (remains === 'other-places')
      for (const seq of places) connection.run(`${deleteKind} AND position = ?`, [pk, kind, seq])
    if (typeof remains === 'function')
      for (const oldRow of rowsToCheck(kind, segments, change)) {
        const remaining = remains(oldRow, change)
        // Inherited rows are read too, but only the source changes them.
        const isOwn = forks !== 'snapshot' || oldRow.position >= ownFrom
        if (remaining === oldRow || !isOwn) continue
        if (remaining === null) deleteRow(row, oldRow)
        else updateRow(row, remaining)
      }
  }
}

/** In order of position, in pages where the kind has one row per position and many of them. */
function* rowsToCheck(
  kind: DerivedKind,
  segments: readonly RowSegment<SqliteLog>[],
  change: MessageChange,
): Generator<DerivedRow> {
  const { forks, positions, remainsBare: bare = false } = derivedKinds[kind]
  const readSegments = forks === 'snapshot' ? segments : segments.slice(0, 1)
  if (forks === 'snapshot' && !segments.some((each) => hasRowsAfter(kind, each, change.first)))
    return
  if (positions !== 'next') {
    yield* readRows({ kind, bare }, readSegments, sqliteRows)
    return
  }
  for (let from = 0; ; ) {
    const span = { from, to: Number.MAX_SAFE_INTEGER }
    const page = readRows({ kind, span, limit: pageRows, bare }, readSegments, sqliteRows)
    yield* page
    if (page.length < pageRows) return
    const last = page.at(-1)?.position ?? 0
    // A damaged tree may return rows in any order, without end.
    if (last < from) throw changedOutside('the positions of derived rows')
    from = last + 1
  }
}

const pageRows = 256

/** Most rewrites change messages without a remembered turn, and then no row is read. */
function hasRowsAfter(
  kind: DerivedKind,
  { owner, positions }: RowSegment<SqliteLog>,
  seq: Seq,
): boolean {
  const found = owner.connection.get(
    `SELECT 1 FROM derived WHERE conversation = ? AND kind = ? AND bound > ?
       AND position >= ? AND position < ? LIMIT 1`,
    [owner.pk, kind, seq, positions.from, positions.to],
  )
  return found !== null
}
