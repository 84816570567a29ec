/**
 * What was derived from messages that have changed goes with them. Whoever adds a table of derived
 * state adds it here; what is derived is named in `domain/rests-on.ts`. Turns go in a file of
 * their own.
 */
import type { Seq } from '../../domain/ids.ts'
import { insertRestsOn, summaryRestsOn, viewRestsOn } from '../../domain/rests-on.ts'
import type { SqliteConnection } from './connection.ts'
import { insertOf, summaryOf, viewOf } from './derived-rows.ts'
import { forgetWords } from './forget-words.ts'

/** Ascending. */
export function forgetDerived(
  connection: SqliteConnection,
  pk: number,
  places: readonly Seq[],
): void {
  const [first] = places
  if (first === undefined) return
  for (const seq of places) {
    connection.run('DELETE FROM facts WHERE place = (? << 32) | ?', pk, seq)
    connection.run('DELETE FROM digests WHERE conversation = ? AND seq = ?', pk, seq)
  }
  connection.run('DELETE FROM ledgers WHERE conversation = ?', pk)
  forgetSummaries(connection, pk, first)
  forgetViews(connection, pk, first)
  forgetVersions(connection, pk, first)
  forgetInserts(connection, pk, places)
  forgetWords(connection, pk, first)
}

function forgetSummaries(connection: SqliteConnection, pk: number, seq: Seq): void {
  const rows = connection.all('SELECT version, body FROM summaries WHERE conversation = ?', pk)
  for (const { version, body } of rows) {
    const record = summaryOf(body)
    if (record !== null && summaryRestsOn(record, seq))
      connection.run(
        'DELETE FROM summaries WHERE conversation = ? AND version = ?',
        pk,
        Number(version),
      )
  }
}

function forgetViews(connection: SqliteConnection, pk: number, seq: Seq): void {
  const rows = connection.all('SELECT model, body FROM views WHERE conversation = ?', pk)
  for (const { model, body } of rows) {
    const view = viewOf(body)
    if (view !== null && viewRestsOn(view, seq))
      connection.run('DELETE FROM views WHERE conversation = ? AND model = ?', pk, model as string)
  }
}

function forgetVersions(connection: SqliteConnection, pk: number, seq: Seq): void {
  const rows = connection.all(
    'SELECT version, body FROM view_versions WHERE conversation = ? AND body IS NOT NULL',
    pk,
  )
  for (const { version, body } of rows) {
    const view = viewOf(body)
    if (view !== null && viewRestsOn(view, seq))
      connection.run(
        'DELETE FROM view_versions WHERE conversation = ? AND version = ?',
        pk,
        Number(version),
      )
  }
}

function forgetInserts(connection: SqliteConnection, pk: number, places: readonly Seq[]): void {
  const rows = connection.all('SELECT number, body FROM inserts WHERE conversation = ?', pk)
  for (const { number, body } of rows) {
    const insert = insertOf(body)
    if (insert !== null && places.some((seq) => insertRestsOn(insert, seq)))
      connection.run('DELETE FROM inserts WHERE number = ?', Number(number))
  }
}
