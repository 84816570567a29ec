/** What stays of a purge: that there was one, and nothing of what was purged. */
import type { Sha256 } from './hash.ts'
import type { ConversationId, Seq, TenantId } from './ids.ts'

export interface PurgeLine {
  /** From 1, per tenant. */
  readonly number: number
  /** Whose it was: a hash, because an id may be somebody's name. Who knows the id finds it. */
  readonly subject: string
  readonly what: 'conversation' | 'message'
  /** The place of the message; null for a whole conversation. */
  readonly seq: Seq | null
  /** How many went. */
  readonly messages: number
  readonly at: number
}

/**
 * Whose purge a line is, as a hash: an id may be somebody's name, and only who knows it finds the line.
 *
 * @example
 * const subject = purgeSubject(tenant, conversation, sha256)
 */
export function purgeSubject(tenant: TenantId, id: ConversationId, sha256: Sha256): string {
  return sha256(JSON.stringify([tenant, id]))
}
