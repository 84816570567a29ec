/** A conversation: an append-only log with a name, and what links it to others. */
import type { CompactionControl } from './compaction.ts'
import type { ConversationId, Seq, TenantId } from './ids.ts'
import type { JsonObject } from './json.ts'

export interface Conversation {
  readonly id: ConversationId
  readonly tenant: TenantId
  readonly title: string | null
  /** The message that the title was made from, and goes with; null where a caller set it. */
  readonly titleFrom: Seq | null
  readonly meta: JsonObject | null
  /** The place that the next message will take; the number of messages so far. */
  readonly head: Seq
  /** Chain hash of the newest message; `chainStart` when there is none. */
  readonly chain: string
  /** Moves with every commit of derived state. Appending does not move it. */
  readonly version: number
  /** How often messages of it were edited, removed or purged. */
  readonly rewrites: number
  /** Places of pinned messages, ascending, each once. */
  readonly pins: readonly Seq[]
  /** Messages before it were looked at for pins that a policy sets. */
  readonly pinnedTo: Seq
  readonly compaction: CompactionControl
  /** The conversation, and the call in it, that started this one as a sub-agent. */
  readonly parent: ParentLink | null
  /** This conversation's messages before `at` are those of another one, by reference. */
  readonly forkedFrom: ForkPoint | null
  readonly createdAt: number
}

export interface ParentLink {
  readonly conversationId: ConversationId
  readonly callId: string | null
}

export interface ForkPoint {
  readonly conversationId: ConversationId
  readonly at: Seq
}

/** The chain hash before the first message. See `noControl` and `place`. */
export const chainStart = '0'.repeat(64)
