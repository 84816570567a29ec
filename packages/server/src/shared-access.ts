/** The rows of servers on one database: each has its keys in its folder, and shares answers and the audit. */
import type { Access, SqliteAccess, WritesAndAudit } from './access.ts'

/** How long a server that stops lets requests run. */
export const drainMs = 30_000

const moveMs = 60_000

/** Rows of the audit that were written to the folder, such as first uses of keys, are moved to the others. */
export function withSharedRows(own: SqliteAccess, shared: WritesAndAudit): Access {
  let moving: Promise<void> = Promise.resolve()
  const move = () => {
    moving = moving.catch(() => {}).then(() => own.moveAudit(shared.record))
    return moving
  }
  // What could not be moved stays in the folder, for the next time.
  const moveLater = () => void move().catch(() => {})
  const timer = setInterval(moveLater, moveMs).unref()
  moveLater()
  return {
    ...own,
    ...shared,
    audit: async (tenant, query) => {
      await move()
      return shared.audit(tenant, query)
    },
    close: async () => {
      clearInterval(timer)
      await move().catch(() => {})
      own.close()
    },
  }
}
