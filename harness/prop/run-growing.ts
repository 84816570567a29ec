/**
 * A history as it grows, with the state kept: checked at every step, and against the
 * step before it.
 */
import type { FitInput, Fitted } from 'throughline'
import { type Attempt, attempt, noteRefusal } from './attempt.ts'
import { checkContext } from './check-context.ts'
import { checkPrefix } from './check-prefix.ts'
import { sealsOf } from './check-sealed.ts'
import { createOracle, rememberingTokenizer } from './oracle.ts'
import type { Case } from './random-case.ts'
import { type Fit, inputOf } from './run-case.ts'
import { createTally, type Report } from './tally.ts'

export async function runGrowing(made: Case, fit: Fit): Promise<Report> {
  const windowTokens = made.windows[made.seed % made.windows.length] ?? 1_000
  const tally = createTally(made.seed)
  const tools = { tally, oracle: createOracle(), seals: sealsOf(made.messages) }
  const tokenizer = rememberingTokenizer()
  const step = 1 + (made.seed % 2)
  let before: Fitted | null = null
  for (let length = 1; length <= made.messages.length; length += step) {
    const grown = grownTo(made, length)
    const input: FitInput = { ...inputOf(grown, windowTokens, tokenizer), state: before?.state }
    const fitted: Attempt<Fitted> = await attempt(() => fit(input))
    if (fitted.context === null) {
      noteRefusal(fitted, grown, windowTokens, tools)
      continue
    }
    const { written, violations } = checkContext(fitted.context, grown, windowTokens, tools)
    tally.wrote(written.length)
    tally.note(windowTokens, violations)
    if (before !== null)
      tally.note(windowTokens, checkPrefix(before, fitted.context, made.asked.policy))
    before = fitted.context
  }
  return tally.report()
}

export function grownTo(made: Case, length: number): Case {
  const pins = made.asked.pins?.filter((seq) => seq < length) ?? []
  const { pins: _, ...asked } = made.asked
  return {
    ...made,
    messages: made.messages.slice(0, length),
    asked: pins.length === 0 ? asked : { ...asked, pins },
  }
}
