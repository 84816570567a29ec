/** Updates the row of a changed message, and the chains of the rows after it. */
import type { Seq } from 'throughline'
import {
  type AsyncRewrittenLog,
  answersOf,
  chainHalves,
  chainHash,
  decodeBody,
  removedMark,
  segmentMessages,
  sha256,
} from 'throughline/stores'
import { addAnswers, deleteAnswers } from './calls.ts'
import { encodeList, encodeText, hexBytes, hexCell } from './cells.ts'
import { filesAt } from './forks.ts'
import { cellsAt, chainBefore, ownMessages, updateMessage } from './read.ts'
import type { ConversationRow, Log } from './rows.ts'

/** See `RewrittenLog.replay`. Returns the chain of the log. */
export async function replayChains(
  row: ConversationRow,
  changed: { readonly from: Seq; readonly to: Seq },
): Promise<string> {
  const { head } = row.conversation
  const segmentEnd = Math.ceil(changed.to / segmentMessages) * segmentMessages
  const to = Math.max(changed.from, Math.min(head, segmentEnd))
  let chain = await chainBefore(row, changed.from)
  const [places, halves]: [Seq[], string[]] = [[], []]
  for (const found of await ownMessages(row, { from: changed.from, to }, { columns })) {
    const seq = Number(found['seq'])
    chain = chainHash(chain, hexCell(found['canonical_hash']), seq, sha256)
    const { before, within } = chainHalves(chain)
    places.push(seq)
    halves.push(within)
    if (seq % segmentMessages === 0) updateMessage(row, seq, { chain_before: hexBytes(before) })
  }
  updateHalves(row, places, halves)
  const nextSegment = Math.ceil(to / segmentMessages) * segmentMessages
  for (let first = nextSegment; first < head; first += segmentMessages) {
    const before = hexBytes(sha256(await chainBefore(row, first)))
    updateMessage(row, first, { chain_before: before })
  }
  return chainBefore(row, head)
}

const columns = 'seq, canonical_hash'

/** One statement for all rows of a segment. */
function updateHalves(
  { sql, tenant, tables, pk }: Log,
  places: readonly Seq[],
  halves: readonly string[],
): void {
  if (places.length === 0) return
  sql.send(
    `UPDATE ${tables.messages} AS messages SET chain_hash = decode(changed.half, 'hex')
     FROM unnest($3::bigint[], $4::text[]) AS changed (seq, half)
     WHERE messages.tenant = $1 AND messages.conversation = $2 AND messages.seq = changed.seq`,
    [encodeText(tenant), pk, places, halves],
  )
}

/** Replaces the message of one row, and deletes files that only the old one had. */
export async function replaceRow(
  log: Log,
  seq: Seq,
  change: Parameters<AsyncRewrittenLog['replace']>[1],
): Promise<void> {
  const { message, createdAt, removed, keepsKey, former } = change
  const { sql, tenant, tables, pk } = log
  const oldFiles = await filesAt(log, seq)
  const body = (await cellsAt(log, seq, 'body'))?.['body'] as string
  deleteAnswers(log, seq, answersOf(decodeBody(body, null).parts))
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
  for (const { sha256: hash, bytes } of message.files)
    sql.send(
      `INSERT INTO ${tables.files} AS files (tenant, conversation, sha256, seq, bytes)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant, conversation, sha256) DO UPDATE SET seq = least(files.seq, excluded.seq)`,
      [encodeText(tenant), pk, hexBytes(hash), seq, bytes],
    )
  for (const hash of new Set(oldFiles)) await settleFile(log, hash)
}

/** Assigns a file to the first message with it, or deletes it where there is none. */
async function settleFile(log: Log, sha256: string): Promise<void> {
  const { sql, tenant, tables, pk } = log
  const candidates = await sql.all(
    `SELECT seq FROM ${tables.messages}
     WHERE tenant = $1 AND conversation = $2 AND strpos(body, $3) > 0 ORDER BY seq`,
    [encodeText(tenant), pk, sha256],
  )
  const file = [encodeText(tenant), pk, hexBytes(sha256)]
  for (const { seq } of candidates) {
    // The hash may also be in the text of a message.
    if (!(await filesAt(log, Number(seq))).includes(sha256)) continue
    sql.send(
      `UPDATE ${tables.files} SET seq = $4 WHERE tenant = $1 AND conversation = $2 AND sha256 = $3`,
      [...file, Number(seq)],
    )
    return
  }
  sql.send(
    `DELETE FROM ${tables.files} WHERE tenant = $1 AND conversation = $2 AND sha256 = $3`,
    file,
  )
}
