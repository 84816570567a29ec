/**
 * What a request begins with. One statement: it is of one state without a
 * transaction, and it touches no row of another model.
 */
import type { TenantId } from '../../domain/ids.ts'
import { keptRows } from '../../ports/kept-rows.ts'
import type { ConversationState, StateQuery } from '../../ports/state-commands.ts'
import { changedOutside } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import { askingOf, calibrationOf, modelName, requestOf, viewOf } from './derived-rows.ts'
import { insertsOf, insertsOfView } from './inserts.ts'
import { conversationColumns, conversationRow } from './rows.ts'

const select = `SELECT ${conversationColumns}, asking,
    (SELECT 1 FROM messages WHERE place = (pk << 32) | (head - 1)) AS newest,
    (SELECT body FROM views WHERE conversation = pk AND model = ? AND version IS NOT ?) AS view,
    ${insertsOfView} AS inserts,
    (SELECT body FROM calibrations WHERE conversation = pk AND model = ?) AS calibration,
    (SELECT body FROM requests WHERE conversation = pk AND model = ? AND number >
       (SELECT max(number) - ${keptRows.requests} FROM requests WHERE conversation = pk)
     ORDER BY number DESC LIMIT 1) AS last,
    (SELECT max(number) FROM requests WHERE conversation = pk) AS recorded,
    (SELECT min(due) FROM receipts WHERE conversation = pk AND due IS NOT NULL) AS due
  FROM conversations WHERE tenant = ? AND id = ?`

export function readState(
  connection: SqliteConnection,
  tenant: TenantId,
  query: StateQuery,
): ConversationState | null {
  const model = modelName(query.model)
  const seenVersion = query.seenVersion ?? null
  const row = connection.get(
    select,
    model,
    seenVersion,
    ...[model, model, model, model],
    tenant,
    query.id,
  )
  if (row === null) return null
  const { conversation, pk, fork } = conversationRow(row)
  // A request reads back from the end of the log, so that has to be there.
  if (row['newest'] === null && conversation.head > (fork?.at ?? 0))
    throw changedOutside(`the end of conversation "${query.id}"`)
  return {
    conversation,
    serial: pk,
    seen: conversation.version === seenVersion,
    view: viewOf(row['view']),
    inserts: insertsOf(row['inserts']),
    calibration: calibrationOf(row['calibration']),
    last: requestOf(row['last']),
    asking: askingOf(row['asking']),
    recorded: Number(row['recorded'] ?? 0),
    hindsightDue: row['due'] === null ? null : Number(row['due']),
  }
}
