/** A context asked for: what came, or why nothing did. */
import { type Context, isThroughlineError } from 'throughline'
import { checkOverflow, heldBy } from './check-budget.ts'
import type { Oracle } from './oracle.ts'
import type { Case } from './random-case.ts'
import type { Tally } from './tally.ts'
import { violation } from './violation.ts'

export type Attempt<Made extends Context> =
  | { readonly context: Made }
  | { readonly context: null; readonly overflow: boolean; readonly why: string }

export async function attempt<Made extends Context>(
  make: () => Promise<Made>,
): Promise<Attempt<Made>> {
  try {
    return { context: await make() }
  } catch (cause) {
    const overflow = isThroughlineError(cause) && cause.code === 'CONTEXT_OVERFLOW'
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    return { context: null, overflow, why: why.split('\n').slice(0, 5).join(' | ') }
  }
}

/** A refusal is right where what is held does not fit; every other error is wrong. */
export function noteRefusal(
  { overflow, why }: Extract<Attempt<Context>, { readonly context: null }>,
  made: Case,
  windowTokens: number,
  { tally, oracle }: { readonly tally: Tally; readonly oracle: Oracle },
): void {
  if (!overflow) {
    tally.note(windowTokens, [violation('error', why)])
    return
  }
  const held = heldBy(made, oracle)
  tally.refused(windowTokens, held.tokens)
  tally.note(windowTokens, checkOverflow(windowTokens, held))
}
