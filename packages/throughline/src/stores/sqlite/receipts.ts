/**
 * Receipts: one row for each of the last compactions, and what is kept with it as long as
 * hindsight is waited for.
 */
import type { TenantId } from '../../domain/ids.ts'
import type { Receipt } from '../../domain/receipt.ts'
import type { Span } from '../../domain/span.ts'
import type { ConversationChanges } from '../../ports/commit-commands.ts'
import { keptRows } from '../../ports/kept-rows.ts'
import type {
  CompleteCommand,
  CompleteOutcome,
  ReceiptsQuery,
  WaitingReceipt,
} from '../../ports/receipt-commands.ts'
import { completionEvent } from '../change-events.ts'
import { withExpansion } from '../expansions.ts'
import type { Row, SqliteConnection } from './connection.ts'
import { writeEvent } from './events.ts'
import { findConversation } from './find.ts'
import { expandedOf, hindsightOf, leftOf, newReceiptOf } from './receipt-rows.ts'
import type { ConversationRow } from './rows.ts'

export function writeReceipt(
  connection: SqliteConnection,
  { pk, version }: { readonly pk: number; readonly version: number },
  { receipt, left, due }: NonNullable<ConversationChanges['receipt']>,
): void {
  connection.run(
    `INSERT INTO receipts (conversation, version, body, due, left_text, expanded)
     VALUES (?, ?, ?, ?, ?, ?)`,
    pk,
    version,
    JSON.stringify(receipt),
    due,
    due === null ? null : JSON.stringify(left),
    due === null ? null : '[]',
  )
  connection.run(
    `DELETE FROM receipts WHERE conversation = ? AND version <=
       (SELECT version FROM receipts WHERE conversation = ? ORDER BY version DESC LIMIT 1 OFFSET ?)`,
    pk,
    pk,
    keptRows.receipts,
  )
}

export function readReceipts(
  connection: SqliteConnection,
  pk: number,
  { limit, before }: Pick<ReceiptsQuery, 'limit' | 'before'>,
): readonly Receipt[] {
  return connection
    .all(
      `SELECT version, body, hindsight FROM receipts
       WHERE conversation = ? AND version < ? ORDER BY version DESC LIMIT ?`,
      pk,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    )
    .map(receiptOf)
}

export function readWaiting(
  connection: SqliteConnection,
  { pk, conversation }: ConversationRow,
  recorded: number,
): WaitingReceipt | null {
  const row = connection.get(
    `SELECT version, body, hindsight, left_text, expanded FROM receipts
     WHERE conversation = ? AND due IS NOT NULL AND due <= ? ORDER BY version LIMIT 1`,
    pk,
    recorded,
  )
  return (
    row && {
      receipt: receiptOf(row),
      serial: pk,
      rewrites: conversation.rewrites,
      left: leftOf(row['left_text']),
      expanded: expandedOf(row['expanded']),
    }
  )
}

/** In a transaction of its caller. */
export function noteExpansion(connection: SqliteConnection, pk: number, span: Span): void {
  const rows = connection.all(
    'SELECT version, expanded FROM receipts WHERE conversation = ? AND due IS NOT NULL',
    pk,
  )
  for (const row of rows)
    connection.run(
      'UPDATE receipts SET expanded = ? WHERE conversation = ? AND version = ?',
      JSON.stringify(withExpansion(expandedOf(row['expanded']), span)),
      pk,
      Number(row['version']),
    )
}

/** With an event, so it waits for the disk: a number that was read must not be given again. */
export function complete(
  connection: SqliteConnection,
  tenant: TenantId,
  { id, serial, version, rewrites, hindsight, at }: CompleteCommand,
): CompleteOutcome {
  const found = findConversation(connection, tenant, id)
  if (found === null || found.pk !== serial) return { kind: 'not-found' }
  if (found.conversation.rewrites !== rewrites) return { kind: 'rewritten' }
  const row = connection.get(
    'SELECT due FROM receipts WHERE conversation = ? AND version = ?',
    serial,
    version,
  )
  if (row === null) return { kind: 'not-found' }
  if (row['due'] === null) return { kind: 'complete-already' }
  connection.run(
    `UPDATE receipts SET hindsight = ?, due = NULL, left_text = NULL, expanded = NULL
     WHERE conversation = ? AND version = ?`,
    JSON.stringify(hindsight),
    serial,
    version,
  )
  const number = found.eventCount + 1
  writeEvent(connection, serial, { number, at, body: completionEvent(version, hindsight) })
  connection.run('UPDATE conversations SET events = ? WHERE pk = ?', number, serial)
  return { kind: 'completed' }
}

function receiptOf(row: Row): Receipt {
  return {
    version: Number(row['version']),
    ...newReceiptOf(row['body']),
    hindsight: hindsightOf(row['hindsight']),
  }
}
