/** The conversations of a schema in PostgreSQL as records. See `Archive` of `throughline/stores`. */
import pg from 'pg'
import { type TenantId, ThroughlineError } from 'throughline'
import {
  type Archive,
  type ArchivedConversation,
  type ArchiveRecord,
  answersOf,
  decodeBody,
} from 'throughline/stores'
import { codeOf } from './calls.ts'
import { decodeText, encodeText, encodeTextOrNull, hexBytes } from './cells.ts'
import { getTypeParser, type Row, type Value } from './database.ts'
import { storeError } from './errors.ts'
import { tableNames } from './migrate.ts'

type ArchivePurge = Awaited<ReturnType<Archive['purges']>>[number]

/** The options of `postgresArchive`. */
export interface PostgresArchiveOptions {
  readonly url: string
  readonly schema: string
  /** Needed where the role sees one tenant at a time, as the role of servers does. */
  readonly tenants: readonly string[] | null
}

export async function postgresArchive(options: PostgresArchiveOptions): Promise<Archive> {
  const client = await connect(options.url)
  return new PostgresArchive(client, options)
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser } })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (cause) {
    throw storeError(cause)
  }
}

class PostgresArchive implements Archive {
  readonly #client: pg.Client
  readonly #options: PostgresArchiveOptions
  readonly #tables: ReturnType<typeof tableNames>
  #tenants: readonly string[] | null = null
  /** Tenants of what was written here, which a role may not be able to list. */
  readonly #written = new Set<string>()

  constructor(client: pg.Client, options: PostgresArchiveOptions) {
    this.#client = client
    this.#options = options
    this.#tables = tableNames(options.schema)
  }

