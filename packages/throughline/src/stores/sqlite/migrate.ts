/**
 * Changes a file of the schema before this one, inside the transaction that opens it: chain hashes
 * in segments, short bodies, and a smaller search index, which is made again from the messages.
 */
import { chainStart } from '../../domain/conversation.ts'
import { encodeBody } from '../../domain/derived-body.ts'
import type { Seq } from '../../domain/ids.ts'
import { chainHalves, chainHash, segmentMessages } from '../../domain/placement.ts'
import { sha256 } from '../../system.ts'
import { hexBytes, hexCell, textCell } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import { packed } from './derived.ts'
import { chainBefore, marksOf, ownMessages, updateMessage } from './read.ts'
import { type ConversationRow, readConversation } from './rows.ts'
import { answersTable, searchTables } from './schema-data.ts'
import { addAnswers, answeredOf } from './unanswered-calls.ts'

export function migrate(connection: SqliteConnection): void {
  for (const table of ['recall_terms', 'recall_names', 'piece_words', 'pieces'])
    connection.exec(`DROP TABLE ${table}`)
  connection.exec(`${answersTable} ${searchTables}
    ALTER TABLE messages ADD COLUMN chain_before BLOB;
    UPDATE conversations SET indexed_to = 0, indexed_pieces = 0, indexed_words = 0`)
  // A source has a smaller number than its forks, which continue its chain.
  for (const { pk } of connection.all('SELECT pk FROM conversations ORDER BY pk'))
    migrateMessages(readConversation({ connection, pk: Number(pk) }))
  for (const kind of ['facts', 'ledger'] as const)
    for (const { number } of connection.all('SELECT number FROM derived WHERE kind = ?', [kind])) {
      const row = connection.get('SELECT body FROM derived WHERE number = ?', [number ?? null])
      const body = encodeBody(kind, JSON.parse(textCell(row?.['body'], 'a derived row')))
      connection.update('derived', { body: packed(kind, body) }, 'number = ?', [number ?? null])
    }
}

function migrateMessages(row: ConversationRow): void {
  const { connection, pk, fork, conversation } = row
  const first = fork?.at ?? 0
  let chain = first === 0 ? chainStart : chainBefore(row, first)
  for (let from: Seq = first; from < conversation.head; from += pageRows) {
    const span = { from, to: Math.min(conversation.head, from + pageRows) }
    for (const found of ownMessages(row, span, { columns })) {
      const seq = Number(found['seq'])
      chain = chainHash(chain, hexCell(found['canonical_hash']), seq, sha256)
      const { before, within } = chainHalves(chain)
      const chain_before = seq % segmentMessages === 0 ? hexBytes(before) : null
      updateMessage(row, seq, { chain_hash: hexBytes(within), chain_before })
      addAnswers(row, seq, [
        ...answeredOf(found['answered']).map(({ callId }) => callId),
        ...marksOf(found['marks']).flatMap((mark) => ('callId' in mark ? [mark.callId] : [])),
      ])
    }
  }
  connection.update('conversations', { chain: hexBytes(chain) }, 'pk = ?', [pk])
}

const columns = 'seq, canonical_hash, answered, marks'
const pageRows = 1_000
