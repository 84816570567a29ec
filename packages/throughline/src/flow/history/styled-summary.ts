/** Chooses which summary the history block shows, and the style that renders it. */
import type { SummaryRecord } from '../../domain/summary.ts'
import type { ShownSummary } from '../../domain/view.ts'
import type { SummaryStyle } from '../../ports/summary-style.ts'
import { type SummaryMeterSource, summaryMeter } from '../summarize/summary-meter.ts'

export interface StyledSummary {
  readonly record: SummaryRecord
  readonly style: Pick<SummaryStyle, 'render'>
}

/** The summarizer in the record of a summary that a person wrote by hand. */
export const person = 'person'

export function isByPerson({ madeBy }: Pick<SummaryRecord, 'madeBy'>): boolean {
  return madeBy.summarizer === person
}

/** A policy without a model shows only summaries that a person wrote. */
export function showsSummary(
  record: SummaryRecord | null,
  styles: readonly SummaryStyle[],
): record is SummaryRecord {
  return record !== null && (styles.length > 0 || isByPerson(record))
}

/** A person's summary is shown without headings. */
const verbatimStyle: Pick<SummaryStyle, 'render'> = {
  render: ({ text }, { mostTokens, meter }) => meter.fit(text, mostTokens),
}

/** With the style that wrote the summary, or the first one if the policy has changed since. */
export function styledSummary(
  record: SummaryRecord | null,
  styles: readonly SummaryStyle[],
): StyledSummary | null {
  const [first] = styles
  if (record === null) return null
  if (isByPerson(record)) return { record, style: verbatimStyle }
  if (first === undefined) return null
  const { summarizer, promptHash } = record.madeBy
  const style =
    styles.find((each) => each.promptHash === promptHash) ??
    styles.find((each) => each.name === summarizer) ??
    first
  return { record, style }
}

export function summaryText(
  { record, style }: StyledSummary,
  mostTokens: number,
  meter: SummaryMeterSource,
): string {
  return style.render(record, { depth: record.depth, mostTokens, meter: summaryMeter(meter) })
}

export function shownSummary(record: SummaryRecord, hasRules: boolean): ShownSummary {
  const { id, covers, version, tokensUsed, depth, trust } = record
  const withoutTools = trust !== 'tool' && !hasRules
  const by = isByPerson(record) ? 'person' : 'model'
  return { id, by, to: covers.to, version, tokensUsed, depth, withoutTools }
}
