/** Messages that are not shown any more, as text by rules, within what it may have. */
import { defaults } from '../../defaults.ts'
import { fitToTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import { type DroppedMessages, digestLines } from './digest-lines.ts'

interface SummarizeOptions {
  readonly preserveErrorDetails: boolean
}

export interface SafeOptions extends SummarizeOptions {
  readonly maxSummaryTokens: number
}

export function summaryHeader(items: number): string {
  return `--- Summarized Context (${items} items) ---`
}

/** However long it gets; see `safeSummarize`. */
export function summarizeDropped(dropped: DroppedMessages, options: SummarizeOptions): string {
  const lines = digestLines(dropped, options)
  return [summaryHeader(lines.length), ...lines.map(({ text }) => text)].join('\n')
}

export const omittedMark = '[Summary omitted - insufficient budget]'

/** Never more than a tenth of what there is. */
export function safeSummaryTokens(maxSummaryTokens: number, availableTokens: number): number {
  return Math.min(maxSummaryTokens, Math.floor(availableTokens * defaults.summaryRatio.value))
}

/** By rules alone, which need no call that could fail; empty where even the mark is too much. */
export function safeSummarize(
  dropped: DroppedMessages,
  availableTokens: number,
  { maxSummaryTokens, preserveErrorDetails }: SafeOptions,
  meter: Pick<Meter, 'text'>,
): string {
  const mostTokens = safeSummaryTokens(maxSummaryTokens, availableTokens)
  if (mostTokens < defaults.summaryLeastTokens.value)
    return meter.text(omittedMark) <= availableTokens ? omittedMark : ''
  return fitToTokens(summarizeDropped(dropped, { preserveErrorDetails }), mostTokens, meter)
}
