/** Statements that a store forgets, and with each of them something of what was purged stays. */
import { DatabaseSync } from 'node:sqlite'
import type { SqliteDriver, SqliteStatement } from 'throughline/stores/sqlite'
import type { DerivedKind } from '../../packages/throughline/src/domain/derived-row.ts'

export interface Forgotten {
  readonly statement: RegExp
  /** Only where this is among the values of the statement. */
  readonly value?: string
}

/** What a rewrite does to derived rows; commits drop rows of a key alone. */
const rewritten =
  /^(DELETE FROM derived|UPDATE derived SET bound = \?, body = \?) WHERE conversation = \? AND kind = \?($| AND position)/

const rowsOfKind = (value: DerivedKind): Forgotten => ({ statement: rewritten, value })

export const forgottenStatements: Readonly<Record<string, Forgotten>> = {
  facts: rowsOfKind('facts'),
  ledgers: rowsOfKind('ledger'),
  summaries: rowsOfKind('summary'),
  views: rowsOfKind('view'),
  'former views': rowsOfKind('version'),
  digests: rowsOfKind('digest'),
  turns: rowsOfKind('turn'),
  steps: rowsOfKind('step'),
  'the words of receipts': rowsOfKind('receipt'),
  files: { statement: /DELETE FROM files/ },
  keys: { statement: /SET key = NULL/ },
  'to write the file anew': { statement: /VACUUM|secure_delete/ },
  'to empty the write-ahead log': { statement: /wal_checkpoint/ },
}

/** A driver that leaves these statements out. */
export function forgetful(file: string, { statement, value }: Forgotten): SqliteDriver {
  const database = new DatabaseSync(file)
  const nothing: SqliteStatement = { run: () => null, get: () => ({ busy: 0 }), all: () => [] }
  return {
    // Some builds overwrite what is deleted unless they are told not to.
    exec: (sql) => database.exec(statement.test(sql) ? 'PRAGMA secure_delete = OFF' : sql),
    prepare: (sql) => {
      if (!statement.test(sql)) return database.prepare(sql)
      if (value === undefined) return nothing
      const sound = database.prepare(sql)
      return {
        ...nothing,
        run: (...values) => (values.includes(value) ? null : sound.run(...values)),
      }
    },
    close: () => database.close(),
  }
}