  async #rows(text: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    try {
      return (await this.#client.query(text, values as unknown[])).rows
    } catch (cause) {
      throw storeError(cause)
    }
  }

  /** The connection is ours alone, so that the setting may stay. */
  async #actFor(tenant: string): Promise<string> {
    const encoded = encodeText(tenant)
    await this.#rows(`SELECT set_config('throughline.tenant', $1, false)`, [encoded])
    return encoded
  }

  async #allTenants(): Promise<readonly string[]> {
    if (this.#tenants !== null) return [...new Set([...this.#tenants, ...this.#written])]
    const { conversations, purges } = this.#tables
    const [limited] = await this.#rows('SELECT row_security_active($1) AS is_limited', [
      conversations,
    ])
    if (limited?.['is_limited'] !== true) {
      const rows = await this.#rows(
        `SELECT tenant FROM ${conversations} UNION SELECT tenant FROM ${purges} ORDER BY tenant`,
      )
      this.#tenants = rows.map((row) => decodeText(row['tenant'] as string))
    } else this.#tenants = this.#options.tenants
    if (this.#tenants === null)
      throw new ThroughlineError(
        'CONFIG_INVALID',
        'this role sees one tenant at a time: name the tenants, or use a role with BYPASSRLS',
      )
    return [...new Set([...this.#tenants, ...this.#written])]
  }

  async list(): Promise<readonly ArchivedConversation[]> {
    const found: ArchivedConversation[] = []
    for (const tenant of await this.#allTenants()) {
      const rows = await this.#rows(
        `SELECT pk, id, json_build_array(pk, head, version, events, rewrites, (
           SELECT json_build_array(count(*), max(number), sum(octet_length(body)))
           FROM ${this.#tables.derived} d WHERE d.tenant = c.tenant AND d.conversation = c.pk
         ))::text AS stamp FROM ${this.#tables.conversations} c WHERE tenant = $1`,
        [await this.#actFor(tenant)],
      )
      for (const { pk, id, stamp } of rows)
        found.push({
          tenant: tenant as TenantId,
          id: decodeText(id as string) as ArchivedConversation['id'],
          serial: Number(pk),
          stamp: stamp as string,
        })
    }
    return found.sort((left, right) => left.serial - right.serial)
  }

  /** A connection of its own reads one state while others write. */
  async *read({ tenant, serial }: ArchivedConversation): AsyncGenerator<ArchiveRecord> {
    const client = await connect(this.#options.url)
    const rows = async (text: string, more: readonly Value[] = []) =>
      (await client.query(text, [encodeText(tenant), serial, ...more])).rows as readonly Row[]
    const { conversations, messages, waiting_calls, files, events, derived } = this.#tables
    const own = 'WHERE tenant = $1 AND conversation = $2'
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      await client.query(`SELECT set_config('throughline.tenant', $1, true)`, [encodeText(tenant)])
      const [found] = await rows(
        `SELECT ${conversationCells} FROM ${conversations} WHERE tenant = $1 AND pk = $2`,
      )
      if (found === undefined) return
      yield record('conversation', found)
      for (let from = 0; ; ) {
        const page = await rows(
          `SELECT ${messageCells} FROM ${messages} ${own} AND seq >= $3 ORDER BY seq LIMIT $4`,
          [from, pageRows],
        )
        for (const row of page) yield record('message', row)
        if (page.length < pageRows) break
        from = Number(page.at(-1)?.['seq']) + 1
      }
      for (const row of await rows(
        `SELECT call_id, seq FROM ${waiting_calls} ${own} ORDER BY call_id, seq`,
      ))
        yield record('call', row)
      for (const { hash } of await rows(
        `SELECT encode(sha256, 'hex') AS hash FROM ${files} ${own} ORDER BY sha256`,
      ))
        for (const row of await rows(
          `SELECT encode(sha256, 'hex') AS sha256, seq, encode(bytes, 'hex') AS bytes
           FROM ${files} ${own} AND sha256 = decode($3, 'hex')`,
          [hash as string],
        ))
          yield record('file', row)
      for (const row of await rows(`SELECT number, at, body FROM ${events} ${own} ORDER BY number`))
        yield record('event', row)
      for (let after = -1; ; ) {
        const page = await rows(
          `SELECT number, kind, position, key, bound, label, body FROM ${derived} ${own}
           AND number > $3 ORDER BY number LIMIT $4`,
          [after, pageRows],
        )
        for (const { number: _, ...row } of page) yield record('row', row)
        if (page.length < pageRows) break
        after = Number(page.at(-1)?.['number'])
      }
    } catch (cause) {
      throw storeError(cause)
    } finally {
      await client.end()
    }
  }

  async write(
    { tenant, id }: Pick<ArchivedConversation, 'tenant' | 'id'>,
    records: AsyncIterable<ArchiveRecord>,
  ): Promise<number> {
    this.#written.add(tenant)
    const ofTenant = await this.#actFor(tenant)
    await this.#rows('BEGIN')
    try {
      let pk = 0
      for await (const [table, ...cells] of records) {
        if (table === 'conversation') pk = await this.#writeConversation(ofTenant, cells)
        else await this.#writeRow(table, [ofTenant, pk, ...cells])
      }
      const found = await this.#rows(
        `SELECT 1 FROM ${this.#tables.conversations} WHERE tenant = $1 AND id = $2 AND pk = $3`,
        [ofTenant, encodeText(id), pk],
      )
      if (found.length === 0)
        throw new ThroughlineError('STORE_FAILED', `the records of "${id}" are of another one`)
      await this.#rows('COMMIT')
      return pk
    } catch (cause) {
      await this.#rows('ROLLBACK').catch(() => {})
      throw cause
    }
  }

  async #writeConversation(tenant: string, cells: readonly Value[]): Promise<number> {
    const { conversations, serials } = this.#tables
    const row = Object.fromEntries(conversationNames.map((name, at) => [name, cells[at] ?? null]))
    for (const name of encodedNames) row[name] = encodeTextOrNull(row[name] as string | null)
    row['chain'] = hexBytes(String(row['chain']))
    row['tenant'] = tenant
    const [source] = await this.#rows(
      `SELECT pk FROM ${conversations} WHERE tenant = $1 AND id = $2`,
      [tenant, row['fork_id'] ?? null],
    )
    row['fork_pk'] = source === undefined ? null : Number(source['pk'])
    const names = Object.keys(row)
    const [known] = await this.#rows(
      `SELECT pk FROM ${conversations} WHERE tenant = $1 AND id = $2`,
      [tenant, row['id'] ?? null],
    )
    if (known !== undefined) await this.#deleteRows(tenant, Number(known['pk']))
    const [written] = await this.#rows(
      `INSERT INTO ${conversations} (pk, ${names.join()})
       VALUES (nextval('${serials}'), ${names.map((_, at) => `$${at + 1}`).join()})
       ON CONFLICT (tenant, id) DO UPDATE SET indexed_to = 0, indexed_pieces = 0, indexed_words = 0,
         ${names.map((name) => `${name} = excluded.${name}`).join()} RETURNING pk`,
      Object.values(row),
    )
    return Number(written?.['pk'])
  }

  async #deleteRows(tenant: string, pk: number): Promise<void> {
    for (const name of childTables)
      await this.#rows(
        `DELETE FROM ${this.#tables[name]} WHERE tenant = $1 AND conversation = $2`,
        [tenant, pk],
      )
  }

  async #writeRow(
    table: Exclude<ArchiveRecord[0], 'conversation'>,
    values: readonly Value[],
  ): Promise<void> {
    const [name, columns, places] = inserts[table]
    const cells = values.map((cell, at) =>
      textPlaces[table]?.includes(at) ? encodeTextOrNull(cell as string | null) : cell,
    )
    const number = table === 'row' ? `, nextval('${this.#tables.ages}')` : ''
    await this.#rows(
      `INSERT INTO ${this.#tables[name]} (tenant, conversation, ${columns})
       VALUES ($1, $2, ${places}${number})`,
      cells,
    )
    if (table !== 'message') return
    const [tenant, pk, seq] = values
    const { parts } = decodeBody(String(values[bodyPlace]), null)
    for (const callId of answersOf(parts))
      await this.#rows(
        `INSERT INTO ${this.#tables.answers} (tenant, conversation, code, seq)
         VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
        [tenant ?? null, pk ?? null, codeOf(callId), seq ?? null],
      )
  }

  async remove({ tenant, id }: Pick<ArchivedConversation, 'tenant' | 'id'>): Promise<void> {
    const ofTenant = await this.#actFor(tenant)
    const { conversations } = this.#tables
    const [found] = await this.#rows(
      `DELETE FROM ${conversations} WHERE tenant = $1 AND id = $2 RETURNING pk`,
      [ofTenant, encodeText(id)],
    )
    if (found !== undefined) await this.#deleteRows(ofTenant, Number(found['pk']))
  }

  async purges(): Promise<readonly ArchivePurge[]> {
    const found: ArchivePurge[] = []
    for (const tenant of await this.#allTenants()) {
      const rows = await this.#rows(
        `SELECT number, encode(subject, 'hex') AS subject, what, seq, messages, at
         FROM ${this.#tables.purges} WHERE tenant = $1 ORDER BY number`,
        [await this.#actFor(tenant)],
      )
      // Safe cast: the cells of the select, in its order.
      for (const row of rows) found.push([tenant, ...Object.values(row)] as unknown as ArchivePurge)
    }
    return found
  }

  async addPurges(purges: readonly ArchivePurge[]): Promise<void> {
    for (const [tenant, number, subject, ...cells] of purges)
      await this.#rows(
        `INSERT INTO ${this.#tables.purges} (tenant, number, subject, what, seq, messages, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
        [await this.#actFor(tenant), number, hexBytes(subject), ...cells],
      )
  }

  async lock(): Promise<() => Promise<void>> {
    const client = await connect(this.#options.url)
    await client.query('BEGIN')
    // Writers lock the row of a conversation first, and this mode refuses that; readers do not.
    await client.query(`LOCK TABLE ${this.#tables.conversations} IN EXCLUSIVE MODE`)
    return async () => {
      await client.query('ROLLBACK')
      await client.end()
    }
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}

const pageRows = 100

const childTables = [
  ...(['messages', 'waiting_calls', 'answers', 'files', 'events', 'derived', 'pieces'] as const),
]

/** Columns whose texts are encoded. */
const encodedNames = ['tenant', 'id', 'title', 'parent_id', 'parent_call', 'fork_id']

const conversationCells = `tenant, id, title, title_seq, meta, head, encode(chain, 'hex') AS chain, version,
  rewrites, events, pins, pinned_to, compaction, parent_id, parent_call, fork_id, fork_at, fork_positions,
  created_at`

const conversationNames =
  'tenant id title title_seq meta head chain version rewrites events pins pinned_to compaction parent_id parent_call fork_id fork_at fork_positions created_at'.split(
    ' ',
  )

const messageCells = `seq, created_at, key, encode(key_hash, 'hex') AS key_hash,
  encode(content_hash, 'hex') AS content_hash, encode(canonical_hash, 'hex') AS canonical_hash,
  encode(chain_hash, 'hex') AS chain_hash, encode(chain_before, 'hex') AS chain_before,
  marks, answered, origin, body, encode(raw, 'hex') AS raw, former`

const hex = (place: number) => `decode($${place}, 'hex')`
const plain = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `$${from + at}`).join()

