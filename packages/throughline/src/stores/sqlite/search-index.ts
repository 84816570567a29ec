/**
 * Indexing: guarded by where the index ends and by the chain of what was analysed. A piece is kept
 * where its message stands, so what a fork indexes before its point is found by all that share it.
 */
import type { Seq, TenantId } from '../../domain/ids.ts'
import type { IndexCommand, IndexOutcome } from '../../ports/store.ts'
import { checkPieces } from '../checked-pieces.ts'
import type { SqliteConnection } from './connection.ts'
import { findConversation } from './find.ts'
import { addPieces } from './pieces.ts'
import { type Segment, segmentsOf } from './read.ts'
import { hex } from './rows.ts'

export function index(
  connection: SqliteConnection,
  tenant: TenantId,
  command: IndexCommand,
): IndexOutcome {
  checkPieces(command)
  return connection.writeUnsynced(() => {
    const row = findConversation(connection, tenant, command.id)
    if (row === null) return { kind: 'not-found' }
    const { from, to, chain, pieces } = command
    const segments = segmentsOf(connection, row)
    const indexedTo = indexEnd(connection, segments)
    if (from !== indexedTo || (to > from && chainOf(connection, segments, to - 1) !== chain))
      return { kind: 'moved', indexedTo }
    for (const { pk, span } of segments) {
      if (span.to <= from || span.from >= to) continue
      const isHere = ({ seq }: { readonly seq: Seq }) => seq >= span.from && seq < span.to
      addPieces(connection, pk, pieces.filter(isHere))
      const end = Math.min(to, span.to)
      connection.run('UPDATE conversations SET indexed_to = ? WHERE pk = ?', end, pk)
    }
    return { kind: 'indexed' }
  })
}

/** Up to here all messages are indexed. */
export function indexEnd(connection: SqliteConnection, segments: readonly Segment[]): Seq {
  let end = 0
  for (const { pk, span } of segments) {
    const row = connection.get('SELECT indexed_to FROM conversations WHERE pk = ?', pk)
    end = Math.max(span.from, Math.min(Number(row?.['indexed_to']), span.to))
    if (end < span.to) break
  }
  return end
}

function chainOf(
  connection: SqliteConnection,
  segments: readonly Segment[],
  seq: Seq,
): string | null {
  const segment = segments.find(({ span }) => seq < span.to)
  if (segment === undefined) return null
  const row = connection.get(
    'SELECT chain_hash FROM messages WHERE place = (? << 32) | ?',
    segment.pk,
    seq,
  )
  return row && hex(row['chain_hash'])
}
