/**
 * What requests taught: their log, and the calibration of each model. Written for
 * every request, so a commit here does not wait for the disk.
 */
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import type { RequestRecord } from '../../domain/request-record.ts'
import { keptRows } from '../../ports/kept-rows.ts'
import type { RecordCommand, RecordOutcome } from '../../ports/state-commands.ts'
import type { SqliteConnection } from './connection.ts'
import { modelName, requestOf } from './derived-rows.ts'
import { writeInserts } from './inserts.ts'
import { noteExpansion } from './receipts.ts'

export function record(
  connection: SqliteConnection,
  tenant: TenantId,
  { id, request, calibration, expanded, recalled }: RecordCommand,
): RecordOutcome {
  const isRequestAlone =
    calibration === undefined && expanded === undefined && recalled === undefined
  if (isRequestAlone && request !== undefined)
    return connection.unsynced(() => writeRequest(connection, { tenant, id, request }))
  return connection.writeUnsynced(() => {
    const pk = findPk(connection, tenant, id)
    if (pk === null) return { kind: 'not-found' }
    if (calibration !== undefined) writeCalibration(connection, pk, calibration)
    if (expanded !== undefined) noteExpansion(connection, pk, expanded)
    if (recalled !== undefined) writeInserts(connection, pk, recalled)
    return request === undefined
      ? { kind: 'recorded' }
      : writeRequest(connection, { tenant, id, request })
  })
}

export function readRequests(
  connection: SqliteConnection,
  pk: number,
  limit: number,
): readonly RequestRecord[] {
  return connection
    .all(
      'SELECT body FROM requests WHERE conversation = ? ORDER BY number DESC LIMIT ?',
      pk,
      Math.min(limit, keptRows.requests),
    )
    .flatMap((row) => requestOf(row['body']) ?? [])
}

function findPk(connection: SqliteConnection, tenant: TenantId, id: ConversationId): number | null {
  const row = connection.get('SELECT pk FROM conversations WHERE tenant = ? AND id = ?', tenant, id)
  return row && Number(row['pk'])
}

interface Requested {
  readonly tenant: TenantId
  readonly id: ConversationId
  readonly request: RequestRecord
}

function writeRequest(
  connection: SqliteConnection,
  { tenant, id, request }: Requested,
): RecordOutcome {
  const inserted = connection.get(
    `INSERT INTO requests (conversation, number, model, body)
     SELECT pk, coalesce((SELECT max(number) FROM requests WHERE conversation = pk), 0) + 1, ?, ?
     FROM conversations WHERE tenant = ? AND id = ?
     RETURNING conversation, number`,
    modelName(request.model),
    JSON.stringify(request),
    tenant,
    id,
  )
  if (inserted === null) return { kind: 'not-found' }
  const [pk, number] = [Number(inserted['conversation']), Number(inserted['number'])]
  // Old ones are removed some at a time; until then they are not read.
  if (number % removedAtOnce === 0)
    connection.run(
      'DELETE FROM requests WHERE conversation = ? AND number <= ?',
      pk,
      number - keptRows.requests,
    )
  return { kind: 'recorded' }
}

const removedAtOnce = 20

function writeCalibration(
  connection: SqliteConnection,
  pk: number,
  { model, calibration }: NonNullable<RecordCommand['calibration']>,
): void {
  connection.run(
    `INSERT INTO calibrations (conversation, model, touched, body)
     SELECT ?, ?, coalesce(max(touched), 0) + 1, ? FROM calibrations WHERE conversation = ?
     ON CONFLICT (conversation, model)
     DO UPDATE SET touched = excluded.touched, body = excluded.body`,
    pk,
    modelName(model),
    JSON.stringify(calibration),
    pk,
  )
  connection.run(
    `DELETE FROM calibrations WHERE conversation = ? AND touched <=
       (SELECT touched FROM calibrations WHERE conversation = ? ORDER BY touched DESC LIMIT 1 OFFSET ?)`,
    pk,
    pk,
    keptRows.calibrations,
  )
}