/** The table, its columns after tenant and conversation, and the values. */
const inserts = {
  message: [
    'messages',
    `seq, created_at, key, key_hash, content_hash, canonical_hash, chain_hash, chain_before, marks,
     answered, origin, body, raw, former`,
    [plain(3, 3), hex(6), hex(7), hex(8), hex(9), hex(10), plain(11, 4), hex(15), '$16'].join(),
  ],
  call: ['waiting_calls', 'call_id, seq', plain(3, 2)],
  file: ['files', 'sha256, seq, bytes', `${hex(3)}, $4, ${hex(5)}`],
  event: ['events', 'number, at, body', plain(3, 3)],
  row: ['derived', 'kind, position, key, bound, label, body, number', plain(3, 6)],
} as const

/** Places among the values, from 0, of encoded texts; the body of a message is not one. */
const textPlaces: Readonly<Record<string, readonly number[]>> = { message: [4], row: [4, 6, 7] }
const bodyPlace = 13

function record(table: ArchiveRecord[0], row: Row): ArchiveRecord {
  const decoded = Object.entries(row).map(([name, cell]) =>
    typeof cell === 'string' && decodedNames.has(name) ? decodeText(cell) : cell,
  )
  // Safe cast: the selects have no bytes.
  return [table, ...(decoded as (string | number | null)[])]
}

const decodedNames = new Set([...encodedNames, 'key', 'label', 'body'])
