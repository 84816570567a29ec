/**
 * Tool calls without a result, and the messages with results: a call adds a row to `waiting_calls`,
 * and its result deletes it and adds one to `answers`.
 */
import type { Seq } from 'throughline'
import { type PlacedEntry, type Replay, sha256 } from 'throughline/stores'
import { encodeText, jsonCell } from './cells.ts'
import type { Log } from './rows.ts'

/** A call without a result. */
export type UnansweredCall = Replay['unanswered'][number]

/** As JSON, because a call id may be any text and a column stores only well-formed text. */
export function encodeCallId(callId: string): string {
  return JSON.stringify(callId)
}

function decodeCallId(cell: unknown): string {
  return JSON.parse(cell as string) as string
}

/** A short number for the id of a call: a wrong hit costs one more read. */
export function codeOf(callId: string): number {
  return Number.parseInt(sha256(JSON.stringify(callId)).slice(0, 12), 16)
}

export function addUnansweredCalls(
  { sql, tenant, tables, pk }: Log,
  calls: readonly UnansweredCall[],
): void {
  if (calls.length === 0) return
  sql.send(
    `INSERT INTO ${tables.waiting_calls} (tenant, conversation, call_id, seq)
     SELECT $1, $2, call_id, seq FROM unnest($3::text[], $4::bigint[]) AS calls (call_id, seq)`,
    [
      encodeText(tenant),
      pk,
      calls.map(({ callId }) => encodeCallId(callId)),
      calls.map(({ seq }) => seq),
    ],
  )
}

export function deleteUnansweredCalls(
  { sql, tenant, tables, pk }: Log,
  calls: readonly UnansweredCall[],
): void {
  if (calls.length === 0) return
  sql.send(
    `DELETE FROM ${tables.waiting_calls} WHERE tenant = $1 AND conversation = $2
       AND (call_id, seq) IN (SELECT * FROM unnest($3::text[], $4::bigint[]))`,
    [
      encodeText(tenant),
      pk,
      calls.map(({ callId }) => encodeCallId(callId)),
      calls.map(({ seq }) => seq),
    ],
  )
}

export function addAnswers(log: Log, seq: Seq, callIds: readonly string[]): void {
  if (callIds.length === 0) return
  const { sql, tenant, tables, pk } = log
  sql.send(
    `INSERT INTO ${tables.answers} (tenant, conversation, code, seq)
     SELECT $1, $2, code, $4 FROM unnest($3::bigint[]) AS codes (code) ON CONFLICT DO NOTHING`,
    [encodeText(tenant), pk, callIds.map(codeOf), seq],
  )
}

export function deleteAnswers(log: Log, seq: Seq, callIds: readonly string[]): void {
  if (callIds.length === 0) return
  const { sql, tenant, tables, pk } = log
  sql.send(
    `DELETE FROM ${tables.answers} WHERE tenant = $1 AND conversation = $2
       AND code = ANY($3::bigint[]) AND seq = $4`,
    [encodeText(tenant), pk, callIds.map(codeOf), seq],
  )
}

/** Places from `from` on of messages that may have a result of one of the calls, ascending. */
export async function answersFrom(
  { sql, tenant, tables, pk }: Log,
  from: Seq,
  callIds: ReadonlySet<string>,
): Promise<readonly Seq[]> {
  const rows = await sql.all(
    `SELECT DISTINCT seq FROM ${tables.answers} WHERE tenant = $1 AND conversation = $2
       AND code = ANY($3::bigint[]) AND seq >= $4 ORDER BY seq`,
    [encodeText(tenant), pk, [...callIds].map(codeOf), from],
  )
  return rows.map((row) => Number(row['seq']))
}

/** The calls with these ids that have no result, oldest first. */
export async function unansweredOf(
  { sql, tenant, tables, pk }: Log,
  callIds: Iterable<string>,
): Promise<readonly UnansweredCall[]> {
  const rows = await sql.all(
    `SELECT call_id, seq FROM ${tables.waiting_calls}
     WHERE tenant = $1 AND conversation = $2 AND call_id = ANY($3::text[]) ORDER BY seq`,
    [encodeText(tenant), pk, Array.from(callIds, encodeCallId)],
  )
  return rows.map((row) => ({ callId: decodeCallId(row['call_id']), seq: Number(row['seq']) }))
}

/** Replaces the calls with these ids that have no result. */
export function replaceUnanswered(
  log: Log,
  callIds: ReadonlySet<string>,
  unanswered: readonly UnansweredCall[],
): void {
  const { sql, tenant, tables, pk } = log
  sql.send(
    `DELETE FROM ${tables.waiting_calls}
     WHERE tenant = $1 AND conversation = $2 AND call_id = ANY($3::text[])`,
    [encodeText(tenant), pk, Array.from(callIds, encodeCallId)],
  )
  addUnansweredCalls(log, unanswered)
}

/** The calls before `at` without a result before `at`, oldest first. */
export async function unansweredBefore(
  { sql, tenant, tables, pk }: Log,
  at: Seq,
): Promise<readonly UnansweredCall[]> {
  const waiting = await sql.all(
    `SELECT call_id, seq FROM ${tables.waiting_calls}
     WHERE tenant = $1 AND conversation = $2 AND seq < $3`,
    [encodeText(tenant), pk, at],
  )
  const answering = await sql.all(
    `SELECT answered FROM ${tables.messages}
     WHERE tenant = $1 AND conversation = $2 AND seq >= $3 AND answered IS NOT NULL`,
    [encodeText(tenant), pk, at],
  )
  return [
    ...waiting.map((row) => ({ callId: decodeCallId(row['call_id']), seq: Number(row['seq']) })),
    ...answering
      .flatMap((row) => answeredOf(row['answered']))
      .map(({ callId, callSeq }) => ({ callId, seq: callSeq })),
  ]
    .filter(({ seq }) => seq < at)
    .sort((left, right) => left.seq - right.seq)
}

export function answeredOf(cell: unknown): PlacedEntry['answered'] {
  return jsonCell<PlacedEntry['answered']>(cell) ?? []
}
