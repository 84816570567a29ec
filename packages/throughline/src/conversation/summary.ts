/** The summary that the contexts of a model have now, and those that models have written. */
import { defaults } from '../defaults-data.ts'
import { loadSummaries } from '../derived/rows.ts'
import { loadState } from '../derived/state.ts'
import type { ConversationId } from '../domain/ids.ts'
import { wholeNumber } from '../domain/span.ts'
import type { ConversationSummary, KeptSummary, SummaryRecord } from '../domain/summary.ts'
import { checkOptions } from '../flow/check/check-options.ts'
import { summaryOf } from '../flow/summarize/summary-record.ts'
import type { TenantStore } from '../ports/store.ts'
import { type Internals, meterNamed } from './runtime.ts'

export interface SummaryInput {
  readonly model: string
}

export interface SummariesInput {
  readonly limit?: number | undefined
  /** So many of the newest are left out. */
  readonly skip?: number | undefined
}

export async function summariesOf(
  store: TenantStore,
  id: ConversationId,
  input: SummariesInput,
): Promise<readonly KeptSummary[]> {
  const { limit, skip } = checkOptions(input, ['limit', 'skip'], 'summaries')
  const query = {
    limit: wholeNumber(limit ?? defaults.pageRows.value),
    skip: wholeNumber(skip ?? 0),
  }
  return (await loadSummaries(store, { id, ...query })) ?? []
}

/** Null where there is none of that id. */
export async function summaryById(
  store: TenantStore,
  id: ConversationId,
  summaryId: string,
): Promise<SummaryRecord | null> {
  for (let skip = 0; ; skip += summariesAtOnce) {
    const records = (await loadSummaries(store, { id, limit: summariesAtOnce, skip })) ?? []
    const found = records.find((record) => record.id === summaryId)
    if (found !== undefined || records.length < summariesAtOnce) return found ?? null
  }
}

const summariesAtOnce = 50

export async function summaryFor(
  { store, id, runtime }: Internals,
  input: SummaryInput,
): Promise<ConversationSummary | null> {
  const { model } = checkOptions(input, ['model'], 'summary')
  const { card } = await meterNamed(model, 'summary', runtime)
  const state = await loadState(store, { id, model: card.id })
  return summaryOf(state?.view ?? null)
}
