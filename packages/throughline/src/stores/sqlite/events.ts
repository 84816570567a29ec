/** Events: written with what they tell of, read by number. */
import type { EngineEvent, EventBody } from '../../domain/event.ts'
import type { EventsQuery } from '../../ports/store.ts'
import type { SqliteConnection } from './connection.ts'
import { eventOf } from './rows.ts'

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
  query: EventsQuery,
): readonly EngineEvent[] {
  return connection
    .all(
      `SELECT number, at, body FROM events
       WHERE conversation = ? AND number > ? ORDER BY number LIMIT ?`,
      pk,
      query.after,
      query.limit,
    )
    .map(eventOf)
}
