/**
 * Erasing the bytes of what was purged. The rows go in the commit of the purge, which also writes
 * lines that say that their bytes are not erased yet; a process that is killed after its commit
 * leaves these lines, and the next purge or the next open finishes the work.
 *
 * secure_delete zeroes cells, but rows that moved from page to page leave copies, so the file is
 * written anew; the write-ahead log, which still holds old pages, is emptied afterwards.
 */
import type { Erasure, ErasureRemains } from '../../ports/rewrite.ts'
import type { SqliteConnection } from './connection.ts'

/** Nothing was purged, or everything that was is erased. */
export const allErased: Erasure = { erased: true, remains: [] }

/** The rows are gone whatever happens here, so a failure is an answer and not an error. */
export function finishErasure(connection: SqliteConnection): Erasure {
  try {
    const pending = pendingPurges(connection)
    if (pending.length === 0) return allErased
    const remains = overwriteOldPages(connection)
    if (remains.length === 0) markErased(connection, pending)
    return { erased: remains.length === 0, remains }
  } catch {
    return { erased: false, remains: ['database', 'write-ahead-log'] }
  }
}

/** What a killed process has left, unless that takes too long for whoever only opens the file. */
export function finishErasureAtOpen(connection: SqliteConnection): void {
  const pages = Number(connection.get('PRAGMA page_count')?.['page_count'])
  const pageBytes = Number(connection.get('PRAGMA page_size')?.['page_size'])
  if (pages * pageBytes <= bytesAtOpenMax) finishErasure(connection)
}

/** Written anew in about a second. */
const bytesAtOpenMax = 256 * 1024 * 1024

/** How many purges have left bytes that may still be there. */
export function unfinishedPurges(connection: SqliteConnection): number {
  return pendingPurges(connection).length
}

/** Tenant and number of each, as JSON; read before the work, because another process may purge meanwhile. */
function pendingPurges(connection: SqliteConnection): readonly string[] {
  return connection
    .all('SELECT json_array(tenant, number) AS line FROM purges WHERE NOT erased')
    .map(({ line }) => String(line))
}

function markErased(connection: SqliteConnection, lines: readonly string[]): void {
  connection.run(
    `UPDATE purges SET erased = 1 WHERE (tenant, number) IN
       (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
    `[${lines.join()}]`,
  )
}

function overwriteOldPages(connection: SqliteConnection): readonly ErasureRemains[] {
  const patienceMs = Number(connection.get('PRAGMA busy_timeout')?.['timeout'])
  try {
    // It waits for readers while it holds the write lock, so it must not wait long.
    connection.exec('PRAGMA busy_timeout = 50')
    const vacuumed = succeeds(() => connection.exec('VACUUM'))
    const { copied, emptied } = checkpoint(connection)
    return [
      ...(vacuumed && copied ? [] : ['database' as const]),
      ...(emptied ? [] : ['write-ahead-log' as const]),
    ]
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${patienceMs}`)
  }
}

/** Whether every page of the log is in the file, and whether the log is empty. */
function checkpoint(connection: SqliteConnection): {
  readonly copied: boolean
  readonly emptied: boolean
} {
  try {
    const row = connection.get('PRAGMA wal_checkpoint(TRUNCATE)')
    return {
      copied: Number(row?.['checkpointed']) === Number(row?.['log']),
      emptied: Number(row?.['busy']) === 0,
    }
  } catch {
    return { copied: false, emptied: false }
  }
}

function succeeds(action: () => void): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}
