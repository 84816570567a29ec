/**
 * Stage 5 of 8: summarize. What goes below the line is told by rules already, and that fits;
 * where models are at hand they are asked to tell it better. What they bring takes the place
 * of the rules' words only where it fits too.
 */

import type { Decision } from '../../domain/decision.ts'
import type { Policy } from '../../domain/policy.ts'
import type { SummaryRecord } from '../../domain/summary.ts'
import { ThroughlineError } from '../../errors.ts'
import { mayAskNow } from '../decide/await-summary.ts'
import type { Chosen, Held, Projecting } from '../project/projecting.ts'
import type { SummaryOutcome } from '../summarize/summary-writer.ts'
import { askForSummary } from './ask-for-summary.ts'
import { type SelectedWithPast, showSqueezed } from './select-with-past.ts'

export interface Summarized {
  readonly selection: SelectedWithPast
  /** Null where no model was asked. */
  readonly written: SummaryOutcome | null
  /** Somebody else has had a summary written meanwhile: the selection is of an old state. */
  readonly overtaken: boolean
}

export async function summarize(
  input: Projecting,
  held: Held,
  decision: Decision,
  selection: SelectedWithPast,
  inForce: Chosen | null,
): Promise<Summarized> {
  const { telling, selected, facts } = selection
  const asItWas = { selection, written: null, overtaken: false }
  const { policy } = input
  if (telling === null || facts === null || decision.kind === 'trim') return asItWas
  if (!mayAskNow(policy, decision)) return asItWas
  const written = await askForSummary(input, held, {
    decision,
    line: selected.line,
    ledger: facts.ledger,
    summaryTokens: Math.floor(telling.limits.writtenTokens * telling.share),
    waitMs: waitOf(input, decision),
    inForce,
  })
  if (written === 'overtaken') return { ...asItWas, overtaken: true }
  if (written === null || written.record === null) return { ...asItWas, written }
  const told = await withSummary(input, held, selection, written.record)
  return { selection: told ?? selection, written, overtaken: false }
}

/**
 * What is left of it: whoever has waited for another one has less time for this one. Whoever
 * asks for a compaction waits for its summary; a request that does not fit waits for a moment,
 * and not at all where the last try brought nothing.
 */
function waitOf({ policy: { run }, writer, now }: Projecting, { reason }: Decision): number | null {
  if (run.mode === 'blocking' || reason === 'manual' || writer === null) return null
  if (writer.state.breaker.ineffective > 0) return 0
  return Math.max(0, run.waitMs - (writer.clock.now() - now))
}

/** Null where it does not fit. */
async function withSummary(
  input: Projecting,
  held: Held,
  selection: SelectedWithPast,
  record: SummaryRecord,
): Promise<SelectedWithPast | null> {
  const { telling } = selection
  if (telling === null) return null
  const told = await telling.tell.of(selection, telling.limits, telling.share, record)
  const shown = showSqueezed(input, held, selection, { ...selection.selected, past: told.past })
  const { plan } = held
  return plan.hard(shown.size) > plan.hardTokens ? null : { ...selection, shown, ...told }
}

/** Models were asked, and what they brought could not be taken. */
export function hasFailed(written: SummaryOutcome | null): boolean {
  return (
    written !== null &&
    written.record === null &&
    written.summarization.why !== 'nothing-to-tell' &&
    written.summarization.why !== 'aborted'
  )
}

/** What a caller is told whose policy wants no context then; null where there is one. */
export function failureFor(
  { onFailure }: Pick<Policy, 'onFailure'>,
  written: SummaryOutcome | null,
): ThroughlineError | null {
  const isWanted = written !== null && onFailure === 'throw' && hasFailed(written)
  return isWanted ? summaryFailed(written) : null
}

function summaryFailed({ summarization }: SummaryOutcome): ThroughlineError {
  const { why, attempts } = summarization
  const last = attempts.at(-1)?.outcome
  const told =
    last === undefined || last.kind === 'accepted'
      ? ''
      : `; the last said: ${last.kind === 'failed' ? last.message : last.reasons.join(', ')}`
  return new ThroughlineError(
    'SUMMARY_FAILED',
    `no model brought a summary (${why}, ${attempts.length} calls)${told}`,
    { details: { why, calls: attempts.length } },
  )
}
