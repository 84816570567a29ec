/** Summaries by models, one row each, under the version of the commit that brought them. */

import type { Seq } from '../../domain/ids.ts'
import type { KeptSummary, SummaryRecord } from '../../domain/summary.ts'
import type { SummariesQuery } from '../../ports/state-commands.ts'
import type { RestoredView } from '../../ports/view-versions.ts'
import type { SqliteConnection } from './connection.ts'
import { summaryOf } from './derived-rows.ts'
import { segmentsOf } from './read.ts'
import type { ConversationRow } from './rows.ts'

export function writeSummary(
  connection: SqliteConnection,
  { pk, version }: { readonly pk: number; readonly version: number },
  record: SummaryRecord,
): void {
  connection.run(
    'INSERT INTO summaries (conversation, version, covers_to, body) VALUES (?, ?, ?, ?)',
    pk,
    version,
    record.covers.to,
    JSON.stringify(record),
  )
}

/** Those of a source are its own: a fork has no word in them. */
export function markSummaries(
  connection: SqliteConnection,
  pk: number,
  { withdrawn, returned }: Pick<RestoredView, 'withdrawn' | 'returned'>,
): void {
  const mark = `UPDATE summaries SET withdrawn = ? WHERE conversation = ? AND body ->> '$.id' = ?`
  for (const id of returned) connection.run(mark, 0, pk, id)
  for (const id of withdrawn) connection.run(mark, 1, pk, id)
}

export function readSummaries(
  connection: SqliteConnection,
  pk: number,
  { limit, skip }: Pick<SummariesQuery, 'limit' | 'skip'>,
): readonly KeptSummary[] {
  return connection
    .all(
      `SELECT body, withdrawn FROM summaries WHERE conversation = ?
       ORDER BY version DESC LIMIT ? OFFSET ?`,
      pk,
      limit,
      skip,
    )
    .flatMap(({ body, withdrawn }) => {
      const record = summaryOf(body)
      return record === null ? [] : [{ ...record, withdrawn: withdrawn !== 0 }]
    })
}

/** A fork looks at its own first, and then at those of its source that end before its point. */
export function readSummaryBefore(
  connection: SqliteConnection,
  row: ConversationRow,
  place: Seq,
): SummaryRecord | null {
  for (const { pk, span } of segmentsOf(connection, row).toReversed()) {
    const found = connection.get(
      `SELECT body FROM summaries WHERE conversation = ? AND covers_to <= ? AND NOT withdrawn
       ORDER BY covers_to DESC, version DESC LIMIT 1`,
      pk,
      pk === row.pk ? place : Math.min(place, span.to),
    )
    if (found !== null) return summaryOf(found['body'])
  }
  return null
}
