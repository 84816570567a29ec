/**
 * Facts of messages, one row each, and the ledger of a conversation. A fork's own rows stand
 * before those of its source, which it sees up to its point.
 */
import type { MessageFacts } from '../../domain/fact.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Ledger } from '../../domain/ledger.ts'
import type { ConversationChanges } from '../../ports/commit-commands.ts'
import type { FactsQuery } from '../../ports/state-commands.ts'
import { factsBodies } from '../facts-body.ts'
import type { Row, SqliteConnection } from './connection.ts'
import { factsOf, ledgerOf } from './derived-rows.ts'
import { segmentsOf } from './read.ts'
import type { ConversationRow } from './rows.ts'

export function writeFacts(
  connection: SqliteConnection,
  { pk, conversation }: ConversationRow,
  { rows, ledger }: NonNullable<ConversationChanges['facts']>,
): void {
  // Joined by bits: a sum is one of floating point, which is not exact for large keys.
  for (const { seq, trust, body } of factsBodies(rows, conversation.head))
    connection.run(
      `INSERT INTO facts (place, trust, body) VALUES ((? << 32) | ?, ?, ?)
       ON CONFLICT (place) DO UPDATE SET trust = excluded.trust, body = excluded.body`,
      pk,
      seq,
      trust,
      body,
    )
  if (ledger === null) return
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
  { span, newestFirst = false, trust, limit }: Omit<FactsQuery, 'id'>,
): readonly MessageFacts[] {
  const most = Math.min(limit ?? Number.POSITIVE_INFINITY, row.conversation.head)
  const segments = segmentsOf(connection, row).toReversed()
  // What a fork has itself hides its source's, of whatever trust that is: so all are looked at.
  const ofEach = trust === undefined || segments.length === 1 ? most : row.conversation.head
  const cells = new Map<Seq, Row[string] | undefined>()
  const newer: number[] = []
  for (const { pk, span: shared } of segments) {
    const to = Math.min(span.to, shared.to)
    if (span.from >= to) break
    // As many of each segment as are wanted of all: which of them stand first is known afterwards.
    const found = connection.all(
      `${trust === undefined ? allRows : rowsOfTrust}${newestFirst ? ' DESC' : ''} LIMIT ?`,
      ...(trust === undefined ? [] : [trust]),
      pk,
      span.from,
      pk,
      to - 1,
      ofEach,
    )
    for (const one of found) {
      const seq = Number(one['seq'])
      const isHidden =
        trust === undefined
          ? cells.has(seq)
          : newer.some((each) => connection.get(hasRow, each, seq) !== null)
      if (!isHidden) cells.set(seq, one['body'])
    }
    newer.push(pk)
  }
  return [...cells]
    .sort(([left], [right]) => (newestFirst ? right - left : left - right))
    .slice(0, most)
    .flatMap(([seq, cell]) => {
      const body = factsOf(cell)
      return body === null ? [] : { seq, ...body }
    })
}

const range = 'place BETWEEN (? << 32) | ? AND (? << 32) | ? ORDER BY place'
const allRows = `SELECT seq, body FROM facts WHERE ${range}`
const hasRow = 'SELECT 1 FROM facts WHERE place = (? << 32) | ?'
const rowsOfTrust = `SELECT seq, body FROM facts WHERE trust = ? AND ${range}`

export function readLedger(connection: SqliteConnection, pk: number): Ledger | null {
  return ledgerOf(connection.get('SELECT body FROM ledgers WHERE conversation = ?', pk)?.['body'])
}
