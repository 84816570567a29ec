/** Checks a database file from outside: whether it exists, can be written, and is intact. */
import type { Seq } from '../../domain/ids.ts'
import { type Row, SqliteConnection, storeError } from './connection.ts'
import { checkPath, type FileKind, fileKind, openReadOnly, unwritablePart } from './open-file.ts'
import { pendingPurges } from './purge.ts'
import {
  conversationHashCells,
  conversationRowHash,
  messageRowHash,
  messageRows,
} from './row-hash.ts'
import { checkFile, checkTables } from './schema.ts'

/** The kind of file at a path, and whether it can be written; not opened. See `inspectSqlite`. */
export function sqliteFileState(file: string): {
  readonly kind: FileKind
  readonly unwritable: 'file' | 'folder' | null
} {
  return { kind: fileKind(file), unwritable: unwritablePart(file) }
}

interface SqliteInspection {
  readonly tenants: readonly string[]
  /** Findings of SQLite's own check of pages and indexes. */
  readonly problems: readonly string[]
  /** Rows that refer to a missing row. */
  readonly orphans: number
  /** Conversations whose search index ends after their log. */
  readonly indexedTooFar: number
  /** Indexed pieces that are counted but missing. */
  readonly missingPieces: number
  readonly unfinishedPurges: number
  /** Rows that another program changed; empty unless `rows` is set. */
  readonly changedRows: readonly ChangedRow[]
}

/**
 * Checks a database file of Throughline, without changing it. With `rows`, it also compares rows
 * with their hashes, which reads the whole file, and reports up to that many. Throws for other
 * databases.
 *
 * @example
 * if (sqliteFileState('chat.db').kind === 'filled')
 *   console.log(inspectSqlite('chat.db', { rows: 20 }).problems)
 */
export function inspectSqlite(
  file: string,
  { rows = 0 }: { readonly rows?: number } = {},
): SqliteInspection {
  const label = `SQLite file "${file}"`
  try {
    checkPath(file, label)
    const connection = new SqliteConnection(openToInspect(file, label), label, 'normal')
    try {
      checkFile(connection, label)
      checkTables(connection, label)
      return {
        ...findDamage(connection),
        changedRows: [...changedRows(connection).take(rows)],
      }
    } finally {
      connection.close()
    }
  } catch (cause) {
    throw storeError(cause, label)
  }
}

function openToInspect(file: string, label: string) {
  const { kind, unwritable } = sqliteFileState(file)
  if (kind === 'empty' || unwritable !== null) return openReadOnly(file, label)
  const { DatabaseSync } = globalThis.process.getBuiltinModule('node:sqlite')
  return new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
}

function findDamage(connection: SqliteConnection): Omit<SqliteInspection, 'changedRows'> {
  const count = (sql: string) => Number(connection.get(`SELECT (${sql}) AS found`)?.['found'])
  return {
    tenants: connection
      .all("SELECT DISTINCT tenant FROM conversations WHERE tenant <> '' ORDER BY tenant")
      .map(({ tenant }) => String(tenant)),
    problems: connection
      .all('PRAGMA integrity_check(20)')
      .map((row) => String(Object.values(row)[0]))
      .filter((line) => line !== 'ok'),
    orphans: connection.all('PRAGMA foreign_key_check').length,
    indexedTooFar: count('SELECT count(*) FROM conversations WHERE indexed_to > head'),
    missingPieces: Math.max(
      0,
      count('SELECT coalesce(sum(indexed_pieces), 0) FROM conversations') -
        count('SELECT count(*) FROM pieces'),
    ),
    unfinishedPurges: pendingPurges(connection).length,
  }
}

/** What the bytes of a file are used for. See `spaceInSqlite`. */
export interface SpaceUse {
  /** A part of the file: the log, the search index, or a kind of derived rows. */
  readonly what: string
  readonly rows: number
  /** Of its pages in the file; null where SQLite lacks `dbstat`, and for kinds of derived rows. */
  readonly pageBytes: number | null
  /** Of its texts alone. */
  readonly textBytes: number | null
}

/**
 * Lists what the bytes of a database file are used for, largest first. Reads the whole file.
 *
 * @example
 * for (const { what, pageBytes } of spaceInSqlite('chat.db')) console.log(what, pageBytes)
 */
