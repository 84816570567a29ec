/** Receipts stay when messages change: what they tell in figures is what was done. Their words go. */
import type { Seq } from '../../domain/ids.ts'
import { hindsightRestsOn, receiptRestsOn, withoutWords } from '../../domain/rests-on.ts'
import type { SqliteConnection } from './connection.ts'
import { hindsightOf, newReceiptOf } from './receipt-rows.ts'

export function forgetWords(connection: SqliteConnection, pk: number, seq: Seq): void {
  const rows = connection.all(
    'SELECT version, body, hindsight FROM receipts WHERE conversation = ?',
    pk,
  )
  for (const row of rows) {
    const version = Number(row['version'])
    const hindsight = hindsightOf(row['hindsight'])
    if (hindsight !== null && hindsightRestsOn(hindsight, seq))
      connection.run(
        'UPDATE receipts SET hindsight = NULL WHERE conversation = ? AND version = ?',
        pk,
        version,
      )
    const receipt = newReceiptOf(row['body'])
    if (receiptRestsOn(receipt, seq))
      connection.run(
        `UPDATE receipts SET body = ?, due = NULL, left_text = NULL, expanded = NULL
         WHERE conversation = ? AND version = ?`,
        JSON.stringify(withoutWords(receipt)),
        pk,
        version,
      )
  }
}
