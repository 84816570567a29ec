/** What an agent remembers of its turns, a row each, and what their steps brought, beside it. */
import type { StepRecord, TurnRecord } from '../../domain/turn-record.ts'
import type { Remembered, StepsQuery, TurnsQuery } from '../../ports/turn-commands.ts'
import { checkTurn } from '../checked-turn.ts'
import type { Row, SqliteConnection } from './connection.ts'
import { stepOf, turnOf } from './derived-rows.ts'
import type { ConversationRow } from './rows.ts'
import { newestTurn, turnSegmentsOf } from './turn-segments.ts'

export function writeTurn(
  connection: SqliteConnection,
  row: ConversationRow,
  remembered: Remembered,
): void {
  const { pk, conversation } = row
  checkTurn(remembered, { newest: newestTurn(connection, row), head: conversation.head })
  const { record, steps } = remembered
  connection.run(
    'INSERT INTO turns (conversation, turn, messages_from, messages_to, body) VALUES (?, ?, ?, ?, ?)',
    pk,
    record.turn,
    record.messages.from,
    record.messages.to,
    JSON.stringify(record),
  )
  for (const step of steps)
    connection.run(
      'INSERT INTO steps (conversation, turn, step, body) VALUES (?, ?, ?, ?)',
      pk,
      step.turn,
      step.step,
      JSON.stringify(step),
    )
}

export function readTurns(
  connection: SqliteConnection,
  row: ConversationRow,
  { before, limit }: Pick<TurnsQuery, 'before' | 'limit'>,
): readonly TurnRecord[] {
  const found: Row[] = []
  for (const { pk, from, to } of turnSegmentsOf(connection, row).toReversed())
    found.push(
      ...connection.all(
        `SELECT body FROM turns WHERE conversation = ? AND turn >= ? AND turn < ?
         ORDER BY turn DESC LIMIT ?`,
        pk,
        from,
        Math.min(to, before ?? to),
        limit - found.length,
      ),
    )
  return found.flatMap(({ body }) => turnOf(body) ?? [])
}

export function readSteps(
  connection: SqliteConnection,
  row: ConversationRow,
  { turn, step, limit }: Omit<StepsQuery, 'id'>,
): readonly StepRecord[] {
  const found: Row[] = []
  for (const { pk, from, to } of turnSegmentsOf(connection, row).toReversed())
    found.push(
      ...connection.all(
        `SELECT body FROM steps WHERE conversation = ? AND turn >= ? AND turn < ?
           AND step = coalesce(?, step) ORDER BY turn DESC, step DESC LIMIT ?`,
        pk,
        Math.max(from, turn ?? from),
        Math.min(to, turn === null ? to : turn + 1),
        step,
        limit - found.length,
      ),
    )
  return found.flatMap(({ body }) => stepOf(body) ?? [])
}
