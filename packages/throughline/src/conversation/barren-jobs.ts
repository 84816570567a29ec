/**
 * Conversations in which a job found nothing that a model could tell: the next compaction does
 * not wait for one. Of this process alone; another one finds out for itself.
 */
import type { ConversationId, Seq } from '../domain/ids.ts'
import { RecentMap } from './recent-map.ts'

export interface BarrenJobs {
  note(tenant: string, id: ConversationId, head: Seq): void
  /** The end of the log when it was found; null where it was not. */
  headOf(tenant: string, id: ConversationId): Seq | null
}

/** Of one engine. */
export function createBarrenJobs(): BarrenJobs {
  const heads = new RecentMap<string, Seq>()
  const keyOf = (tenant: string, id: ConversationId) => JSON.stringify([tenant, id])
  return {
    note: (tenant, id, head) => heads.set(keyOf(tenant, id), head),
    headOf: (tenant, id) => heads.get(keyOf(tenant, id)) ?? null,
  }
}
