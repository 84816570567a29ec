/**
 * Facts of messages, one row each, and the ledger of a conversation. A fork's own rows stand
 * before those of its source, which it sees up to its point.
 */
import type { MessageFacts } from '../domain/fact.ts'
import type { Seq } from '../domain/ids.ts'
import type { Ledger } from '../domain/ledger.ts'
import type { ConversationChanges, FactsQuery } from '../ports/store.ts'
import { factsBodies } from './facts-body.ts'
import type { Row, SqliteConnection } from './sqlite-connection.ts'
import { factsOf, ledgerOf } from './sqlite-derived-rows.ts'
import { segmentsOf } from './sqlite-read.ts'
import type { ConversationRow } from './sqlite-rows.ts'

export function writeFacts(
  connection: SqliteConnection,
  { pk, conversation }: ConversationRow,
  { rows, ledger }: NonNullable<ConversationChanges['facts']>,
): void {
  // Joined by bits: a sum is one of floating point, which is not exact for large keys.
  for (const { seq, body } of factsBodies(rows, conversation.head))
    connection.run(
      `INSERT INTO facts (place, body) VALUES ((? << 32) | ?, ?)
       ON CONFLICT (place) DO UPDATE SET body = excluded.body`,
      pk,
      seq,
      body,
    )
  connection.run(
    `INSERT INTO ledgers (conversation, body) VALUES (?, ?)
     ON CONFLICT (conversation) DO UPDATE SET body = excluded.body`,
    pk,
    JSON.stringify(ledger),
  )
}

export function readFacts(
  connection: SqliteConnection,
  row: ConversationRow,
  { span, newestFirst = false, limit }: Omit<FactsQuery, 'id'>,
): readonly MessageFacts[] {
  const most = Math.min(limit ?? Number.POSITIVE_INFINITY, row.conversation.head)
  const bodies = new Map<Seq, Row[string] | undefined>()
  for (const segment of segmentsOf(connection, row).toReversed()) {
    const to = Math.min(span.to, segment.span.to)
    if (span.from >= to) break
    // As many of each segment as are wanted of all: which of them stand first is known afterwards.
    const found = connection.all(
      newestFirst ? `${select} DESC LIMIT ?` : `${select} LIMIT ?`,
      segment.pk,
      span.from,
      segment.pk,
      to - 1,
      most,
    )
    for (const one of found) {
      const seq = Number(one['seq'])
      if (!bodies.has(seq)) bodies.set(seq, one['body'])
    }
  }
  return [...bodies]
    .sort(([left], [right]) => (newestFirst ? right - left : left - right))
    .slice(0, most)
    .flatMap(([seq, cell]) => {
      const body = factsOf(cell)
      return body === null ? [] : { seq, ...body }
    })
}

const select = `SELECT seq, body FROM facts
  WHERE place BETWEEN (? << 32) | ? AND (? << 32) | ? ORDER BY place`

export function readLedger(connection: SqliteConnection, pk: number): Ledger | null {
  return ledgerOf(connection.get('SELECT body FROM ledgers WHERE conversation = ?', pk)?.['body'])
}
