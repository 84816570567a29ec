/** Updates chains, answers and marks of the rows after a changed message, page by page. */
import type { Seq } from '../../domain/ids.ts'
import { chainHash, Replay } from '../../domain/placement.ts'
import { answersOf, callsOf, isRemoved, removedMark } from '../../domain/sealed-message.ts'
import { sha256 } from '../../system.ts'
import type { RowChange } from '../rewrite-log.ts'
import { bodyCells, encodeList, hexBytes, hexCell } from './cells.ts'
import type { Row } from './connection.ts'
import { filesAt } from './forks.ts'
import { cellsAt, chainBefore, marksOf, ownMessages, updateMessage } from './read.ts'
import { messageHashCells, messageRowHash } from './row-hash.ts'
import type { ConversationRow, SqliteLog } from './rows.ts'
import { addUnansweredCall, unansweredBefore } from './unanswered-calls.ts'

/** See `RewrittenLog.replay`. */
export function replayRows(
  row: ConversationRow,
  from: Seq,
  changedCalls: ReadonlySet<string> | null,
): { readonly chain: string; readonly answering: readonly Seq[] } {
  const chain = chainBefore(row, from)
  if (changedCalls === null) return { chain: replayChains(row, from, chain), answering: [] }
  const { fork } = row
  // Before its first own message, only the source knows which calls have no result.
  const owner = fork !== null && from === fork.at ? { ...row, pk: fork.pk } : row
  const replay = new Replay({ chain, unanswered: unansweredBefore(owner, from) }, sha256)
  const answering: Seq[] = []
  const columns = `seq, canonical_hash, body, ${messageHashCells}`
  for (const found of rowsInPages(row, from, { size: bodiesPerPage, columns })) {
    const seq = Number(found['seq'])
    const { parts } = bodyCells(found, `message ${seq}`)
    const answers = answersOf(parts)
    if (answers.some((callId) => changedCalls.has(callId))) answering.push(seq)
    const removed = isRemoved({ marks: marksOf(found['marks']) })
    const canonicalHash = hexCell(found['canonical_hash'])
    const replayed = replay.take({ canonicalHash, calls: callsOf(parts), answers, removed }, seq)
    const cells = { marks: encodeList(replayed.marks), answered: encodeList(replayed.answered) }
    const row_hash = messageRowHash({ ...found, ...cells })
    updateMessage(row, seq, { chain_hash: hexBytes(replayed.chain), ...cells, row_hash })
  }
  row.connection.run('DELETE FROM waiting_calls WHERE conversation = ?', [row.pk])
  for (const call of replay.unanswered) addUnansweredCall(row, call)
  return { chain: replay.chain, answering }
}

/** Without changed calls and answers, no body has to be read. */
function replayChains(row: ConversationRow, from: Seq, before: string): string {
  let chain = before
  const columns = 'seq, canonical_hash'
  for (const found of rowsInPages(row, from, { size: hashesPerPage, columns })) {
    chain = chainHash(chain, hexCell(found['canonical_hash']), sha256)
    updateMessage(row, Number(found['seq']), { chain_hash: hexBytes(chain) })
  }
  return chain
}

const hashesPerPage = 1_000
// Fewer, because a body may be large.
const bodiesPerPage = 64

function* rowsInPages(
  row: ConversationRow,
  from: Seq,
  { size, columns }: { readonly size: number; readonly columns: string },
): Generator<Row> {
  for (let start = from; start < row.conversation.head; start += size)
    yield* ownMessages(row, { from: start, to: start + size }, { columns })
}

/** Replaces the message of one row, and deletes files that only the old one had. */
export function replaceRow(log: SqliteLog, seq: Seq, change: RowChange): void {
  const { message, createdAt, removed, keepsKey, former } = change
  const { connection, pk } = log
  const oldFiles = filesAt(log, seq)
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
