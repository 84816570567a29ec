/** An append: places given, messages written, the head moved and told of, in the transaction of its caller. */
import { chainStart } from '../../domain/conversation.ts'
import type { TenantId } from '../../domain/ids.ts'
import { type LogState, place } from '../../domain/placement.ts'
import type { AppendCommand, AppendOutcome } from '../../ports/store.ts'
import { sha256 } from '../../system.ts'
import type { SqliteConnection } from './connection.ts'
import { beginConversation } from './conversations.ts'
import { writeEvent } from './events.ts'
import { findConversation } from './find.ts'
import { logState } from './log-state.ts'
import { type ConversationRow, unhex } from './rows.ts'
import { writeEntries } from './write.ts'

const emptyLog: LogState = {
  head: 0,
  chain: chainStart,
  findKey: () => null,
  findWaitingCall: () => null,
}

export function append(
  connection: SqliteConnection,
  tenant: TenantId,
  command: AppendCommand,
): AppendOutcome {
  const found = findConversation(connection, tenant, command.id)
  const state = found === null ? emptyLog : logState(connection, found)
  const placement = place(command.messages, state, sha256, command.expectedHead)
  if (placement.kind !== 'placed') return placement
  const row =
    found ??
    beginConversation(connection, tenant, {
      id: command.id,
      title: null,
      meta: null,
      parent: null,
      forkedFrom: null,
      at: command.at,
    })
  writeEntries(
    connection,
    row.pk,
    placement.entries.filter((entry) => !entry.repeated),
  )
  if (placement.head > state.head) moveHead(connection, row, placement, command.at)
  return {
    kind: 'appended',
    serial: row.pk,
    head: placement.head,
    entries: placement.entries.map(({ seq, chain, marks, repeated }) => ({
      seq,
      chain,
      marks,
      repeated,
    })),
  }
}

function moveHead(
  connection: SqliteConnection,
  row: ConversationRow,
  to: { readonly head: number; readonly chain: string },
  at: number,
): void {
  const number = row.eventCount + 1
  const span = { from: row.conversation.head, to: to.head }
  writeEvent(connection, row.pk, { number, at, body: { kind: 'messages-appended', span } })
  connection.run(
    'UPDATE conversations SET head = ?, chain = ?, events = ? WHERE pk = ?',
    to.head,
    unhex(to.chain),
    number,
    row.pk,
  )
}
