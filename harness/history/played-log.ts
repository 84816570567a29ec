/** A conversation of a play, and beside it what ought to stand in its log. */
import type { ConversationHandle } from 'throughline'
import type { CanaryMessage } from './canary-talk.ts'

export interface PlayedLog {
  readonly chat: ConversationHandle
  /** Null where it was removed. */
  readonly expected: { readonly message: CanaryMessage; readonly removed: boolean }[]
  /** Canaries that stood in it, and do not any more. */
  readonly gone: Set<string>
}

export function playedLog(chat: ConversationHandle, before: PlayedLog | null, at = 0): PlayedLog {
  return { chat, expected: before?.expected.slice(0, at) ?? [], gone: new Set(before?.gone) }
}
