import { recordRequest } from '../derived/state.ts'
import { lowerCeiling } from '../domain/calibration.ts'
import type { AskedCompaction } from '../domain/conversation.ts'
import { providerOverflow } from '../domain/provider-overflow.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import { findRequest } from './append-to.ts'
import { changeControl } from './change-conversation.ts'
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
  if (instructions.length > mostInstructions || !instructions.isWellFormed())
    throw invalidOption(
      `${where}: instructions must be well-formed, and at most ${mostInstructions} characters`,
    )
  return { instructions: instructions.trim() }
}

// A few sentences: they are in every request for the summary.
const mostInstructions = 2_000

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
