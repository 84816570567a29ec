/**
 * Stage 5 of 8: summarize. What goes below the line is told by rules already, and that fits;
 * where models are at hand they are asked to tell it better. What they bring takes the place
 * of the rules' words only where it fits too.
 */

import { defaults } from '../defaults.ts'
import type { Decision } from '../domain/decision.ts'
import type { SummaryRecord } from '../domain/summary.ts'
import { ThroughlineError } from '../errors.ts'
import { chatSoFar } from './chat-so-far.ts'
import type { Chosen, Held, Projecting } from './projecting.ts'
import { type Selecting, showSqueezed } from './select-with-past.ts'
import type { WrittenSummary } from './summary-writer.ts'
import { writeSummary } from './write-summary.ts'

export interface Summarized {
  readonly chosen: Selecting
  /** Null where no model was asked. */
  readonly written: WrittenSummary | null
  /** Somebody else has had a summary written meanwhile: what was chosen is of an old state. */
  readonly overtaken: boolean
}

export async function summarize(
  input: Projecting,
  held: Held,
  decision: Decision,
  selecting: Selecting,
  standing: Chosen | null,
): Promise<Summarized> {
  const { writer, policy, log, request, meter } = input
  const { telling, selected, facts } = selecting
  const asItWas = { chosen: selecting, written: null, overtaken: false }
  if (writer === null || telling === null || facts === null || decision.kind === 'trim')
    return asItWas
  const summaryTokens = Math.floor(telling.limits.summaryTokens * telling.share)
  const base = await telling.tell.writtenTo(selected.line)
  const untold = selected.line - (base?.covers.to ?? 0)
  if (untold < leastUntold(decision) || summaryTokens < defaults.summaryLeastTokens.value)
    return asItWas
  if (!(await writer.take())) return { ...asItWas, overtaken: true }
  const written = await writeSummary({
    writer,
    limits: policy.limits,
    log,
    base,
    line: selected.line,
    summaryTokens,
    request,
    pinned: held.pinned,
    ledger: facts.ledger,
    meter,
    decision,
    chat: () => chatSoFar(input, held, decision, standing),
    sha256: input.sha256,
  })
  if (written.record === null) return { ...asItWas, written }
  const chosen = await withSummary(input, held, selecting, written.record)
  return { chosen: chosen ?? selecting, written, overtaken: false }
}

/** Who only makes a view anew does not pay for a few messages. */
function leastUntold({ kind }: Decision): number {
  return kind === 'compact' ? 1 : leastRenewed
}

const leastRenewed = 10

/** Null where it does not fit. */
async function withSummary(
  input: Projecting,
  held: Held,
  selecting: Selecting,
  record: SummaryRecord,
): Promise<Selecting | null> {
  const { telling } = selecting
  if (telling === null) return null
  const { past, facts } = await telling.tell.of(selecting, telling.limits, telling.share, record)
  const shown = showSqueezed(input, held, selecting, { ...selecting.selected, past })
  const { plan } = held
  return plan.hard(shown.size) > plan.hardTokens ? null : { ...selecting, shown, past, facts }
}

/** Models were asked, and what they brought could not be taken. */
export function hasFailed(written: WrittenSummary | null): boolean {
  return (
    written !== null &&
    written.record === null &&
    written.summarization.why !== 'nothing-to-tell' &&
    written.summarization.why !== 'aborted'
  )
}

export function summaryFailed({ summarization }: WrittenSummary): ThroughlineError {
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
