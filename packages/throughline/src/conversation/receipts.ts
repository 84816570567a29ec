/** Receipts: written with what they tell of, and read. */
import { defaults } from '../defaults.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Receipt } from '../domain/receipt.ts'
import { wholeNumber } from '../domain/span.ts'
import type { Projection } from '../engine.ts'
import { checkOptions } from '../flow/check/check-options.ts'
import { leftInContext } from '../flow/receipt/left-in-context.ts'
import type { ConversationChanges } from '../ports/commit-commands.ts'
import type { TenantStore } from '../ports/store.ts'

export interface ReceiptsInput {
  readonly limit?: number | undefined
  /** Only receipts of a smaller version: the last of the page before. */
  readonly before?: number | undefined
}

export async function receiptsOf(
  store: TenantStore,
  id: ConversationId,
  input: ReceiptsInput,
): Promise<readonly Receipt[]> {
  const { limit, before } = checkOptions(input, ['limit', 'before'], 'receipts')
  const query = {
    limit: wholeNumber(limit ?? defaults.pageRows.value),
    before: before === undefined ? null : wholeNumber(before),
  }
  return (await store.receipts({ id, ...query })) ?? []
}

/** The receipt of a request, as its commit holds it; none where it did not compact. */
export function receiptChange(
  { compacted, context, view }: Pick<Projection, 'compacted' | 'context' | 'view'>,
  made: {
    readonly at: number
    readonly durationMs: number
    readonly recorded: number
    /** Another one waits for its hindsight. */
    readonly isWaiting: boolean
  },
): Pick<ConversationChanges, 'receipt'> {
  if (compacted === null || view === null) return {}
  const { at, durationMs, recorded, isWaiting } = made
  return {
    receipt: {
      receipt: { ...compacted, at, durationMs },
      left: leftInContext(context, view, compacted.head),
      // The request that compacts is itself the first that will have been recorded. Of several
      // compactions in so short a time one is looked back at.
      due: isWaiting ? null : recorded + 1 + defaults.hindsightRequests.value,
    },
  }
}
