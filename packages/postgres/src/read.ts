/** Reads messages of one conversation. Older messages of a fork are rows of its source. */
import type { Message, Seq } from 'throughline'
import { ThroughlineError } from 'throughline'
import {
  chainStart,
  clientKey,
  decodeBody,
  messageId,
  type ReadQuery,
  segmentMessages,
} from 'throughline/stores'
import { bytesCell, encodeText, hexBytes, hexCell, jsonCell, textOrNullCell } from './cells.ts'
import type { Row, Value } from './database.ts'
import {
  type ConversationRow,
  findConversation,
  type Log,
  type Segment,
  segmentsOf,
  type TenantTransaction,
} from './rows.ts'

const messageColumns =
  'm.seq, m.created_at, m.key, content_hash, canonical_hash, chain_hash, chain_before, marks, origin, body'

/** One round trip, except in a fork: the conversation, and its own messages by its id. */
export async function readMessages(
  transaction: TenantTransaction,
  query: ReadQuery,
): Promise<readonly Message[] | null> {
  const { sql, tenant, tables } = transaction
  const asked = 'span' in query ? query : { span: { from: 0, to: query.before }, except: [] }
  const limit = Math.min('span' in query ? maxPlace : query.limit, maxPlace)
  const span = { from: Math.max(0, asked.span.from), to: Math.min(asked.span.to, maxPlace) }
  const { except = [] } = asked
  const [row, own] = await Promise.all([
    findConversation(transaction, query.id),
    sql.all(
      `SELECT ${messageColumns} FROM ${tables.conversations} c JOIN ${tables.messages} m
         ON m.tenant = c.tenant AND m.conversation = c.pk AND m.seq < least(c.head, $4)
           AND m.seq >= greatest($3, least(c.head, $4) - $5) AND m.seq <> ALL($6::bigint[])
       WHERE c.tenant = $1 AND c.id = $2 ORDER BY m.seq`,
      [encodeText(tenant), encodeText(query.id), span.from, span.to, limit, except],
    ),
  ])
  if (row === null) return null
  const from = Math.max(span.from, Math.min(span.to, row.conversation.head) - limit)
  return readSpan(row, { ...span, from }, { except, own: row.fork === null ? own : null })
}

const maxPlace = Number.MAX_SAFE_INTEGER

interface SpanOptions {
  readonly except?: readonly Seq[]
  /** Their rows, where these were read already. */
  readonly own?: readonly Row[] | null
}

export async function readSpan(
  row: ConversationRow,
  { from, to: end }: { readonly from: Seq; readonly to: Seq },
  { except = [], own = null }: SpanOptions = {},
): Promise<readonly Message[]> {
  const { id, head } = row.conversation
  const to = Math.min(end, head)
  const skipped = except.filter((seq) => seq >= from && seq < to)
  if (from >= to) return []
  const segments = await segmentsOf(row)
  const found = own ?? (await sharedMessages(segments, { from, to }, skipped))
  const befores = new Map<Seq, string>()
  // The first half of chain hashes, once for each segment of messages.
  for (const row of found)
    if (row['chain_before'] !== null) befores.set(Number(row['seq']), hexCell(row['chain_before']))
  const firsts = new Set(found.map((row) => firstOfSegment(Number(row['seq']))))
  for (const first of firsts)
    if (!befores.has(first)) befores.set(first, await chainFirstHalf(segments, first))
  const expected = to - from - skipped.length
  if (found.length !== expected) throw corrupt(`${found.length} messages, not ${expected}`, id)
  return found.map((row) => messageOf(row, id, befores))
}

async function sharedMessages(
  segments: readonly Segment[],
  { from, to }: Segment['span'],
  skipped: readonly Seq[],
): Promise<readonly Row[]> {
  const found: Row[] = []
  for (const segment of segments) {
    const shared = { from: Math.max(segment.span.from, from), to: Math.min(segment.span.to, to) }
    if (shared.from < shared.to) found.push(...(await ownMessages(segment, shared, { skipped })))
  }
  return found
}

function corrupt(what: string, id: string): ThroughlineError {
  return new ThroughlineError('STORE_CORRUPT', `conversation "${id}": ${what}`)
}

