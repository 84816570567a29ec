/** A SQLite driver during whose calls a process may be killed: in the middle of a transaction too. */
import type { SqliteDriver, SqliteStatement } from 'throughline/stores/sqlite'

export interface Kill {
  /** How many calls of any connection are left; null where nobody is killed. */
  left: number | null
  /** Called once, at that moment. */
  happen(): void
}

export function killDriver(driver: SqliteDriver, kill: Kill): SqliteDriver {
  const call = <Value>(action: () => Value): Value => {
    if (kill.left === null) return action()
    kill.left -= 1
    if (kill.left > 0) return action()
    kill.left = null
    kill.happen()
    throw new Error('killed')
  }
  const statement = (sound: SqliteStatement): SqliteStatement => ({
    run: (...values) => call(() => sound.run(...values)),
    get: (...values) => call(() => sound.get(...values)),
    all: (...values) => call(() => sound.all(...values)),
  })
  return {
    exec: (sql) => call(() => driver.exec(sql)),
    prepare: (sql) => statement(driver.prepare(sql)),
    close: () => driver.close(),
  }
}
