/** Reads messages of one conversation. Older messages of a fork are rows of its source. */
import { chainStart } from '../../domain/conversation.ts'
import { type ConversationId, messageId, type Seq } from '../../domain/ids.ts'
import type { Mark, Message } from '../../domain/message.ts'
import { segmentMessages } from '../../domain/placement.ts'
import { clientKey } from '../../domain/sealed-message.ts'
import { text, variant } from '../../domain/shape.ts'
import type { Span } from '../../domain/span.ts'
import { assertInvariant, INVARIANT } from '../../invariants.ts'
import type { ReadQuery } from '../../ports/store.ts'
import {
  bodyCells,
  bytesCell,
  type Cell,
  changedOutside,
  hexBytes,
  hexCell,
  jsonCell,
  textOrNullCell,
  timeCell,
} from './cells.ts'
import type { Row } from './connection.ts'
import { type ConversationRow, type SqliteLog, segmentsOf } from './rows.ts'

const messageColumns =
  'seq, created_at, key, content_hash, canonical_hash, chain_hash, marks, origin, body'

function messageOf(row: Row, conversationId: ConversationId, chain: ChainReader): Message {
  const seq = Number(row['seq'])
  const what = `message ${seq} of "${conversationId}"`
  const key = textOrNullCell(row['key'], what)
  return {
    id: messageId(conversationId, seq),
    conversationId,
    seq,
    ...bodyCells(row, what),
    createdAt: timeCell(row['created_at'], what),
    key: key === null ? null : clientKey(key),
    hashes: {
      content: hexCell(row['content_hash']),
      canonical: hexCell(row['canonical_hash']),
      chain: chain(seq, row['chain_hash']),
    },
    marks: marksOf(row['marks']),
  }
}

export function marksOf(cell: Cell): readonly Mark[] {
  return jsonCell<readonly Mark[]>(cell, 'the marks of a message', [mark]) ?? []
}

const mark = variant<Mark, 'kind'>('kind', { removed: {}, 'orphan-result': { callId: text } })

/** Rows of the conversation itself, in order. */
export function ownMessages(
  { connection, pk }: SqliteLog,
  { from, to }: Span,
  { columns = messageColumns, skipped = [] as readonly Seq[] } = {},
): readonly Row[] {
  const select = `SELECT ${columns} FROM messages WHERE ${inSpan}`
  const span = [pk, from, pk, to]
  if (skipped.length === 0) return connection.all(`${select} ORDER BY place`, span)
  // Skips a row by its key alone, so that a large body is not read.
  const others = 'AND seq NOT IN (SELECT value FROM json_each(?))'
  return connection.all(`${select} ${others} ORDER BY place`, [...span, JSON.stringify(skipped)])
}

export const inSpan = 'place >= (? << 32) | ? AND place < (? << 32) | ?'
const atPlace = 'place = (? << 32) | ?'

export function cellsAt({ connection, pk }: SqliteLog, seq: Seq, columns: string): Row | null {
  return connection.get(`SELECT ${columns} FROM messages WHERE ${atPlace}`, [pk, seq])
}

export function updateMessage({ connection, pk }: SqliteLog, seq: Seq, cells: Row): void {
  connection.update('messages', cells, atPlace, [pk, seq])
}

/** Cells of a message that may be a row of its source; null where there is none. */
export function sharedCellsAt(row: ConversationRow, seq: Seq, columns: string): Row | null {
  const segment = segmentsOf(row).find(({ span }) => seq < span.to)
  return segment === undefined ? null : cellsAt(segment, seq, columns)
}

export function chainAt(row: ConversationRow, seq: Seq): string | null {
  const found = sharedCellsAt(row, seq, 'chain_hash')
  return found && chainReader(row)(seq, found['chain_hash'])
}

/** From the cell `chain_hash`. */
type ChainReader = (seq: Seq, within: Cell) => string

/** Reads the first half of chain hashes once for each segment. */
function chainReader(row: ConversationRow): ChainReader {
  let known = { first: -1, before: '' }
  return (seq, within) => {
    const first = seq - (seq % segmentMessages)
    if (known.first !== first) {
      const found = sharedCellsAt(row, first, 'chain_before')
      known = { first, before: hexCell(found?.['chain_before']) }
    }
    return known.before + hexCell(within)
  }
}

export function chainBefore(row: ConversationRow, seq: Seq): string {
  const chain = seq === 0 ? chainStart : chainAt(row, seq - 1)
  if (chain === null) throw changedOutside(`message ${seq - 1}`)
  return chain
}

export function readSpan(
  row: ConversationRow,
  span: Span,
  except: readonly Seq[] = [],
): readonly Message[] {
  const { id, head } = row.conversation
  const to = Math.min(span.to, head)
  const skipped = except.filter((seq) => seq >= span.from && seq < to)
  const chain = chainReader(row)
  const messages = segmentsOf(row).flatMap((segment) => {
    const from = Math.max(segment.span.from, span.from)
    const shared = { from, to: Math.min(segment.span.to, span.to) }
    return ownMessages(segment, shared, { skipped }).map((found) => messageOf(found, id, chain))
  })
  const expected = Math.max(0, to - span.from) - skipped.length
  assertInvariant(
    messages.length === expected,
    INVARIANT.dense,
    `conversation "${id}": ${messages.length} messages in [${span.from}, ${span.to}), not ${expected}`,
  )
  return messages
}

export function readMessages(row: ConversationRow, query: ReadQuery): readonly Message[] {
  if ('span' in query) return readSpan(row, query.span, query.except)
  const to = Math.min(query.before, row.conversation.head)
  return readSpan(row, { from: Math.max(0, to - query.limit), to })
}

export function readOriginal(row: ConversationRow, seq: Seq): Uint8Array | null {
  const found = sharedCellsAt(row, seq, 'coalesce(raw, CAST(body AS BLOB)) AS bytes')
  return found && bytesCell(found['bytes'], `message ${seq}`)
}

export function readFile(row: ConversationRow, sha256: string): Uint8Array | null {
  const select = 'SELECT bytes FROM files WHERE conversation = ? AND sha256 = ? AND seq < ?'
  for (const { connection, pk, span } of segmentsOf(row)) {
    const found = connection.get(select, [pk, hexBytes(sha256), span.to])
    if (found !== null) return bytesCell(found['bytes'], 'a file')
  }
  return null
}
