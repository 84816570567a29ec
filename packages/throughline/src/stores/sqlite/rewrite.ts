/**
 * Messages edited, removed or purged, with everything that was derived from them, in one
 * transaction. Bytes go by secure_delete; after a purge the file is written anew, too.
 */
import { derivedKinds, kindNames, MessageChange } from '../../domain/derived-kinds.ts'
import type { DerivedKind, DerivedRow } from '../../domain/derived-row.ts'
import type { EventBody } from '../../domain/event.ts'
import type { KeptKeys } from '../../domain/forget-turns.ts'
import type { Seq, TenantId } from '../../domain/ids.ts'
import { answersOf, callsOf, isRemoved } from '../../domain/sealed-message.ts'
import type { RewriteCommand, RewriteOutcome } from '../../ports/rewrite.ts'
import { sha256 } from '../../system.ts'
import { type RowSegment, readRows } from '../derived-read.ts'
import { remadeTitle } from '../remade-title.ts'
import { type LookedAt, type RewrittenLog, rewriteLog } from '../rewrite-log.ts'
import { changedOutside } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import { deleteRow, ownRows, updateRow } from './derived.ts'
import { conversationByPk, findConversation } from './find.ts'
import { ownFrom } from './own-rows.ts'
import { reindex } from './pieces.ts'
import { allErased, finishErasure, writePurgeLine } from './purge.ts'
import { readSpan, rowSegmentsOf, segmentsOf } from './read.ts'
import { replaceRow, replayRows } from './replay.ts'
import { updateConversation } from './row-hash.ts'
import { type ConversationRow, formerOf, pinsCell, unhex, writeEvent } from './rows.ts'

export function rewrite(
  connection: SqliteConnection,
  tenant: TenantId,
  command: RewriteCommand,
): RewriteOutcome {
  const outcome = connection.write(() => rewriteRows(connection, tenant, command))
  if (command.how !== 'purge') return outcome
  if (outcome.kind !== 'rewritten' && outcome.kind !== 'already-purged') return outcome
  return { ...outcome, ...finishErasure(connection) }
}

function rewriteRows(
  connection: SqliteConnection,
  tenant: TenantId,
  command: RewriteCommand,
): RewriteOutcome {
  const row = findConversation(connection, tenant, command.id)
  if (row === null) return { kind: 'not-found' }
  const outcome = rewriteLog(rewritten(connection, row.pk), command, sha256)
  if (outcome.kind !== 'rewritten') return outcome
  const conversations = outcome.changed.map(({ id }) => id)
  if (command.how === 'purge' && conversations.length === 0)
    return { kind: 'already-purged', ...allErased }
  if (command.how === 'purge')
    for (const id of conversations) {
      const { seq, at } = command
      writePurgeLine(connection, { tenant, id }, { what: 'message', seq, messages: 1, at })
    }
  const { conversation } = conversationByPk(connection, row.pk)
  return { kind: 'rewritten', conversation, conversations, ...allErased }
}

/** Its row is read anew with each question: answers of before may be old. */
function rewritten(connection: SqliteConnection, pk: number): RewrittenLog {
  const row = () => conversationByPk(connection, pk)
  const { id, head } = row().conversation
  return {
    id,
    head,
    source: () => {
      const { fork } = row()
      return fork && { log: rewritten(connection, fork.pk), at: fork.at }
    },
    forks: () =>
      connection
        .all('SELECT pk FROM conversations WHERE fork_pk = ? ORDER BY pk', pk)
        .map((fork) => rewritten(connection, Number(fork['pk']))),
    look: (seq) => look(connection, pk, seq),
    ownFrom: (seq) => ownFrom(connection, row(), seq),
    replace: (seq, change) => replaceRow(connection, pk, seq, change),
    replay: (from, calls) => {
      const { chain, answering } = replayRows(connection, row(), from, calls)
      connection.run('UPDATE conversations SET chain = ? WHERE pk = ?', unhex(chain), pk)
      return answering
    },
    forget: (places, keys) => {
      forgetDerived(connection, row(), places, keys)
      remakeTitle(connection, pk, places)
    },
    reindex: (places, pieces) => reindex(connection, pk, places, pieces),
    moved: (event, at, unpinned) => moved(connection, pk, { event, at, unpinned }),
  }
}

function look(connection: SqliteConnection, pk: number, seq: Seq): LookedAt {
  const row = conversationByPk(connection, pk)
  const [message] = readSpan(connection, row, { from: seq, to: seq + 1 })
  if (message === undefined) throw changedOutside(`message ${seq}`)
  const { role, parts, hashes } = message
  return {
    role,
    removed: isRemoved(message),
    contentHash: hashes.content,
    former: formerAt(connection, row, seq),
    calls: callsOf(parts),
    answers: answersOf(parts),
  }
}

