/**
 * Adds prepared statements, our error codes and transactions to a driver. A transaction is a
 * synchronous function, so no other code of this process runs between its statements.
 */
import { type ErrorCode, isThroughlineError, ThroughlineError } from '../../errors.ts'

export type Row = Readonly<Record<string, SqliteValue>>

// About a second in all: longer failures of a disk are permanent.
const maxRollbackTries = 20
const rollbackPauseMs = 50

export class SqliteConnection {
  readonly #driver: SqliteDriver
  /** Names the file or the driver in errors. */
  readonly #label: string
  readonly #statements = new Map<string, SqliteStatement>()
  #isClosed = false
  /** A failed transaction may still be open, and must end before the next statement. */
  #isTransactionInDoubt = false
  #isRollbackScheduled = false
  readonly #durability: 'full' | 'normal'
  /** Sync may still be off after `withoutSync`, and must be on before the next write. */
  #isSyncInDoubt = false

  /** Inside of `group`, where each write is a part of the whole. */
  #isGrouped = false

  /** The path, where the store opened the file itself. */
  readonly file: string | null
  #erasing: Promise<unknown> | null = null

  constructor(
    driver: SqliteDriver,
    label: string,
    durability: 'full' | 'normal',
    file: string | null = null,
  ) {
    this.#driver = driver
    this.#label = label
    this.#durability = durability
    this.file = file
  }

