/** What was recalled for messages: one row each, the oldest make room. */
import type { Insert } from '../../domain/insert.ts'
import { keptRows } from '../../ports/kept-rows.ts'
import type { RecordCommand } from '../../ports/state-commands.ts'
import type { Cell } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import { insertsIn, modelName } from './derived-rows.ts'

export function writeInserts(
  connection: SqliteConnection,
  pk: number,
  { model, inserts }: NonNullable<RecordCommand['recalled']>,
): void {
  for (const insert of inserts) {
    const place = [pk, modelName(model), insert.epoch, insert.before] as const
    connection.run(
      `DELETE FROM inserts WHERE conversation = ? AND model = ? AND epoch = ? AND before_seq = ?
         AND json_extract(body, '$.of') IS NOT ?`,
      ...place,
      insert.of,
    )
    connection.run(
      `INSERT OR IGNORE INTO inserts (conversation, model, epoch, before_seq, body)
       VALUES (?, ?, ?, ?, ?)`,
      ...place,
      JSON.stringify(insert),
    )
  }
  connection.run(
    `DELETE FROM inserts WHERE conversation = ? AND number <=
       (SELECT number FROM inserts WHERE conversation = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
    pk,
    pk,
    keptRows.inserts,
  )
}

/** Those of the view of a model, as one cell; the model is asked for twice. */
export const insertsOfView = `(SELECT json_group_array(json(body)) FROM
    (SELECT body FROM inserts WHERE conversation = pk AND model = ? AND epoch =
       (SELECT inserts_of FROM views WHERE conversation = pk AND model = ?)
     ORDER BY before_seq))`

export function insertsOf(cell: Cell): readonly Insert[] {
  return insertsIn(cell) ?? []
}
