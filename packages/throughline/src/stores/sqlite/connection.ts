/**
 * A driver with prepared statements, our error codes and transactions. A transaction is a plain
 * function that cannot await, so nothing else of this process comes between its statements.
 */
import { type ErrorCode, isThroughlineError, ThroughlineError } from '../../errors.ts'

export type Row = Readonly<Record<string, SqliteValue>>

// About a second in all: what keeps a disk from answering is over by then, or stays.
const rollbackTries = 20
const rollbackPauseMs = 50

export class SqliteConnection {
  readonly #driver: SqliteDriver
  readonly #where: string
  readonly #statements = new Map<string, SqliteStatement>()
  #closed = false
  /** A failed transaction may still be open: it ends before anything else happens. */
  #inDoubt = false
  #isRollingBack = false
  readonly #durability: 'full' | 'normal'
  /** Commits may not be waiting for the disk: they shall, before the next write. */
  #unsynced = false

  constructor(driver: SqliteDriver, where: string, durability: 'full' | 'normal') {
    this.#driver = driver
    this.#where = where
    this.#durability = durability
  }

  exec(sql: string): void {
    this.#guard(() => this.#driver.exec(sql))
  }

  run(sql: string, ...values: SqliteValue[]): void {
    this.#guard(() => this.#statement(sql, values).run(...values))
  }

  insert(table: string, cells: Row): void {
    this.run(insertion(table, cells), ...Object.values(cells))
  }

  update(table: string, cells: Row, where: string, ...values: SqliteValue[]): void {
    const changes = Object.keys(cells).map((name) => `${name} = ?`)
    const sql = `UPDATE ${table} SET ${changes.join(', ')} WHERE ${where}`
    this.run(sql, ...Object.values(cells), ...values)
  }

  get(sql: string, ...values: SqliteValue[]): Row | null {
    // The driver knows no row types; columns are named where they are read.
    return this.#guard(() => (this.#statement(sql, values).get(...values) ?? null) as Row | null)
  }

  all(sql: string, ...values: SqliteValue[]): readonly Row[] {
    return this.#guard(() => this.#statement(sql, values).all(...values) as Row[])
  }

  /** The write lock is taken first: what the function reads stays true until it has written. */
  write<Value>(action: () => Value): Value {
    if (this.#unsynced) this.#syncAgain()
    return this.#transaction('BEGIN IMMEDIATE', action)
  }

  /**
   * Without waiting for the disk: a power cut may lose all of it, but nothing that a synced
   * commit wrote.
   */
  writeUnsynced<Value>(action: () => Value): Value {
    return this.unsynced(() => this.#transaction('BEGIN IMMEDIATE', action))
  }

  /** Each statement for itself, which is quicker where there is only one. */
  unsynced<Value>(action: () => Value): Value {
    if (this.#durability !== 'full') return action()
    try {
      // Done while it is prepared, so a statement that is kept would do it once only.
      this.exec('PRAGMA synchronous = NORMAL')
      return action()
    } finally {
      this.#unsynced = true
      try {
        this.#syncAgain()
      } catch {
        // What was written is kept. The next write tries again, and is refused without it.
      }
    }
  }

  #syncAgain(): void {
    this.exec('PRAGMA synchronous = FULL')
    this.#unsynced = false
  }

  /** Every statement of the function sees the same state, whatever others write meanwhile. */
  read<Value>(action: () => Value): Value {
    return this.#transaction('BEGIN', action)
  }

  #transaction<Value>(begin: string, action: () => Value): Value {
    this.#begin(begin)
    try {
      const value = action()
      this.run('COMMIT')
      return value
    } catch (cause) {
      this.#rollBack()
      throw cause
    }
  }

  /** A failed BEGIN may have begun all the same: its answer can be lost. */
  #begin(sql: string): void {
    const wasOpen = this.#guard(() => this.#isOpen())
    try {
      this.run(sql)
    } catch (error) {
      // A transaction that its owner has open is not ours to end: it makes BEGIN fail with SQLITE_ERROR.
      if (wasOpen === false || (wasOpen === null && !isPlainSqliteError(error))) this.#rollBack()
      throw error
    }
  }

  /** Whether a transaction is open on the driver; null where the driver does not say. */
  #isOpen(): boolean | null {
    return this.#driver.isTransaction ?? this.#driver.inTransaction ?? null
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#statements.clear()
    try {
      this.#driver.close()
    } catch (cause) {
      throw storeError(cause, this.#where)
    }
  }

