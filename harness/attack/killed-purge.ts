/**
 * Purges a conversation or a message through a driver that counts its calls, and kills the process
 * with SIGKILL before or after the N-th call.
 */
import { DatabaseSync } from 'node:sqlite'
import { createThroughline } from 'throughline'
import { type SqliteDriver, sqlite } from 'throughline/stores/sqlite'

export interface KilledPurge {
  readonly file: string
  readonly what: 'conversation' | 'message'
  /** From 1; 0 means never. */
  readonly at: number
  readonly when: 'before' | 'after'
}

/** Returns the number of calls if the process was not killed. */
export async function killedPurge({ file, what, at, when }: KilledPurge): Promise<number> {
  const driver = new DatabaseSync(file)
  let isArmed = false
  let calls = 0
  const killing = <Value>(call: () => Value): Value => {
    if (!isArmed) return call()
    calls += 1
    if (calls !== at) return call()
    if (when === 'after') call()
    process.kill(process.pid, 'SIGKILL')
    return call()
  }
  const killed: SqliteDriver = {
    exec: (sql) => killing(() => driver.exec(sql)),
    prepare: (sql) => {
      const statement = driver.prepare(sql)
      return {
        run: (...values) => killing(() => statement.run(...values)),
        get: (...values) => killing(() => statement.get(...values)),
        all: (...values) => killing(() => statement.all(...values)),
      }
    },
    close: () => driver.close(),
    get isTransaction() {
      return driver.isTransaction
    },
  }
  const tl = createThroughline({ store: sqlite(killed) })
  const { history } = tl.conversation('c')
  isArmed = true
  if (what === 'message') await history.purgeMessage(0, { forks: 'purge' })
  else await history.purge({ forks: 'purge' })
  isArmed = false
  await tl.close()
  return calls
}
