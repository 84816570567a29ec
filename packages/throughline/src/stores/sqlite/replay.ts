/** Updates the row of a changed message, and the chains of the rows after it. */
import type { Seq } from '../../domain/ids.ts'
import { chainHalves, chainHash, segmentMessages } from '../../domain/placement.ts'
import { answersOf, removedMark } from '../../domain/sealed-message.ts'
import type { Span } from '../../domain/span.ts'
import { sha256 } from '../../system.ts'
import type { RowChange } from '../rewrite-log.ts'
import { bodyCells, encodeList, hexBytes, hexCell } from './cells.ts'
import { filesAt } from './forks.ts'
import { cellsAt, chainBefore, ownMessages, updateMessage } from './read.ts'
import { messageHashCells, messageRowHash } from './row-hash.ts'
import type { ConversationRow, SqliteLog } from './rows.ts'
import { addAnswers, deleteAnswers } from './unanswered-calls.ts'

/** See `RewrittenLog.replay`. Returns the chain of the log. */
export function replayChains(row: ConversationRow, changed: Span): string {
  const { head } = row.conversation
  const segmentEnd = Math.ceil(changed.to / segmentMessages) * segmentMessages
  const to = Math.max(changed.from, Math.min(head, segmentEnd))
  let chain = chainBefore(row, changed.from)
  for (let from = changed.from; from < to; from += pageRows)
    for (const found of ownMessages(
      row,
      { from, to: Math.min(to, from + pageRows) },
      { columns },
    )) {
      const seq = Number(found['seq'])
      chain = chainHash(chain, hexCell(found['canonical_hash']), seq, sha256)
      const { before, within } = chainHalves(chain)
      const isFirst = seq % segmentMessages === 0
      const chain_before = isFirst ? hexBytes(before) : null
      updateMessage(row, seq, { chain_hash: hexBytes(within), chain_before })
    }
  const nextSegment = Math.ceil(to / segmentMessages) * segmentMessages
  for (let first = nextSegment; first < head; first += segmentMessages)
    updateMessage(row, first, { chain_before: hexBytes(sha256(chainBefore(row, first))) })
  return chainBefore(row, head)
}

const columns = 'seq, canonical_hash'
const pageRows = 512

/** Replaces the message of one row, and deletes files that only the old one had. */
export function replaceRow(log: SqliteLog, seq: Seq, change: RowChange): void {
  const { message, createdAt, removed, keepsKey, former } = change
  const { connection, pk } = log
  const oldFiles = filesAt(log, seq)
  deleteAnswers(log, seq, answersAt(log, seq))
  addAnswers(log, seq, message.answers)
  updateMessage(log, seq, {
    body: message.body,
    raw: message.raw,
    content_hash: hexBytes(message.contentHash),
    canonical_hash: hexBytes(message.canonicalHash),
    origin: message.origins,
    marks: encodeList(removed ? [removedMark] : []),
    former: encodeList(former),
    ...(createdAt !== null && { created_at: createdAt }),
    ...(!keepsKey && { key: null, key_hash: null }),
  })
  const cells = cellsAt(log, seq, messageHashCells)
  if (cells !== null) updateMessage(log, seq, { row_hash: messageRowHash(cells) })
  for (const { sha256, bytes } of message.files)
    connection.run(
      `INSERT INTO files (conversation, sha256, seq, bytes) VALUES (?, ?, ?, ?)
       ON CONFLICT (conversation, sha256) DO UPDATE SET seq = min(seq, excluded.seq)`,
      [pk, hexBytes(sha256), seq, bytes],
    )
  for (const sha256 of new Set(oldFiles)) settleFile(log, sha256)
}

function answersAt(log: SqliteLog, seq: Seq): readonly string[] {
  return answersOf(bodyCells(cellsAt(log, seq, 'body') ?? {}, `message ${seq}`).parts)
}

/** Assigns a file to the first message with it, or deletes it where there is none. */
function settleFile(log: SqliteLog, sha256: string): void {
  const { connection, pk } = log
  const candidates = connection
    .all(
      `SELECT seq FROM messages
       WHERE place >= ? << 32 AND place < (? + 1) << 32 AND instr(body, ?) > 0 ORDER BY place`,
      [pk, pk, sha256],
    )
    .map((row) => Number(row['seq']))
  // The hash may also be in the text of a message.
  const first = candidates.find((seq) => filesAt(log, seq).includes(sha256))
  const file = 'conversation = ? AND sha256 = ?'
  if (first === undefined) connection.run(`DELETE FROM files WHERE ${file}`, [pk, hexBytes(sha256)])
  else connection.update('files', { seq: first }, file, [pk, hexBytes(sha256)])
}
