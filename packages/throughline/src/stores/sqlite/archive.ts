/** The conversations of a SQLite file as records. See `Archive`. */
import { answersOf } from '../../domain/sealed-message.ts'
import { ThroughlineError } from '../../errors.ts'
import type { Archive, ArchivedConversation, ArchivePurge, ArchiveRecord } from '../archive.ts'
import { bodyCells, hexBytes, hexCell } from './cells.ts'
import type { Row, SqliteConnection, SqliteValue } from './connection.ts'
import { deleteAtOnce } from './deletions.ts'
import { packed } from './derived.ts'
import { openConnection } from './open-connection.ts'
import { unpackText } from './packed-text.ts'
import { hashConversation, messageRowHash } from './row-hash.ts'
import { addAnswers } from './unanswered-calls.ts'

/**
 * Opens a file to copy its conversations, or to copy others into it. Other processes may use it.
 *
 * @example
 * const archive = sqliteArchive('chat.db')
 * const conversations = await archive.list()
 * await archive.close()
 */
export function sqliteArchive(file: string): Archive {
  const open = () =>
    openConnection(file, {
      ...{ durability: 'full', busyTimeoutMs: 10_000, readOnly: false, erasesAtOpen: false },
    })
  const connection = open()
  return {
    list: async () => connection.all(selectStamps).map(archived),
    read: (conversation) => readRecords(open, conversation),
    write: async ({ tenant, id }, records) => {
      connection.run('BEGIN IMMEDIATE')
      try {
        const pk = await writeRecords(connection, records)
        const found = connection.get('SELECT tenant, id FROM conversations WHERE pk = ?', [pk])
        if (found?.['tenant'] !== tenant || found['id'] !== id) throw otherConversation(id)
        connection.run('COMMIT')
        return pk
      } catch (cause) {
        connection.run('ROLLBACK')
        throw cause
      }
    },
    remove: async ({ tenant, id }) => {
      const pk = pkOf(connection, tenant, id)
      if (pk !== null) connection.write(() => deleteAtOnce(connection, pk))
    },
    purges: async () =>
      connection
        .all('SELECT tenant, number, subject, what, seq, messages, at FROM purges')
        .map((row) => {
          const { tenant, number, subject, what, seq, messages, at } = row
          // Safe cast: the cells of the select, in its order.
          const cells = [tenant, number, hexCell(subject), what, seq, messages, at]
          return cells as unknown as ArchivePurge
        }),
    addPurges: async (purges) => {
      connection.write(() => {
        for (const [tenant, number, subject, ...cells] of purges)
          connection.run(
            `INSERT INTO purges (tenant, number, subject, what, seq, messages, at, erased)
             VALUES (?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO NOTHING`,
            [tenant, number, hexBytes(subject), ...cells],
          )
      })
    },
    lock: async () => {
      const locking = open()
      locking.run('BEGIN IMMEDIATE')
      return async () => {
        locking.run('ROLLBACK')
        locking.close()
      }
    },
    close: async () => connection.close(),
  }
}

function otherConversation(id: string): ThroughlineError {
  return new ThroughlineError('STORE_FAILED', `the records of "${id}" are of another conversation`)
}

function archived(row: Row): ArchivedConversation {
  const { tenant, id, pk, stamp } = row
  return { tenant, id, serial: pk, stamp } as unknown as ArchivedConversation
}

const selectStamps = `SELECT pk, tenant, id, json_array(pk, head, version, events, rewrites,
    (SELECT json_array(count(*), max(number), sum(octet_length(body))) FROM derived
     WHERE conversation = pk)) AS stamp
  FROM conversations WHERE tenant <> '' ORDER BY pk`

const conversationCells = `tenant, id, title, title_seq, meta, head, lower(hex(chain)) AS chain, version, rewrites,
  events, pins, pinned_to, compaction, parent_id, parent_call, fork_id, fork_at, fork_positions,
  created_at`

const messageCells = `seq, created_at, key, lower(hex(key_hash)) AS key_hash, lower(hex(content_hash)) AS content_hash,
  lower(hex(canonical_hash)) AS canonical_hash, lower(hex(chain_hash)) AS chain_hash,
  iif(chain_before IS NULL, NULL, lower(hex(chain_before))) AS chain_before, marks, answered, origin, body,
  iif(raw IS NULL, NULL, lower(hex(raw))) AS raw, former`

