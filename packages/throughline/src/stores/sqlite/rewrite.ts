/**
 * Messages edited, removed or purged, with everything that was derived from them, in one
 * transaction. Bytes go by secure_delete; after a purge the file is written anew, too.
 */
import type { EventBody } from '../../domain/event.ts'
import type { Seq, TenantId } from '../../domain/ids.ts'
import { isRemoved } from '../../domain/removed-message.ts'
import { answersOf, callsOf } from '../../domain/sealed-message.ts'
import type { RewriteCommand, RewriteOutcome } from '../../ports/rewrite.ts'
import { sha256 } from '../../system.ts'
import { type LookedAt, type RewrittenLog, rewriteLog } from '../rewrite-log.ts'
import { changedOutside } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import { allErased, finishErasure } from './erase.ts'
import { writeEvent } from './events.ts'
import { conversationByPk, findConversation } from './find.ts'
import { forgetDerived } from './forget.ts'
import { ownFrom } from './own-rows.ts'
import { writePurgeLine } from './purge-lines.ts'
import { readSpan, segmentsOf } from './read.ts'
import { reindex } from './reindex.ts'
import { replaceRow } from './replace-row.ts'
import { replayRows } from './replay.ts'
import { hashConversation } from './row-hash.ts'
import { type ConversationRow, formerOf, pinsCell, unhex } from './rows.ts'
import { remakeTitle } from './titles.ts'

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
  connection.run(
    `UPDATE conversations SET version = version + 1, rewrites = rewrites + 1, events = ?, pins = ?
     WHERE pk = ?`,
    number,
    pinsCell(conversation.pins.filter((seq) => !unpinned.includes(seq))),
    pk,
  )
  hashConversation(connection, pk)
  writeEvent(connection, pk, { number, at, body: event })
}
