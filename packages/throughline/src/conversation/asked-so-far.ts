/**
 * What one call has asked models for so far. It is paid for: whoever else was faster with a
 * commit, the summary is kept, and the calls count beside those that others have made meanwhile.
 */
import type { AskState, Spent } from '../domain/asking.ts'
import { spentLately, spentOn } from '../flow/summarize/spent-lately.ts'
import type { WrittenSummary } from '../flow/summarize/summary-writer.ts'

export interface AskedSoFar {
  readonly written: WrittenSummary | null
  readonly spent: readonly Spent[]
  /** How often the conversation had been rewritten when the summary was asked for. */
  readonly rewrites: number
}

export const nothingAsked: AskedSoFar = { written: null, spent: [], rewrites: 0 }

export function askedMore(
  before: AskedSoFar,
  written: WrittenSummary | null,
  rewrites: number,
): AskedSoFar {
  if (written === null) return before
  const spent = [...before.spent, ...spentOn(written.summarization.attempts)]
  return { written: joined(before.written, written), spent, rewrites }
}

/** Only one is stored: the second goes on from what the first went on from. */
function joined(first: WrittenSummary | null, second: WrittenSummary): WrittenSummary {
  const [before, record] = [first?.record ?? null, second.record]
  if (before === null || record === null || record.parentId !== before.id) return second
  const { parentId, depth, generation, version, told } = before
  const span = { from: told.from, to: record.told.to }
  return { ...second, record: { ...record, parentId, depth, generation, version, told: span } }
}

/** `kept` is as the store has it now, and tells nothing of this call yet. */
export function askStateWith(
  kept: AskState | null,
  asked: AskedSoFar,
  now: number,
): AskState | null {
  if (asked.written === null) return kept
  const { breaker, failedTo } = asked.written.state
  return { breaker, failedTo, spent: [...spentLately(kept?.spent ?? [], now), ...asked.spent] }
}