  /** Writes wait for this work of another thread, which has the write lock. */
  async erase<Value>(work: () => Promise<Value>): Promise<Value> {
    const running = this.afterErasure(work)
    const ended = running
      .catch(() => {})
      .then(() => {
        if (this.#erasing === ended) this.#erasing = null
      })
    this.#erasing = ended
    return running
  }

  /** At once, unless another thread erases. */
  async afterErasure<Value>(action: () => Value | Promise<Value>): Promise<Value> {
    while (this.#erasing !== null) await this.#erasing
    return action()
  }

  exec(sql: string): void {
    this.#guard(() => this.#driver.exec(sql))
  }

  run(sql: string, values: readonly SqliteValue[] = []): void {
    this.#guard(() => this.#statement(sql, values).run(...values))
  }

  insert(table: string, cells: Row): void {
    this.run(insertSql(table, cells), Object.values(cells))
  }

  update(table: string, cells: Row, where: string, values: readonly SqliteValue[]): void {
    const changes = Object.keys(cells).map((name) => `${name} = ?`)
    const sql = `UPDATE ${table} SET ${changes.join(', ')} WHERE ${where}`
    this.run(sql, [...Object.values(cells), ...values])
  }

  get(sql: string, values: readonly SqliteValue[] = []): Row | null {
    // Drivers have no row types; the callers check columns.
    return this.#guard(() => (this.#statement(sql, values).get(...values) ?? null) as Row | null)
  }

  all(sql: string, values: readonly SqliteValue[] = []): readonly Row[] {
    return this.#guard(() => this.#statement(sql, values).all(...values) as Row[])
  }

  /** One transaction of several writes: all of them are stored, or none. */
  group<Value>(isSynced: boolean, action: () => Value): Value {
    const grouped = () => {
      this.#isGrouped = true
      try {
        return action()
      } finally {
        this.#isGrouped = false
      }
    }
    return isSynced ? this.write(grouped) : this.writeWithoutSync(grouped)
  }

  /** Takes the write lock first, so that the data it reads cannot change before it writes. */
  write<Value>(action: () => Value): Value {
    if (this.#isSyncInDoubt && !this.#isGrouped) this.#restoreSync()
    return this.#transaction('BEGIN IMMEDIATE', action)
  }

  /** A transaction that does not wait for the disk: a power cut may lose it, and only it. */
  writeWithoutSync<Value>(action: () => Value): Value {
    return this.withoutSync(() => this.#transaction('BEGIN IMMEDIATE', action))
  }

  /** The same without a transaction, which is faster for a single statement. */
  withoutSync<Value>(action: () => Value): Value {
    if (this.#durability !== 'full' || this.#isGrouped) return action()
    try {
      // SQLite applies this pragma when it prepares it, so a cached statement would apply it once.
      this.exec('PRAGMA synchronous = NORMAL')
      return action()
    } finally {
      this.#isSyncInDoubt = true
      try {
        this.#restoreSync()
      } catch {
        // The write itself is done. The next write restores the sync first, or fails.
      }
    }
  }

  #restoreSync(): void {
    this.exec('PRAGMA synchronous = FULL')
    this.#isSyncInDoubt = false
  }

  /** All statements of the function see the same state, whatever other processes write. */
  read<Value>(action: () => Value): Value {
    return this.#transaction('BEGIN', action)
  }

  #transaction<Value>(begin: string, action: () => Value): Value {
    if (this.#isGrouped) return action()
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

  /** A failed BEGIN may still have opened a transaction, if only its answer was lost. */
  #begin(sql: string): void {
    const wasOpen = this.#guard(() => this.#isOpen())
    try {
      this.run(sql)
    } catch (error) {
      // A transaction that the caller opened makes BEGIN fail with SQLITE_ERROR, and stays open.
      const isOurs = wasOpen === null ? !isPlainSqliteError(error) : !wasOpen
      if (isOurs) this.#rollBack()
      throw error
    }
  }

  /** Whether a transaction is open; null where the driver does not report it. */
  #isOpen(): boolean | null {
    return this.#driver.isTransaction ?? this.#driver.inTransaction ?? null
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      this.#driver.close()
    } catch (cause) {
      throw storeError(cause, this.#label)
    }
  }

  #rollBack(tries = 0): void {
    this.#isTransactionInDoubt = true
    try {
      // After some errors SQLite ends the transaction automatically.
      if (this.#isOpen() !== false) this.#driver.exec('ROLLBACK')
    } catch (cause) {
      // ROLLBACK without a transaction fails with SQLITE_ERROR. After other errors it is tried
      // again.
      if (this.#isOpen() ?? !isPlainSqliteError(cause)) {
        this.#rollBackLater(tries + 1)
        return
      }
    }
    this.#isTransactionInDoubt = false
  }

  /** Needs a timer: an open transaction blocks other processes even if no call follows. */
  #rollBackLater(tries: number): void {
    if (this.#isRollbackScheduled) return
    this.#isRollbackScheduled = true
    const timer = setTimeout(() => {
      this.#isRollbackScheduled = false
      if (!this.#isTransactionInDoubt || this.#isClosed) return
      if (tries < maxRollbackTries) {
        this.#rollBack(tries)
        return
      }
      try {
        // A closed connection has no lock.
        this.close()
      } catch {
        // The connection is unusable, and later calls fail.
      }
    }, rollbackPauseMs)
    timer.unref?.()
  }

  #statement(sql: string, values: readonly SqliteValue[]): SqliteStatement {
    // Drivers differ: node:sqlite refuses undefined, better-sqlite3 stores null.
    if (values.includes(undefined as never))
      throw new ThroughlineError('STORE_FAILED', `a value for "${sql}" is undefined`)
    const statement = this.#statements.get(sql) ?? this.#driver.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #guard<Value>(action: () => Value): Value {
    if (this.#isClosed) throw new ThroughlineError('STORE_CLOSED', `${this.#label} was closed`)
    if (this.#isTransactionInDoubt) this.#rollBack()
    if (this.#isTransactionInDoubt)
      throw new ThroughlineError(
        'STORE_FAILED',
        `${this.#label}: a failed transaction cannot be rolled back; close the store and open it again`,
      )
    try {
      return action()
    } catch (cause) {
      throw storeError(cause, this.#label)
    }
  }
}

export function insertSql(table: string, cells: Row): string {
  const names = Object.keys(cells)
  return `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`
}

/** The part of a SQLite library that the store uses: `node:sqlite`, better-sqlite3 or similar. */
export interface SqliteDriver {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  close(): unknown
  /** Whether a transaction is open (`node:sqlite`); optional. */
  readonly isTransaction?: boolean | undefined
  /** The same in better-sqlite3 and Bun. */
  readonly inTransaction?: boolean | undefined
}

/** A prepared statement of a driver. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown
  get(...values: SqliteValue[]): unknown
  all(...values: SqliteValue[]): unknown[]
}

/** A value that SQLite can store. */
export type SqliteValue = null | number | string | Uint8Array

/** Error codes for SQLite's result codes, as any library reports them. */
const errorCodes: readonly (readonly [name: string, number: number, code: ErrorCode])[] = [
  ['SQLITE_BUSY', 5, 'STORE_BUSY'],
  ['SQLITE_LOCKED', 6, 'STORE_BUSY'],
  ['SQLITE_READONLY', 8, 'STORE_READ_ONLY'],
  ['SQLITE_CORRUPT', 11, 'STORE_CORRUPT'],
  ['SQLITE_FULL', 13, 'STORE_FULL'],
  ['SQLITE_NOTADB', 26, 'STORE_CORRUPT'],
]

export function storeError(cause: unknown, label: string): ThroughlineError {
  if (isThroughlineError(cause)) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  const known = errorCodes.find(([name, number]) => hasCode(cause, name, number))
  return new ThroughlineError(known?.[2] ?? 'STORE_FAILED', `${label}: ${reason}`, { cause })
}

/** SQLITE_ERROR from a driver, or as the cause of our error: the statement is not valid now. */
function isPlainSqliteError(error: unknown): boolean {
  return hasCode(isThroughlineError(error) ? error.cause : error, 'SQLITE_ERROR', 1)
}

function hasCode(cause: unknown, name: string, number: number): boolean {
  const { code, errcode } = (cause ?? {}) as { readonly code?: unknown; readonly errcode?: unknown }
  // Extended result codes carry the primary one in their low byte.
  if (typeof errcode === 'number') return (errcode & 0xff) === number
  return typeof code === 'string' && code.startsWith(name)
}
