/** The summary that the contexts of a model have now. */
import type { ConversationSummary } from '../domain/conversation-summary.ts'
import type { ConversationId } from '../domain/ids.ts'
import { checkOptions, invalidOption } from '../flow/check-options.ts'
import { summaryOf } from '../flow/summary-record.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Front } from './front.ts'

export interface SummaryInput {
  readonly model: string
}

export async function summaryFor(
  store: TenantStore,
  id: ConversationId,
  input: SummaryInput,
  front: Front,
): Promise<ConversationSummary | null> {
  const { model } = checkOptions(input, ['model'], 'summary')
  if (typeof model !== 'string' || model === '')
    throw invalidOption('summary: model must be a name')
  const { card } = await front.meter(model)
  const state = await store.state({ id, model: card.id })
  return summaryOf(state?.view ?? null)
}
