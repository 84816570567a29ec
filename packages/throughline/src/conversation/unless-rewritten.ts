/**
 * A summary tells messages as they were when it was asked for. Where any were edited, removed or
 * purged since, it is not kept; what it has cost is.
 */
import type { SummaryOutcome } from '../flow/summarize/summary-writer.ts'

/** `rewrites`: how often the conversation had been rewritten when it was asked for, and has been now. */
export function unlessRewritten(
  written: SummaryOutcome,
  rewrites: { readonly before: number; readonly now: number },
): SummaryOutcome {
  if (written.record === null || rewrites.before === rewrites.now) return written
  return {
    ...written,
    record: null,
    summarization: { ...written.summarization, summaryId: null, why: 'history-changed' },
  }
}