function messageOf(
  row: Row,
  conversationId: Message['conversationId'],
  befores: ReadonlyMap<Seq, string>,
): Message {
  const seq = Number(row['seq'])
  const key = textOrNullCell(row['key'])
  return {
    id: messageId(conversationId, seq),
    conversationId,
    seq,
    ...decodeBody(row['body'] as string, row['origin'] as string | null),
    createdAt: Number(row['created_at']),
    key: key === null ? null : clientKey(key),
    hashes: {
      content: hexCell(row['content_hash']),
      canonical: hexCell(row['canonical_hash']),
      chain: (befores.get(firstOfSegment(seq)) ?? '') + hexCell(row['chain_hash']),
    },
    marks: marksOf(row['marks']),
  }
}

function firstOfSegment(seq: Seq): Seq {
  return seq - (seq % segmentMessages)
}

async function chainFirstHalf(segments: readonly Segment[], first: Seq): Promise<string> {
  const segment = segments.find(({ span }) => first < span.to)
  const found = segment && (await cellsAt(segment, first, 'chain_before'))
  if (!found) throw corrupt(`message ${first} is missing`, '')
  return hexCell(found['chain_before'])
}

export function marksOf(cell: unknown): Message['marks'] {
  return jsonCell<Message['marks']>(cell) ?? []
}

/** Rows of the conversation itself, in order. */
export function ownMessages(
  { sql, tenant, tables, pk }: Log,
  { from, to }: { readonly from: Seq; readonly to: Seq },
  { columns = messageColumns, skipped = [] as readonly Seq[] } = {},
): Promise<readonly Row[]> {
  const select = `SELECT ${columns} FROM ${tables.messages} m
    WHERE tenant = $1 AND conversation = $2 AND seq >= $3 AND seq < $4`
  const values = [encodeText(tenant), pk, from, to]
  if (skipped.length === 0) return sql.all(`${select} ORDER BY seq`, values)
  const others = 'AND seq <> ALL($5::bigint[])'
  return sql.all(`${select} ${others} ORDER BY seq`, [...values, skipped])
}

export function cellsAt(
  { sql, tenant, tables, pk }: Log,
  seq: Seq,
  columns: string,
): Promise<Row | null> {
  return sql.get(
    `SELECT ${columns} FROM ${tables.messages} WHERE tenant = $1 AND conversation = $2 AND seq = $3`,
    [encodeText(tenant), pk, seq],
  )
}

export function updateMessage(
  { sql, tenant, tables, pk }: Log,
  seq: Seq,
  cells: Readonly<Record<string, Value>>,
): void {
  const changes = Object.keys(cells).map((name, index) => `${name} = $${index + 4}`)
  sql.send(
    `UPDATE ${tables.messages} SET ${changes.join()}
     WHERE tenant = $1 AND conversation = $2 AND seq = $3`,
    [encodeText(tenant), pk, seq, ...Object.values(cells)],
  )
}

/** Cells of a message that may be a row of its source; null where there is none. */
async function sharedCellsAt(row: ConversationRow, seq: Seq, columns: string): Promise<Row | null> {
  const segment = (await segmentsOf(row)).find(({ span }) => seq < span.to)
  return segment === undefined ? null : cellsAt(segment, seq, columns)
}

export async function chainAt(row: ConversationRow, seq: Seq): Promise<string | null> {
  const found = await sharedCellsAt(row, seq, 'chain_hash')
  if (found === null) return null
  return (
    (await chainFirstHalf(await segmentsOf(row), firstOfSegment(seq))) +
    hexCell(found['chain_hash'])
  )
}

export async function chainBefore(row: ConversationRow, seq: Seq): Promise<string> {
  const chain = seq === 0 ? chainStart : await chainAt(row, seq - 1)
  if (chain === null) throw corrupt(`message ${seq - 1} is missing`, row.conversation.id)
  return chain
}

export async function readOriginal(row: ConversationRow, seq: Seq): Promise<Uint8Array | null> {
  const columns = `coalesce(raw, convert_to(body, 'UTF8')) AS bytes`
  const found = await sharedCellsAt(row, seq, columns)
  return found && bytesCell(found['bytes'])
}

export async function readFile(row: ConversationRow, sha256: string): Promise<Uint8Array | null> {
  const { sql, tenant, tables } = row
  const select = `SELECT bytes FROM ${tables.files}
    WHERE tenant = $1 AND conversation = $2 AND sha256 = $3 AND seq < $4`
  for (const { pk, span } of await segmentsOf(row)) {
    const found = await sql.get(select, [encodeText(tenant), pk, hexBytes(sha256), span.to])
    if (found !== null) return bytesCell(found['bytes'])
  }
  return null
}
