/**
 * The file of a database alone, without what lies beside it and without a lock: nothing is made or
 * changed. Whoever writes it meanwhile may be seen half way, so what is found is only a hint, unless it
 * is known that nobody has.
 *
 * By SQLite and not by us: when a process closes a file, all its locks on it go, also those of a store
 * that it has open.
 */
import type { SqliteDriver } from './driver.ts'

export function openUnlocked(file: string): SqliteDriver {
  const { DatabaseSync } = globalThis.process.getBuiltinModule('node:sqlite')
  const address = globalThis.process.getBuiltinModule('node:url').pathToFileURL(file)
  address.search = '?mode=ro&immutable=1'
  return new DatabaseSync(address, { readOnly: true })
}