  #rollBack(tries = 0): void {
    this.#inDoubt = true
    try {
      // SQLite ends a transaction by itself after some errors.
      if (this.#isOpen() !== false) this.#driver.exec('ROLLBACK')
    } catch (cause) {
      // ROLLBACK without a transaction fails with SQLITE_ERROR. Otherwise we stay in doubt and try again.
      if (this.#isOpen() ?? !isPlainSqliteError(cause)) {
        this.#rollBackLater(tries + 1)
        return
      }
    }
    this.#inDoubt = false
  }

  /** No call may follow, and while the transaction is open no other process can write. */
  #rollBackLater(tries: number): void {
    if (this.#isRollingBack) return
    this.#isRollingBack = true
    const timer = setTimeout(() => {
      this.#isRollingBack = false
      if (!this.#inDoubt || this.#closed) return
      if (tries < rollbackTries) {
        this.#rollBack(tries)
        return
      }
      try {
        // Closed, a connection holds no lock, whatever is wrong with it.
        this.close()
      } catch {
        // It is of no use any more, and says so to whoever calls.
      }
    }, rollbackPauseMs)
    timer.unref?.()
  }

  #statement(sql: string, values: readonly SqliteValue[]): SqliteStatement {
    // node:sqlite refuses undefined, better-sqlite3 stores it as null: neither is ours.
    if (values.includes(undefined as never))
      throw new ThroughlineError('STORE_FAILED', `a value for "${sql}" is undefined`)
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#driver.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #guard<Value>(action: () => Value): Value {
    if (this.#closed) throw new ThroughlineError('STORE_CLOSED', `${this.#where}: was closed`)
    if (this.#inDoubt) this.#rollBack()
    if (this.#inDoubt)
      throw new ThroughlineError('STORE_FAILED', `${this.#where}: a transaction cannot be ended`)
    try {
      return action()
    } catch (cause) {
      throw storeError(cause, this.#where)
    }
  }
}

export function insertion(table: string, cells: Row): string {
  const names = Object.keys(cells)
  return `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`
}

/** The part of a SQLite library that we use: `node:sqlite`, better-sqlite3 or any of the same shape. */
export interface SqliteDriver {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  close(): unknown
  /** Whether a transaction is open, as `node:sqlite` says it; libraries that do not say it work too. */
  readonly isTransaction?: boolean | undefined
  /** The same, as better-sqlite3 and Bun say it. */
  readonly inTransaction?: boolean | undefined
}

/** A prepared statement of a driver. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown
  get(...values: SqliteValue[]): unknown
  all(...values: SqliteValue[]): unknown[]
}

/** A value that SQLite can hold. */
export type SqliteValue = null | number | string | Uint8Array

/** What SQLite's result codes mean to a user of the store, whichever library reports them. */
const codes: readonly (readonly [name: string, number: number, code: ErrorCode])[] = [
  ['SQLITE_BUSY', 5, 'STORE_BUSY'],
  ['SQLITE_LOCKED', 6, 'STORE_BUSY'],
  ['SQLITE_READONLY', 8, 'STORE_READ_ONLY'],
  ['SQLITE_CORRUPT', 11, 'STORE_CORRUPT'],
  ['SQLITE_FULL', 13, 'STORE_FULL'],
  ['SQLITE_NOTADB', 26, 'STORE_CORRUPT'],
]

export function storeError(cause: unknown, where: string): ThroughlineError {
  if (isThroughlineError(cause)) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  const known = codes.find(([name, number]) => hasCode(cause, name, number))
  return new ThroughlineError(known?.[2] ?? 'STORE_FAILED', `${where}: ${reason}`, { cause })
}

/** SQLITE_ERROR, of a driver or as the cause of an error of ours: a statement that makes no sense now. */
function isPlainSqliteError(error: unknown): boolean {
  return hasCode(isThroughlineError(error) ? error.cause : error, 'SQLITE_ERROR', 1)
}

function hasCode(cause: unknown, name: string, number: number): boolean {
  const { code, errcode } = (cause ?? {}) as { readonly code?: unknown; readonly errcode?: unknown }
  // Extended result codes carry the primary one in their low byte.
  if (typeof errcode === 'number') return (errcode & 0xff) === number
  return typeof code === 'string' && code.startsWith(name)
}
