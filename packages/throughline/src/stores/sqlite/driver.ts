/**
 * The slice of a SQLite library that we use, described and not imported:
 * `node:sqlite`, better-sqlite3 and anything of the same shape can be handed in.
 */
export interface SqliteDriver {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  close(): unknown
  /** Whether a transaction is open, as `node:sqlite` says it; libraries that do not say it work too. */
  readonly isTransaction?: boolean | undefined
  /** The same, as better-sqlite3 and Bun say it. */
  readonly inTransaction?: boolean | undefined
}

export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown
  get(...values: SqliteValue[]): unknown
  all(...values: SqliteValue[]): unknown[]
}

export type SqliteValue = null | number | string | Uint8Array
