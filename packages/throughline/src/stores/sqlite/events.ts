/** Events: written with what they tell of, read by number. */
import type { EngineEvent, EventBody } from '../../domain/event.ts'
import type { SqliteConnection } from './connection.ts'
import { eventOf } from './rows.ts'

/** Whoever writes one counts it with its conversation. */
export function writeEvent(
  connection: SqliteConnection,
  pk: number,
  event: { readonly number: number; readonly at: number; readonly body: EventBody },
): void {
  connection.run(
    'INSERT INTO events (conversation, number, at, body) VALUES (?, ?, ?, ?)',
    pk,
    event.number,
    event.at,
    JSON.stringify(event.body),
  )
}

export function readEvents(
  connection: SqliteConnection,
  pk: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): readonly EngineEvent[] {
  return connection
    .all(
      `SELECT number, at, body FROM events
       WHERE conversation = ? AND number > ? ORDER BY number LIMIT ?`,
      pk,
      after,
      limit,
    )
    .map(eventOf)
}
