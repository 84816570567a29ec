/** A selection that leaves room for what will be recalled beside it. */
import type { Message } from '../../domain/message.ts'
import type { Held, Projecting } from '../project/projecting.ts'
import { recallableTokens, recallLimits } from '../recall/recall-for-turn.ts'
import type { Considered } from '../select/selection.ts'
import { withTarget } from './other-budget.ts'
import { type SelectedWithPast, selectWithPast } from './select-with-past.ts'

export interface SelectedBeside {
  /** With what was left to the selection. */
  readonly held: Held
  readonly selection: SelectedWithPast
}

/** A question about what is gone may have some of the room of what is shown. */
export async function selectBeside(
  input: Projecting,
  held: Held,
  considered: Considered,
  question: Message | null,
): Promise<SelectedBeside> {
  const recalled = question === null ? 0 : await recallableTokens(input, held, question)
  const left = recallLimits(input, held).total - recalled
  if (recalled === 0 || left >= held.plan.budget.targetTokens)
    return { held, selection: await selectWithPast(input, held, considered) }
  const less = withTarget(held, left)
  const first = { held: less, selection: await selectWithPast(input, less, considered) }
  const over = first.selection.shown.size.tokens - left
  if (over <= left * slack) return first
  // Some of it has a share of its own, whatever the target is.
  const least = withTarget(held, left - over)
  return { held: least, selection: await selectWithPast(input, least, considered) }
}

const slack = 0.05
