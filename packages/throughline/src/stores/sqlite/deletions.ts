/**
 * Deletes conversations with all their rows. In a large file that takes seconds, so the conversation is
 * hidden first, in the transaction of its purge: it gets a tenant that no caller can have. The thread that
 * erases the file then deletes its rows in steps, and after a kill the next erasure does.
 */
import type { Seq } from '../../domain/ids.ts'
import { maxSearchable, pieceKey } from '../../domain/search-index.ts'
import type { SqliteConnection } from './connection.ts'
import { pieceTables } from './pieces.ts'
import { hashConversation } from './row-hash.ts'

/** No id is empty. */
const hiddenTenant = ''

/** Inside a transaction. */
export function deleteAtOnce(connection: SqliteConnection, pk: number): void {
  for (const sql of deletionsOf(pk, [])) connection.exec(sql)
}

/** Inside a transaction. Nothing of the caller's remains in the row, apart from messages. */
export function hideConversation(connection: SqliteConnection, pk: number): void {
  connection.run(
    `UPDATE conversations SET tenant = ?, id = CAST(pk AS TEXT), title = NULL, title_seq = NULL,
       meta = NULL, compaction = NULL, parent_id = NULL, parent_call = NULL, fork_id = NULL
     WHERE pk = ?`,
    [hiddenTenant, pk],
  )
  hashConversation({ connection, pk })
}

/** Statements that delete all hidden conversations, each in a short time. */
export function pendingDeletions(connection: SqliteConnection): readonly string[] {
  // A fork is newer than its source and refers to it, so the newest are deleted first.
  return connection
    .all('SELECT pk, head FROM conversations WHERE tenant = ? ORDER BY pk DESC', [hiddenTenant])
    .flatMap(({ pk, head }) => {
      const steps = Math.floor(Number(head) / messagesAtOnce)
      return deletionsOf(
        Number(pk),
        Array.from({ length: steps }, (_, step) => (step + 1) * messagesAtOnce),
      )
    })
}

const messagesAtOnce = 10_000

/** `cuts`: the places between two steps. */
function deletionsOf(pk: number, cuts: readonly Seq[]): readonly string[] {
  const ends = [...cuts, maxSearchable]
  return [
    ...ends.flatMap((to, index) => [
      ...pieceTables.map((table) => {
        const [first, end] = [ends[index - 1] ?? 0, to].map((seq) => pieceKey(seq, 0))
        return `DELETE FROM ${table} WHERE rowid >= (${pk} << 36) + ${first}
          AND rowid < (${pk} << 36) + ${end}`
      }),
      `DELETE FROM messages WHERE place >= (${pk} << 32) + ${ends[index - 1] ?? 0}
        AND place < (${pk} << 32) + ${to}`,
    ]),
    `DELETE FROM messages WHERE place >= ${pk} << 32 AND place < ${pk + 1} << 32`,
    `DELETE FROM derived WHERE conversation = ${pk}`,
    // Other rows follow by foreign keys.
    `DELETE FROM conversations WHERE pk = ${pk}`,
  ]
}