/** A connection of its own keeps one state while others write. */
async function* readRecords(
  open: () => SqliteConnection,
  { serial: pk }: ArchivedConversation,
): AsyncGenerator<ArchiveRecord> {
  const connection = open()
  try {
    connection.run('BEGIN')
    const record = (table: ArchiveRecord[0], row: Row): ArchiveRecord => [
      table,
      // Safe cast: the selects have no bytes.
      ...(Object.values(row) as (string | number | null)[]),
    ]
    const found = connection.get(`SELECT ${conversationCells} FROM conversations WHERE pk = ?`, [
      pk,
    ])
    if (found === null) return
    yield record('conversation', found)
    const page = `SELECT ${messageCells} FROM messages
      WHERE place >= (? << 32) | ? AND place < (? + 1) << 32 ORDER BY place LIMIT ?`
    for (let from = 0; ; ) {
      const rows = connection.all(page, [pk, from, pk, pageRows])
      for (const row of rows)
        yield record('message', row['key_hash'] === '' ? { ...row, key_hash: null } : row)
      if (rows.length < pageRows) break
      from = Number(rows.at(-1)?.['seq']) + 1
    }
    for (const row of connection.all(
      'SELECT call_id, seq FROM waiting_calls WHERE conversation = ? ORDER BY call_id, seq',
      [pk],
    ))
      yield record('call', row)
    for (const { sha256 } of connection.all(
      'SELECT sha256 FROM files WHERE conversation = ? ORDER BY sha256',
      [pk],
    )) {
      const file = 'SELECT lower(hex(sha256)) AS sha256, seq, lower(hex(bytes)) AS bytes FROM files'
      const row = connection.get(`${file} WHERE conversation = ? AND sha256 = ?`, [
        pk,
        sha256 ?? null,
      ])
      if (row !== null) yield record('file', row)
    }
    for (const row of connection.all(
      'SELECT number, at, body FROM events WHERE conversation = ? ORDER BY number',
      [pk],
    ))
      yield record('event', row)
    for (const { number } of connection.all(
      'SELECT number FROM derived WHERE conversation = ? ORDER BY number',
      [pk],
    )) {
      const cells = 'kind, position, key, bound, label, body'
      const row = connection.get(`SELECT ${cells} FROM derived WHERE number = ?`, [number ?? null])
      if (row !== null)
        yield record('row', { ...row, body: unpackText(String(row['body']), 'a derived row') })
    }
  } finally {
    connection.close()
  }
}

const pageRows = 100

function pkOf(connection: SqliteConnection, tenant: string, id: string): number | null {
  const values = [tenant, id]
  const row = connection.get('SELECT pk FROM conversations WHERE tenant = ? AND id = ?', values)
  return row && Number(row['pk'])
}

/** Inside a transaction. Returns the number of the conversation. */
async function writeRecords(
  connection: SqliteConnection,
  records: AsyncIterable<ArchiveRecord>,
): Promise<number> {
  let pk = 0
  for await (const [table, ...cells] of records) {
    if (table === 'conversation') pk = writeConversation(connection, cells)
    else writers[table](connection, pk, cells)
  }
  return pk
}

type Cells = readonly SqliteValue[]

function writeConversation(connection: SqliteConnection, cells: Cells): number {
  const names = conversationCells.split(/,\s*/).map((name) => name.split(' AS ').at(-1) ?? name)
  const row: Record<string, SqliteValue> = Object.fromEntries(
    names.map((name, at) => [name, cells[at] ?? null]),
  )
  const [tenant, id] = [String(row['tenant']), String(row['id'])]
  row['chain'] = hexBytes(String(row['chain']))
  const forkId = row['fork_id'] ?? null
  row['fork_pk'] = forkId === null ? null : pkOf(connection, tenant, String(forkId))
  const known = pkOf(connection, tenant, id)
  if (known === null) connection.insert('conversations', row)
  else {
    connection.update(
      'conversations',
      { ...row, indexed_to: 0, indexed_pieces: 0, indexed_words: 0 },
      'pk = ?',
      [known],
    )
    for (const table of ['waiting_calls', 'answers', 'files', 'events', 'derived'])
      connection.run(`DELETE FROM ${table} WHERE conversation = ?`, [known])
    connection.run('DELETE FROM messages WHERE place >= ? << 32 AND place < (? + 1) << 32', [
      known,
      known,
    ])
  }
  const pk = known ?? pkOf(connection, tenant, id) ?? 0
  hashConversation({ connection, pk })
  return pk
}

const bytes = (cell: SqliteValue | undefined) =>
  cell === null || cell === undefined ? null : hexBytes(String(cell))

type WriteRow = (connection: SqliteConnection, pk: number, cells: Cells) => void

const writers: Readonly<Record<Exclude<ArchiveRecord[0], 'conversation'>, WriteRow>> = {
  message: (connection, pk, cells) => {
    const [seq, created_at, key, keyHash, content, canonical, chain, before, ...others] = cells
    const [marks, answered, origin, body, raw, former] = others
    const row: Row = {
      ...{ created_at, key, key_hash: bytes(keyHash), content_hash: bytes(content) },
      ...{
        canonical_hash: bytes(canonical),
        chain_hash: bytes(chain),
        chain_before: bytes(before),
      },
      ...{ marks, answered, origin, body, raw: bytes(raw), former },
    } as Row
    const names = Object.keys(row)
    const derived = raw === null ? null : (body ?? null)
    const hash = messageRowHash({ ...row, derived_body: derived })
    connection.run(
      `INSERT INTO messages (place, ${names.join()}, row_hash)
       VALUES ((? << 32) | ?, ${names.map(() => '?').join()}, ?)`,
      [pk, seq ?? null, ...Object.values(row), hash],
    )
    const { parts } = bodyCells({ body: body ?? null, origin: null }, `message ${seq}`)
    addAnswers({ connection, pk }, Number(seq), answersOf(parts))
  },
  call: (connection, conversation, [call_id = null, seq = null]) =>
    connection.insert('waiting_calls', { conversation, call_id, seq }),
  file: (connection, conversation, [sha256, seq = null, content]) =>
    connection.insert('files', { conversation, sha256: bytes(sha256), seq, bytes: bytes(content) }),
  event: (connection, conversation, [number = null, at = null, body = null]) =>
    connection.insert('events', { conversation, number, at, body }),
  row: (connection, conversation, cells) => {
    const [kind = null, position = null, key = null, bound = null, label = null, body] = cells
    // Safe cast: the kinds are those of the other store.
    const text = packed(kind as Parameters<typeof packed>[0], String(body))
    connection.insert('derived', { conversation, kind, position, key, bound, label, body: text })
  },
}
