import type { SqliteDriver, SqliteStatement } from '../stores/sqlite/connection.ts'

/** A fault at one call of a driver. */
export interface Fault {
  /** The number of the call that fails, from 1, counted from `arm`. */
  readonly at: number
  /** `before`: the call does nothing. `after`: it is done, but its answer is lost. */
  readonly when: 'before' | 'after'
  /** The SQLite result code to fail with: 5 busy, 10 input/output, 13 full. */
  readonly resultCode: number
  readonly rollbackToo?: boolean | undefined
}

/** A SQLite driver that fails at the call a test chooses. */
export interface FaultyDriver extends SqliteDriver {
  /** Null: no call fails from now on. */
  arm(fault: Fault | null): void
  readonly fired: boolean
}

/**
 * A SQLite driver that fails once, at the N-th call, for a fault sweep: fail the first call of a command, then
 * the second, and so on. After each, the state must be that before or after the command.
 */
export function faultyDriver(driver: SqliteDriver): FaultyDriver {
  let fault: Fault | null = null
  let calls = 0
  let fired = false
  let rollbackFails = false

  const call = <Value>(action: () => Value, sql: string): Value => {
    if (sql === 'ROLLBACK' && rollbackFails) {
      rollbackFails = false
      throw sqliteError(10)
    }
    calls += 1
    if (fault === null || fired || calls !== fault.at) return action()
    fired = true
    rollbackFails = fault.rollbackToo ?? false
    if (fault.when === 'after') action()
    throw sqliteError(fault.resultCode)
  }

  const faultyStatement = (statement: SqliteStatement, sql: string): SqliteStatement => ({
    run: (...values) => call(() => statement.run(...values), sql),
    get: (...values) => call(() => statement.get(...values), sql),
    all: (...values) => call(() => statement.all(...values), sql),
  })

  return {
    exec: (sql) => call(() => driver.exec(sql), sql),
    prepare: (sql) => faultyStatement(driver.prepare(sql), sql),
    close: () => driver.close(),
    arm: (next) => {
      fault = next
      calls = 0
      fired = false
    },
    get fired() {
      return fired
    },
  }
}

function sqliteError(resultCode: number): Error {
  const error = new Error(`planted fault ${resultCode}`)
  return Object.assign(error, { code: 'ERR_SQLITE_ERROR', errcode: resultCode })
}