export function spaceInSqlite(file: string): readonly SpaceUse[] {
  const label = `SQLite file "${file}"`
  try {
    checkPath(file, label)
    const connection = new SqliteConnection(openToInspect(file, label), label, 'normal')
    try {
      checkFile(connection, label)
      checkTables(connection, label)
      return [...tableSpace(connection), ...kindSpace(connection)]
    } finally {
      connection.close()
    }
  } catch (cause) {
    throw storeError(cause, label)
  }
}

/** Tables with their indexes; FTS5 has several for each of ours. */
const spaceOf: readonly (readonly [what: string, table: string, text: string | null])[] = [
  ['messages', 'messages', 'length(CAST(body AS BLOB)) + coalesce(length(raw), 0)'],
  ['files', 'files', 'length(bytes)'],
  ['derived rows', 'derived', 'length(CAST(body AS BLOB))'],
  ['search index: terms', 'recall_terms', null],
  ['search index: names', 'recall_names', null],
  ['search index: pieces', 'pieces', null],
  ['search index: text of names', 'piece_names', 'length(CAST(names AS BLOB))'],
  ['events', 'events', 'length(CAST(body AS BLOB))'],
]

function tableSpace(connection: SqliteConnection): readonly SpaceUse[] {
  const pages = pagesByTable(connection)
  const named = spaceOf.map(([what, table, text]) => {
    const count = table.startsWith('recall') ? `${table}_docsize` : table
    const select = `SELECT count(*) AS rows, ${text === null ? 'NULL' : `coalesce(sum(${text}), 0)`} AS text`
    const row = connection.get(`${select} FROM ${count}`)
    const own = pages?.filter(({ of }) => of === table || of.startsWith(`${table}_`))
    return {
      what,
      rows: Number(row?.['rows']),
      pageBytes: own?.reduce((sum, { bytes }) => sum + bytes, 0) ?? null,
      textBytes: row?.['text'] === null ? null : Number(row?.['text']),
    }
  })
  return named.toSorted((left, right) => (right.pageBytes ?? 0) - (left.pageBytes ?? 0))
}

/** Null where this SQLite cannot say. */
function pagesByTable(
  connection: SqliteConnection,
): readonly { readonly of: string; readonly bytes: number }[] | null {
  try {
    return connection
      .all(
        `SELECT coalesce(tbl_name, dbstat.name) AS of, sum(pgsize) AS bytes FROM dbstat
         LEFT JOIN sqlite_schema ON sqlite_schema.name = dbstat.name GROUP BY 1`,
      )
      .map((row) => ({ of: String(row['of']), bytes: Number(row['bytes']) }))
  } catch {
    return null
  }
}

function kindSpace(connection: SqliteConnection): readonly SpaceUse[] {
  return connection
    .all(
      `SELECT kind, count(*) AS rows, sum(length(CAST(body AS BLOB))) AS text
       FROM derived GROUP BY kind ORDER BY text DESC`,
    )
    .map((row) => ({
      what: `derived rows: ${row['kind']}`,
      rows: Number(row['rows']),
      pageBytes: null,
      textBytes: Number(row['text']),
    }))
}

interface ChangedRow {
  readonly conversation: string
  /** The message; null for the conversation itself. */
  readonly seq: Seq | null
}

function* changedRows(connection: SqliteConnection): Generator<ChangedRow> {
  const idByPk = new Map<number, string>()
  const conversations = connection.all(
    `SELECT pk, row_hash, ${conversationHashCells} FROM conversations`,
  )
  for (const row of conversations) {
    idByPk.set(Number(row['pk']), String(row['id']))
    if (!hasHash(row, conversationRowHash(row)))
      yield { conversation: String(row['id']), seq: null }
  }
  for (const row of messageRows(connection))
    if (!hasHash(row, messageRowHash(row)))
      yield {
        conversation: idByPk.get(Number(row['conversation'])) ?? `${row['conversation']}`,
        seq: Number(row['seq']),
      }
}

function hasHash(row: Row, hash: Uint8Array): boolean {
  const stored = row['row_hash']
  return stored instanceof Uint8Array && Buffer.compare(stored, hash) === 0
}
