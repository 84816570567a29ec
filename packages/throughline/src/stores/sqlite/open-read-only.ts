/**
 * A database that is only read, and of which not a byte changes, nor of what lies beside it: one on a
 * medium that cannot be written, or of somebody else.
 *
 * SQLite reads a file with a write-ahead log only where it may make files beside it, unless it is told
 * that the file is immutable. It is told so where no log lies there: then all that was committed is in the
 * file itself. Nobody is kept from writing then, so after each look we look whether somebody has: what
 * was read before that is of one state, and what came after it is not given out.
 */
import { ThroughlineError } from '../../errors.ts'
import type { SqliteDriver, SqliteStatement } from './driver.ts'
import { storeError } from './errors.ts'
import { commitsBeside, fileKind } from './file-kind.ts'
import { openUnlocked } from './open-unlocked.ts'

export function openReadOnly(file: string, where: string): SqliteDriver {
  const kind = fileKind(file)
  if (kind === 'missing') throw new ThroughlineError('STORE_FAILED', `${where}: is not there`)
  if (kind === 'empty')
    throw new ThroughlineError('STORE_CORRUPT', `${where}: is empty, and holds no conversations`)
  // Before we look for a log: who brings one into the file after that changes this.
  const before = stampOf(file)
  const { log, journal } = commitsBeside(file)
  if (log || journal) return openWithLog(file, where)
  return watched(openUnlocked(file), () => {
    if (stampOf(file) !== before)
      throw new ThroughlineError('STORE_BUSY', `${where}: was written while it was looked at`)
  })
}

/** SQLite needs the index of the log, which others have made or which it may make. */
function openWithLog(file: string, where: string): SqliteDriver {
  const { DatabaseSync } = globalThis.process.getBuiltinModule('node:sqlite')
  const driver = new DatabaseSync(file, { readOnly: true })
  try {
    driver.prepare('SELECT count(*) FROM sqlite_schema').get()
    return driver
  } catch (cause) {
    driver.close()
    const refused = storeError(cause, where)
    if (refused.code === 'STORE_CORRUPT' || refused.code === 'STORE_BUSY') throw refused
    throw new ThroughlineError(
      'STORE_READ_ONLY',
      `${where}: what was written last lies in a log beside it, and cannot be read where nothing can be written`,
      { cause },
    )
  }
}

/** Changes whenever the file is written, or another one stands there. */
function stampOf(file: string): string {
  const { statSync } = globalThis.process.getBuiltinModule('node:fs')
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '' : [found.dev, found.ino, found.size, found.mtimeNs].join(' ')
}

function watched(driver: SqliteDriver, check: () => void): SqliteDriver {
  const checked = <Value>(look: () => Value): Value => {
    try {
      return look()
    } finally {
      // Also where it was refused: half of one state and half of another is no sound database.
      check()
    }
  }
  const watchedStatement = (statement: SqliteStatement): SqliteStatement => ({
    run: (...values) => checked(() => statement.run(...values)),
    get: (...values) => checked(() => statement.get(...values)),
    all: (...values) => checked(() => statement.all(...values)),
  })
  return {
    exec: (sql) => checked(() => driver.exec(sql)),
    prepare: (sql) => watchedStatement(checked(() => driver.prepare(sql))),
    close: () => driver.close(),
    get isTransaction() {
      return driver.isTransaction
    },
  }
}
