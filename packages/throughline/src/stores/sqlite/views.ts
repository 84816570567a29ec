/** Views: one row for each of the models that were served last. */
import type { ConversationChanges } from '../../ports/commit-commands.ts'
import { keptRows } from '../../ports/kept-rows.ts'
import type { SqliteConnection } from './connection.ts'
import { modelName } from './derived-rows.ts'

/** The version of the commit orders the rows: it only grows, whatever the clock does. */
export function writeView(
  connection: SqliteConnection,
  { pk, version }: { readonly pk: number; readonly version: number },
  { model, view }: NonNullable<ConversationChanges['view']>,
): void {
  if (view === null) {
    connection.run('DELETE FROM views WHERE conversation = ? AND model = ?', pk, modelName(model))
    return
  }
  connection.run(
    `INSERT INTO views (conversation, model, touched, body, inserts_of) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (conversation, model)
     DO UPDATE SET touched = excluded.touched, body = excluded.body,
       inserts_of = excluded.inserts_of`,
    pk,
    modelName(model),
    version,
    JSON.stringify(view),
    view.insertsOf ?? view.epoch,
  )
  connection.run(
    `DELETE FROM views WHERE conversation = ? AND touched <=
       (SELECT touched FROM views WHERE conversation = ? ORDER BY touched DESC LIMIT 1 OFFSET ?)`,
    pk,
    pk,
    keptRows.views,
  )
}
