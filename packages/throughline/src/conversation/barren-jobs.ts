/**
 * Conversations in which a job found nothing that a model could tell: the next compaction does
 * not wait for one. Of this process alone; another one finds out for itself.
 */
import type { ConversationId, Seq } from '../domain/ids.ts'

export interface BarrenJobs {
  note(tenant: string, id: ConversationId, head: Seq): void
  /** The end of the log when it was found; null where it was not. */
  headOf(tenant: string, id: ConversationId): Seq | null
}

const conversationsKept = 1_024

/** Of one engine. */
export function createBarrenJobs(): BarrenJobs {
  const heads = new Map<string, Seq>()
  const keyOf = (tenant: string, id: ConversationId) => JSON.stringify([tenant, id])
  return {
    note: (tenant, id, head) => {
      const key = keyOf(tenant, id)
      heads.delete(key)
      heads.set(key, head)
      const [oldest] = heads.keys()
      if (heads.size > conversationsKept && oldest !== undefined) heads.delete(oldest)
    },
    headOf: (tenant, id) => heads.get(keyOf(tenant, id)) ?? null,
  }
}
