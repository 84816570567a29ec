/** Compactions that the program asks for: at once, with the next request, or after an overflow. */
import { loadReceipts } from '../derived/receipts.ts'
import { recordRequest } from '../derived/state.ts'
import type { AskedCompaction } from '../domain/conversation.ts'
import { lowerCeiling } from '../domain/learn-calibration.ts'
import { providerOverflow } from '../domain/provider-overflow.ts'
import type { Receipt } from '../domain/receipt.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import type { SummarizationStop } from '../domain/summary.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import { type ContextInput, checkRequest } from '../flow/check/check-request.ts'
import { findRequest } from './append-to.ts'
import { changeControl, endSuspension, type NotFound } from './change-conversation.ts'
import { buildAndCommit } from './context.ts'
import type { Internals } from './runtime.ts'

/** The options of `chat.compactNextRequest`, which `chat.compact` takes too. */
export interface CompactOptions {
  /** A model summarizes the messages again, not the previous summary. */
  readonly afresh?: boolean | undefined
  /**
   * What a model's summary is to focus on. It selects from the conversation and adds nothing. At
   * most 2,000 characters.
   */
  readonly instructions?: string | undefined
}

export function parseCompactOptions(options: CompactOptions, where: string): AskedCompaction {
  const asked = checkOptions(options, ['afresh', 'instructions'], where)
  const { afresh = false } = asked
  if (typeof afresh !== 'boolean') throw invalidOption(`${where}: afresh must be true or false`)
  const instructions = checkInstructions(asked.instructions, where)
  return { reason: 'manual', ...(afresh && { afresh }), ...instructions }
}

export function checkInstructions(
  instructions: unknown,
  where: string,
): { readonly instructions?: string } {
  if (instructions === undefined) return {}
  if (typeof instructions !== 'string' || instructions.trim() === '')
    throw invalidOption(`${where}: instructions must be a text`)
  if (instructions.length > maxInstructionCharacters || !instructions.isWellFormed())
    throw invalidOption(
      `${where}: instructions must be well-formed, and at most ${maxInstructionCharacters} characters`,
    )
  return { instructions: instructions.trim() }
}

// A few sentences: they are in every request for the summary.
const maxInstructionCharacters = 2_000

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

/**
 * The outcome of a refused request. `smaller`: the next context is smaller; send that. `gave-up`:
 * this one was already the smaller one, so show the provider's error. `not-overflow`: another
 * error.
 */
export type OverflowOutcome = 'smaller' | 'gave-up' | 'not-overflow' | 'unknown-request'

export async function handleOverflow(
  chat: Internals,
  refused: { readonly fingerprint: unknown; readonly error: unknown },
): Promise<OverflowOutcome> {
  const { fingerprint, error } = refused
  if (typeof fingerprint !== 'string')
    throw invalidOption('overflowed takes the fingerprint of the context that was refused')
  const overflow = providerOverflow(error)
  if (overflow === null) return 'not-overflow'
  const known = await findRequest(chat, fingerprint)
  if (known === null) return 'unknown-request'
  const { model, tokens } = known.request
  const calibration = lowerCeiling(known.calibration, tokens, overflow)
  if (calibration === null) return 'gave-up'
  await recordRequest(chat.store, { id: chat.id, calibration: { model, calibration } })
  const asked = { reason: 'provider-overflow', model, of: fingerprint } as const
  await changeControl(chat, { asked }, chat.runtime.now())
  return 'smaller'
}
