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
import { checkFile } from './schema.ts'

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
      .all('SELECT DISTINCT tenant FROM conversations ORDER BY tenant')
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
