/**
 * A summary tells messages as they were when it was asked for. Where any were edited, removed or
 * purged since, it is not kept; what it has cost is.
 */
import { isThroughlineError } from '../errors.ts'
import type { WrittenSummary } from '../flow/summarize/summary-writer.ts'
import type { ConversationState } from '../ports/state-commands.ts'
import type { TenantStore } from '../ports/store.ts'

/** `rewrites`: how often the conversation had been rewritten when it was asked for, and has been now. */
export function unlessRewritten(
  written: WrittenSummary,
  rewrites: { readonly before: number; readonly now: number },
): WrittenSummary {
  if (written.record === null || rewrites.before === rewrites.now) return written
  return {
    ...written,
    record: null,
    summarization: { ...written.summarization, summaryId: null, why: 'history-changed' },
  }
}

/** A log that was rewritten while it was read looks like another one, and is the same conversation. */
export async function isRewritten(
  error: unknown,
  store: Pick<TenantStore, 'state'>,
  before: ConversationState | null,
  model: string,
): Promise<boolean> {
  if (before === null || !isThroughlineError(error)) return false
  if (error.code !== 'CONVERSATION_REPLACED') return false
  const { id, rewrites } = before.conversation
  const state = await store.state({ id, model })
  return state?.serial === before.serial && state.conversation.rewrites !== rewrites
}
