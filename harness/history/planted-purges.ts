/** Statements that a store forgets, and with each of them something of what was purged stays. */
import { DatabaseSync } from 'node:sqlite'
import type { SqliteDriver, SqliteStatement } from 'throughline/stores/sqlite'

export const forgottenStatements: Readonly<Record<string, RegExp>> = {
  facts: /DELETE FROM facts/,
  ledgers: /DELETE FROM ledgers/,
  summaries: /DELETE FROM summaries/,
  views: /DELETE FROM views/,
  digests: /DELETE FROM digests/,
  turns: /UPDATE turns SET body/,
  steps: /DELETE FROM steps/,
  files: /DELETE FROM files/,
  'words of receipts': /UPDATE receipts SET body/,
  hindsight: /UPDATE receipts SET hindsight = NULL/,
  keys: /SET key = NULL/,
  'to write the file anew': /VACUUM|secure_delete/,
  'to empty the write-ahead log': /wal_checkpoint/,
}

/** A driver that leaves these statements out. */
export function forgetful(file: string, pattern: RegExp): SqliteDriver {
  const database = new DatabaseSync(file)
  const nothing: SqliteStatement = { run: () => null, get: () => ({ busy: 0 }), all: () => [] }
  return {
    // Some builds overwrite what is deleted unless they are told not to.
    exec: (sql) => database.exec(pattern.test(sql) ? 'PRAGMA secure_delete = OFF' : sql),
    prepare: (sql) => (pattern.test(sql) ? nothing : database.prepare(sql)),
    close: () => database.close(),
  }
}
