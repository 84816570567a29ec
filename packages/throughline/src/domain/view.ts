/**
 * A view: what the model sees of a conversation, frozen for an epoch, so that one
 * request begins with the text of the one before it and a provider's cache stays of
 * use. It is derived: without it the next request begins a new epoch. Plain JSON.
 */
import type { EpochCause } from './epoch-cause.ts'
import type { Seq } from './ids.ts'
import type { Part, Role } from './message.ts'
import type { Past } from './past.ts'
import type { Size } from './size.ts'

export interface View {
  /** 1, 2, … per conversation and model. */
  readonly epoch: number
  readonly cause: EpochCause
  /** Messages before it are not shown one by one … */
  readonly line: Seq
  /** … but these are; ascending. */
  readonly keeps: readonly Seq[]
  /** Ascending by place. */
  readonly stubs: readonly StubbedMessage[]
  /** What stands for the messages before the line; null where nothing does. */
  readonly past: Past | null
  /** The message that was to come next when it was made, where that had to be shortened. */
  readonly next: StubbedNext | null
  /** Whether there was no room for the caller's texts, or not even for the policy's role or a turn memory. */
  readonly squeezed: 'texts' | 'texts and role' | 'texts, role and memory' | null
  /** What the view was made for (policy, window, pins): another basis, another epoch. */
  readonly basis: string
  /** The epoch that its inserts belong to, where it stood before and was restored; its own where left out. */
  readonly insertsOf?: number
  /** The tokens of the request that began the epoch: it ends when enough has come on top. */
  readonly beganTokens: number
}

/** A view that goes on under another epoch: what was recalled for its messages stays with it. */
export function withInserts(view: View): View {
  return { ...view, insertsOf: view.insertsOf ?? view.epoch }
}

export interface StubbedNext {
  readonly seq: Seq
  /** Of its content: another message that came instead is shown whole. */
  readonly hash: string
  /** Null where it had to be left out. */
  readonly stub: StubbedMessage | null
}

/** A message as it is shown where it is too large to be shown whole. */
export interface StubbedMessage {
  readonly seq: Seq
  readonly role: Role
  readonly author: string | null
  readonly parts: readonly Part[]
  readonly size: Size
  /** Names what is shown of it. */
  readonly hash: string
  /** How it was asked for: the same message, asked for in the same way, gives the same stub. */
  readonly made: string
  /** What it would have cost whole. */
  readonly wholeTokens: number
}
