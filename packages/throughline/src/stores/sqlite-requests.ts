/**
 * What requests taught: their log, and the calibration of each model. Written for
 * every request, so a commit here does not wait for the disk.
 */
import type { ConversationId, TenantId } from '../domain/ids.ts'
import type { RequestRecord } from '../domain/request-record.ts'
import { kept, type RecordCommand, type RecordOutcome } from '../ports/store.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { modelName, requestOf } from './sqlite-derived-rows.ts'

export function record(
  connection: SqliteConnection,
  tenant: TenantId,
  { id, request, calibration }: RecordCommand,
): RecordOutcome {
  const pk = findPk(connection, tenant, id)
  if (pk === null) return { kind: 'not-found' }
  if (request !== undefined) writeRequest(connection, pk, request)
  if (calibration !== undefined) writeCalibration(connection, pk, calibration)
  return { kind: 'recorded' }
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
      Math.min(limit, kept.requests),
    )
    .flatMap((row) => requestOf(row['body']) ?? [])
}

function findPk(connection: SqliteConnection, tenant: TenantId, id: ConversationId): number | null {
  const row = connection.get('SELECT pk FROM conversations WHERE tenant = ? AND id = ?', tenant, id)
  return row && Number(row['pk'])
}

function writeRequest(connection: SqliteConnection, pk: number, request: RequestRecord): void {
  const inserted = connection.get(
    `INSERT INTO requests (conversation, number, model, body)
     SELECT ?, coalesce(max(number), 0) + 1, ?, ? FROM requests WHERE conversation = ?
     RETURNING number`,
    pk,
    modelName(request.model),
    JSON.stringify(request),
    pk,
  )
  const number = Number(inserted?.['number'])
  // Old ones are removed some at a time; until then they are not read.
  if (number % removedAtOnce === 0)
    connection.run(
      'DELETE FROM requests WHERE conversation = ? AND number <= ?',
      pk,
      number - kept.requests,
    )
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
    kept.calibrations,
  )
}
