/**
 * One case through every window: fitted, written, checked. What fits is handed in, so
 * that a planted mistake goes the same way as the real thing.
 */
import type { FitInput, Fitted, Tokenizer } from 'throughline'
import { attempt, noteRefusal } from './attempt.ts'
import { checkFill, fillOf, heldBy } from './check-budget.ts'
import { bytesOf, checkContext } from './check-context.ts'
import { sealsOf } from './check-sealed.ts'
import { cardOf, createOracle, rememberingTokenizer } from './oracle.ts'
import type { Case } from './random-case.ts'
import { createTally, type Report } from './tally.ts'
import { violation } from './violation.ts'

export type Fit = (input: FitInput) => Promise<Fitted>

// Every window is asked for twice in one case of so many.
const againEvery = 4

export async function runCase(made: Case, fit: Fit): Promise<Report> {
  const tally = createTally(made.seed)
  const tools = { tally, oracle: createOracle(), seals: sealsOf(made.messages) }
  const tokenizer = rememberingTokenizer()
  const held = heldBy(made, tools.oracle)
  for (const [index, windowTokens] of made.windows.entries()) {
    const input = inputOf(made, windowTokens, tokenizer)
    const fitted = await attempt(() => fit(input))
    if (fitted.context === null) {
      noteRefusal(fitted, made, windowTokens, tools)
      continue
    }
    const { written, violations } = checkContext(fitted.context, made, windowTokens, tools)
    const fill = fillOf(made, windowTokens, held, written)
    tally.wrote(written.length)
    tally.filled(fill)
    tally.note(windowTokens, [...violations, ...checkFill(fill)])
    if ((index + made.seed) % againEvery !== 0) continue
    const { context: again } = await attempt(() => fit(input))
    if (again === null || bytesOf(again) !== bytesOf(fitted.context))
      tally.note(windowTokens, [violation('same-bytes', 'the second call gave others')])
  }
  return tally.report()
}

export function inputOf(
  { messages, asked }: Case,
  windowTokens: number,
  tokenizer: Tokenizer,
): FitInput {
  const card = cardOf(windowTokens)
  return { ...asked, messages, model: card.id, models: [card], tokenizer }
}
