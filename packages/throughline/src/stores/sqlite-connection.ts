/**
 * A driver with manners: statements prepared once, errors with our codes, no
 * undefined where a value should be, and transactions that cannot stay open.
 *
 * A transaction is a plain function. It cannot wait for anything, so nothing else
 * of this process can come between its statements.
 */
import { ThroughlineError } from '../errors.ts'
import type { SqliteDriver, SqliteStatement, SqliteValue } from './sqlite-driver.ts'
import { storeError } from './sqlite-errors.ts'

export type Row = Readonly<Record<string, SqliteValue>>

export class SqliteConnection {
  readonly #driver: SqliteDriver
  readonly #where: string
  readonly #statements = new Map<string, SqliteStatement>()
  #closed = false

  constructor(driver: SqliteDriver, where: string) {
    this.#driver = driver
    this.#where = where
  }

  exec(sql: string): void {
    this.#guard(() => this.#driver.exec(sql))
  }

  run(sql: string, ...values: SqliteValue[]): void {
    this.#guard(() => this.#statement(sql, values).run(...values))
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
    this.exec('BEGIN IMMEDIATE')
    try {
      const value = action()
      this.exec('COMMIT')
      return value
    } catch (cause) {
      this.#rollBack()
      throw cause
    }
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

  #rollBack(): void {
    try {
      this.#driver.exec('ROLLBACK')
    } catch {
      // SQLite rolls back by itself after some errors, and then there is nothing to roll
      // back. The error that brought us here is the one to report.
    }
  }

  #statement(sql: string, values: readonly SqliteValue[]): SqliteStatement {
    // node:sqlite refuses undefined, better-sqlite3 stores it as null: neither is ours.
    if (values.some((value) => value === undefined))
      throw new ThroughlineError('STORE_FAILED', `a value for "${sql}" is undefined`)
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#driver.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #guard<Value>(action: () => Value): Value {
    if (this.#closed) throw new ThroughlineError('STORE_CLOSED', `${this.#where}: was closed`)
    try {
      return action()
    } catch (cause) {
      throw storeError(cause, this.#where)
    }
  }
}