function formerAt(connection: SqliteConnection, row: ConversationRow, seq: Seq): readonly string[] {
  const owner = segmentsOf(connection, row).find(({ span }) => seq < span.to)
  const found = connection.get(
    'SELECT former FROM messages WHERE place = (? << 32) | ?',
    owner?.pk ?? row.pk,
    seq,
  )
  return formerOf(found?.['former'])
}

interface Moved {
  readonly event: EventBody
  readonly at: number
  readonly unpinned: readonly Seq[]
}

function moved(connection: SqliteConnection, pk: number, { event, at, unpinned }: Moved): void {
  const { eventCount, conversation } = conversationByPk(connection, pk)
  const number = eventCount + 1
  updateConversation(connection, pk, {
    version: conversation.version + 1,
    rewrites: conversation.rewrites + 1,
    events: number,
    pins: pinsCell(conversation.pins.filter((seq) => !unpinned.includes(seq))),
  })
  writeEvent(connection, pk, { number, at, body: event })
}

/** Called after messages at these places have changed. */
function remakeTitle(connection: SqliteConnection, pk: number, places: readonly Seq[]): void {
  const row = conversationByPk(connection, pk)
  const { title, titleFrom } = remadeTitle(row.conversation, places, (seq) => {
    const [message] = readSpan(connection, row, { from: seq, to: seq + 1 })
    return message ?? null
  })
  if (title !== row.conversation.title || titleFrom !== row.conversation.titleFrom)
    updateConversation(connection, pk, { title, title_seq: titleFrom })
}

/** Ascending. */
function forgetDerived(
  connection: SqliteConnection,
  row: ConversationRow,
  places: readonly Seq[],
  keys: KeptKeys,
): void {
  const change = new MessageChange(places, keys)
  const all = 'DELETE FROM derived WHERE conversation = ? AND kind = ?'
  const segments = rowSegmentsOf(connection, row)
  for (const kind of kindNames) {
    const { remains } = derivedKinds[kind]
    if (remains === 'none') connection.run(all, row.pk, kind)
    if (remains === 'other-places')
      for (const seq of places) connection.run(`${all} AND position = ?`, row.pk, kind, seq)
    if (typeof remains === 'function')
      for (const each of rowsToAsk(connection, kind, segments, change)) {
        const left = remains(each, change)
        // Those of its source are asked with its own, and change there.
        if (left === each || !isOwn(segments, each)) continue
        if (left === null) deleteRow(connection, row.pk, each)
        else updateRow(connection, row.pk, left)
      }
  }
}

function isOwn([own]: readonly RowSegment<number>[], { kind, position }: DerivedRow): boolean {
  return derivedKinds[kind].forks !== 'snapshot' || position > (own?.after ?? 0)
}

/** In order of position. Kinds of which there may be many have one row at each, and come in pages. */
function* rowsToAsk(
  connection: SqliteConnection,
  kind: DerivedKind,
  segments: readonly RowSegment<number>[],
  change: MessageChange,
): Generator<DerivedRow> {
  const { forks, positions, remainsBare: bare = false } = derivedKinds[kind]
  const asked = forks === 'snapshot' ? segments : segments.slice(0, 1)
  if (forks === 'snapshot' && !asked.some((each) => reaches(connection, kind, each, change))) return
  const own = ownRows(connection)
  if (positions !== 'next') {
    yield* readRows({ kind, bare }, asked, own)
    return
  }
  for (let from = 0; ; ) {
    const span = { from, to: Number.MAX_SAFE_INTEGER }
    const page = readRows({ kind, span, limit: pageRows, bare }, asked, own)
    yield* page
    if (page.length < pageRows) return
    const last = page.at(-1)?.position ?? 0
    // A damaged tree gives rows in no order, and without an end.
    if (last < from) throw changedOutside('the positions of derived rows')
    from = last + 1
  }
}

const pageRows = 256

/** Most rewrites are of what no turn is remembered of: then no row is read. */
function reaches(
  connection: SqliteConnection,
  kind: DerivedKind,
  { owner, after, last }: RowSegment<number>,
  { first }: MessageChange,
): boolean {
  const found = connection.get(
    `SELECT 1 FROM derived WHERE conversation = ? AND kind = ? AND bound > ?
       AND position > ? AND position <= ? LIMIT 1`,
    ...[owner, kind, first, after, last],
  )
  return found !== null
}
