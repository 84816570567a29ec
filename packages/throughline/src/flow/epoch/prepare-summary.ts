/** The background job: writes a summary after a request, for the next compaction to use. */
import { emptyLedger } from '../../domain/ledger.ts'
import { evaluateView, isBreakerOpen } from '../decide/evaluate-view.ts'
import { historyLimits } from '../history/history-limits.ts'
import { measureFixedParts } from '../project/fixed-parts.ts'
import type { ContextInputs, ExtractedFacts, FixedParts } from '../project/records.ts'
import { minMessagesToSummarize } from '../project/summary-outcome.ts'
import { loadCandidates } from '../select/load-candidates.ts'
import type { SummaryOutcome } from '../summarize/summary-writer.ts'
import { selectWithHistory } from './select-with-history.ts'
import { askForSummary } from './summarize.ts'

export interface PreparedSummary {
  readonly written: SummaryOutcome
  readonly facts: ExtractedFacts | null
}

/** `nothing`: a compaction waits, but has nothing to summarize. `not-now`: no summary is needed. */
export async function prepareSummary(input: ContextInputs) {
  if (input.writer === null || isBreakerOpen(input.writer)) return 'not-now'
  const fixed = await measureFixedParts(input)
  const { decision, pending, inForce } = await evaluateView(input, fixed)
  const planned =
    pending === null ? await planUnsummarized(input, fixed) : await planCompaction(input, fixed)
  const nothing = pending === null ? 'not-now' : 'nothing'
  if (planned === null) return nothing
  const { facts, ...plan } = planned
  // The writer gets the decision that the summary is for.
  const task = { ...plan, decision: pending ?? decision, waitMs: null, inForce }
  const written = await askForSummary(input, fixed, task)
  if (written === 'superseded') return 'not-now'
  return written === null ? nothing : { written, facts }
}

async function planCompaction(input: ContextInputs, fixed: FixedParts) {
  const candidates = await loadCandidates(input, fixed)
  const { facts, selected, summaryTokens } = await selectWithHistory(input, fixed, candidates)
  if (facts === null) return null
  return { line: selected.line, ledger: facts.ledger, summaryTokens, facts }
}

/** No compaction waits, but the history block may describe many messages by rules (no LLM). */
async function planUnsummarized(input: ContextInputs, fixed: FixedParts) {
  const line = input.view?.line ?? 0
  const summary = await input.derived.summaryBefore(line)
  if (line - (summary?.covers.to ?? 0) < minMessagesToSummarize) return null
  const { modelSummaryTokens: summaryTokens } = historyLimits(input, fixed)
  const ledger = (await input.derived.ledger()) ?? emptyLedger
  return { line, ledger, summaryTokens, facts: null }
}
