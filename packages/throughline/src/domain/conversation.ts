import type { ConversationId, Seq, TenantId } from './ids.ts'
import type { JsonObject } from './json.ts'

/** A conversation as it is stored: an append-only log with a name, and its links to others. */
export interface Conversation {
  readonly id: ConversationId
  readonly tenant: TenantId
  readonly title: string | null
  /** The message that the title was made from; null where a caller set it. */
  readonly titleFrom: Seq | null
  readonly meta: JsonObject | null
  /** The place of the next message; the number of messages so far. */
  readonly head: Seq
  /** Chain hash of the newest message; `chainStart` when there is none. */
  readonly chain: string
  /** Moves with every commit of derived state. Appending does not move it. */
  readonly version: number
  /** How often messages were edited, removed or purged. */
  readonly rewrites: number
  /** Ascending, each once. */
  readonly pins: readonly Seq[]
  /** Messages before this place were checked for pins that a policy sets. */
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

/** The chain hash before the first message. See `noControl`. */
export const chainStart = '0'.repeat(64)

/** `shadow` decides and reports, and changes nothing that would fit. */
export type CompactionMode = 'on' | 'off' | 'shadow'

export interface CompactionControl {
  /** Null: the engine's setting applies. */
  readonly mode: CompactionMode | null
  readonly asked: AskedCompaction | null
  /** Models whose last compaction was undone, each once. */
  readonly suspended: readonly Suspended[]
}

/** Triggers do nothing for this model until a caller compacts, or a request would not fit. */
export interface Suspended {
  readonly model: string
  /** The version of the view that was undone first: restoring that view ends the suspension. */
  readonly version: number
}

export type AskedCompaction =
  | {
      readonly reason: 'manual'
      /** A model summarizes the messages again, not the previous summary. */
      readonly afresh?: boolean | undefined
      /** What the summary is to focus on, in the caller's words. */
      readonly instructions?: string | undefined
    }
  /** A provider has refused a request of this model as too long; `of` is its fingerprint. */
  | { readonly reason: 'provider-overflow'; readonly model: string; readonly of: string }

/**
 * The compaction control of a new conversation: its row begins with it.
 *
 * @example
 * const row = { pins: [], compaction: noControl, chain: chainStart }
 */
export const noControl: CompactionControl = { mode: null, asked: null, suspended: [] }
