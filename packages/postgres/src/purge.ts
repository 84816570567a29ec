/** Purges conversations with all their rows, and records purges. */
import type { ConversationId, EngineEvent } from 'throughline'
import { type PurgeCommand, type PurgeOutcome, purgeSubject, sha256 } from 'throughline/stores'
import { encodeText, hexBytes, hexCell, numberOrNullCell, textCell } from './cells.ts'
import {
  findConversation,
  lockAll,
  lostRace,
  type TableName,
  type TenantTransaction,
} from './rows.ts'

/**
 * The rows are deleted, but PostgreSQL overwrites their bytes later: those of the tables after a
 * vacuum, those of its log when the log's files are used again.
 */
export const notErased = {
  erased: false,
  remains: Object.freeze(['database', 'write-ahead-log'] as const),
} as const

export async function purge(
  transaction: TenantTransaction,
  command: PurgeCommand,
): Promise<PurgeOutcome> {
  const { sql, tenant, tables } = transaction
  const found = await relatedTo(transaction, command)
  if (found === null)
    return (await wasPurged(transaction, command.id))
      ? { kind: 'already-purged', ...notErased }
      : { kind: 'not-found' }
  if (found.refused.length > 0) return { kind: 'has-forks', forks: sortIds(found.refused) }
  const pks = [...found.toPurge.keys()].sort((left, right) => left - right)
  await lockAll(transaction, pks)
  // A fork or a child may have been created before the locks were given.
  const again = await relatedTo(transaction, command)
  if (again === null || again.refused.length > 0 || !sameKeys(again.toPurge, found.toPurge))
    throw lostRace()
  const conversations = sortIds([...again.toPurge.values()])
  for (const id of conversations) {
    const messages = (await findConversation(transaction, id))?.conversation.head ?? 0
    const record = { what: 'conversation', seq: null, messages, at: command.at } as const
    await writePurgeRecord(transaction, id, record)
  }
  for (const table of rowTables)
    sql.send(
      `DELETE FROM ${tables[table]} WHERE tenant = $1 AND conversation = ANY($2::bigint[])`,
      [encodeText(tenant), pks],
    )
  sql.send(`DELETE FROM ${tables.conversations} WHERE tenant = $1 AND pk = ANY($2::bigint[])`, [
    encodeText(tenant),
    pks,
  ])
  return { kind: 'purged', conversations, ...notErased }
}

const rowTables: readonly TableName[] = [
  'messages',
  'waiting_calls',
  'answers',
  'files',
  'events',
  'derived',
  'pieces',
]

interface Related {
  readonly toPurge: ReadonlyMap<number, ConversationId>
  /** Forks that the purge must not include. */
  readonly refused: readonly ConversationId[]
}

async function relatedTo(
  transaction: TenantTransaction,
  command: PurgeCommand,
): Promise<Related | null> {
  const { sql, tenant, tables } = transaction
  const row = await findConversation(transaction, command.id)
  if (row === null) return null
  const toPurge = new Map([[row.pk, command.id]])
  const forks = new Map<number, ConversationId>()
  const select = `SELECT pk, id FROM ${tables.conversations} WHERE tenant = $1`
  // The map grows during the loop, so children of children are found too.
  for (const [pk, id] of toPurge) {
    const values = [encodeText(tenant)]
    for (const child of await sql.all(`${select} AND parent_id = $2`, [...values, encodeText(id)]))
      toPurge.set(Number(child['pk']), textCell(child['id']) as ConversationId)
    for (const fork of await sql.all(`${select} AND fork_pk = $2`, [...values, pk])) {
      const target = command.forks === 'purge' ? toPurge : forks
      target.set(Number(fork['pk']), textCell(fork['id']) as ConversationId)
    }
  }
  const refused = [...forks].filter(([pk]) => !toPurge.has(pk)).map(([, id]) => id)
  return { toPurge, refused }
}

function sameKeys(one: ReadonlyMap<number, unknown>, other: ReadonlyMap<number, unknown>): boolean {
  return one.size === other.size && [...one.keys()].every((key) => other.has(key))
}

/** In the order of the database: by UTF-8 bytes. */
function sortIds(ids: readonly ConversationId[]): readonly ConversationId[] {
  return ids.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
}

type PurgeRecord = Omit<Extract<EngineEvent, { readonly kind: 'purged' }>, 'kind'>

/** Records a purge with the hash of the id, and no purged content. */
export async function writePurgeRecord(
  { sql, tenant, tables }: TenantTransaction,
  id: ConversationId,
  { what, seq, messages, at }: Omit<PurgeRecord, 'number' | 'subject'>,
): Promise<void> {
  // Purges are numbered per tenant; this lock ends with the transaction, and is its last one.
  sql.send(`SELECT pg_advisory_xact_lock(hashtextextended($1, 7461))`, [
    `${tables.purges} ${encodeText(tenant)}`,
  ])
  await sql.all(
    `INSERT INTO ${tables.purges} (tenant, number, subject, what, seq, messages, at)
     SELECT $1, coalesce(max(number), 0) + 1, $2::bytea, $3, $4::bigint, $5::bigint, $6::bigint
     FROM ${tables.purges} WHERE tenant = $1`,
    [
      encodeText(tenant),
      hexBytes(purgeSubject(tenant as Parameters<typeof purgeSubject>[0], id, sha256)),
      what,
      seq,
      messages,
      at,
    ],
  )
}

async function wasPurged(transaction: TenantTransaction, id: ConversationId): Promise<boolean> {
  const purges = await readPurges(transaction, { purged: id, limit: null })
  return purges.some((purge) => purge.kind === 'purged' && purge.what === 'conversation')
}

/** Newest first. */
export async function readPurges(
  { sql, tenant, tables }: TenantTransaction,
  { purged: id, limit }: { readonly purged: ConversationId | null; readonly limit: number | null },
): Promise<readonly EngineEvent[]> {
  const ofTenant = tenant as Parameters<typeof purgeSubject>[0]
  const rows = await sql.all(
    `SELECT number, subject, what, seq, messages, at FROM ${tables.purges} WHERE tenant = $1
     ${id === null ? '' : 'AND subject = $3'} ORDER BY number DESC LIMIT $2`,
    [
      encodeText(tenant),
      limit,
      ...(id === null ? [] : [hexBytes(purgeSubject(ofTenant, id, sha256))]),
    ],
  )
  return rows.map((row) => ({
    kind: 'purged',
    number: Number(row['number']),
    subject: hexCell(row['subject']),
    what: row['what'] as PurgeRecord['what'],
    seq: numberOrNullCell(row['seq']),
    messages: Number(row['messages']),
    at: Number(row['at']),
  }))
}
