/** Counts for those who write and render summaries. */
import type { SummaryMeter } from '../../ports/summary-style.ts'
import { fitToTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'

export function summaryMeter(meter: SummaryMeterSource): SummaryMeter {
  return {
    countedPerToken: countedPerToken(meter),
    count: (text) => meter.text(text),
    fit: (text, mostTokens) => fitToTokens(text, mostTokens, meter),
  }
}

/** Without a tokenizer, the counts are exact. */
export type SummaryMeterSource = Pick<Meter, 'text'> & Partial<Pick<Meter, 'tokenizer'>>

/**
 * Estimates err high, so that no request is too long. Models keep to limits in their own tokens; a
 * limit in estimated tokens would cut what they may write.
 */
export function countedPerToken({ tokenizer }: Partial<Pick<Meter, 'tokenizer'>>): number {
  return tokenizer === undefined || tokenizer.exact ? 1 : estimatedPerToken
}

// Measured on English summaries: 1.35 to 1.41.
const estimatedPerToken = 4 / 3
