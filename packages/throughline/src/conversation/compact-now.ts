/** Compacts a conversation at once, for the request that is given, and returns the receipt. */
import { loadReceipts } from '../derived/receipts.ts'
import type { Receipt } from '../domain/receipt.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import type { SummarizationStop } from '../domain/summary.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import { type ContextInput, checkRequest } from '../flow/check/check-request.ts'
import { endSuspension, type NotFound } from './change-conversation.ts'
import { type CompactOptions, parseCompactOptions } from './compaction.ts'
import { buildAndCommit } from './context.ts'
import type { Internals } from './runtime.ts'

/** The input of `chat.compact`: the request to compact for, and what its summary is to focus on. */
export interface CompactInput extends ContextInput, CompactOptions {}

/**
 * Why nothing was compacted. `nothing-to-compact`: everything is recent or small. `summary-failed`: models
 * wrote no usable summary, and the policy changes nothing without one.
 */
export type CompactFailure =
  | NotFound
  | { readonly kind: 'nothing-to-compact' }
  | { readonly kind: 'summary-failed'; readonly why: SummarizationStop | null }

export async function compactNow(
  chat: Internals,
  input: CompactInput,
): Promise<Result<Receipt, CompactFailure>> {
  const { afresh, instructions, ...asked } = { ...input }
  if (asked.model === undefined)
    throw invalidOption(
      'compact: model is missing; give the request that it compacts for, as context takes it: { model, system, tools }. To compact with the next request instead, call compactNextRequest()',
    )
  const compaction = parseCompactOptions({ afresh, instructions }, 'compact')
  const [result, snapshot] = await buildAndCommit(chat, checkRequest(asked, 'compact'), compaction)
  const { state, meter } = snapshot
  if (state === null) return fail({ kind: 'not-found' })
  if (result.compacted !== null) {
    const version = state.conversation.version + 1
    const query = { id: chat.id, limit: 1, before: version + 1 }
    const [receipt] = (await loadReceipts(chat.store, query)) ?? []
    // A purge may have been faster.
    return receipt?.version === version ? ok(receipt) : fail({ kind: 'not-found' })
  }
  await endSuspension(chat, meter.card.id, chat.runtime.now())
  const written = snapshot.attempts.written
  return written !== null && written.record === null && written.summarization.attempts.length > 0
    ? fail({ kind: 'summary-failed', why: written.summarization.why })
    : fail({ kind: 'nothing-to-compact' })
}
