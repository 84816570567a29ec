/**
 * Of two summaries of the same messages, the one that was committed first stays: the other one
 * would tell nothing more. What it has cost is kept all the same. One that was made afresh is
 * there to take the place of another.
 */
import type { ConversationId } from '../domain/ids.ts'
import type { SummaryRecord } from '../domain/summary.ts'
import type { WrittenSummary } from '../flow/summary-writer.ts'
import type { TenantStore } from '../ports/store.ts'

/** Without its record where somebody else's tells as much. */
export async function unlessOvertaken(
  store: Pick<TenantStore, 'summaryBefore'>,
  id: ConversationId,
  written: WrittenSummary,
): Promise<WrittenSummary> {
  const { record, summarization } = written
  if (record === null || isAfresh(record)) return written
  const place = record.covers.to
  const other = await store.summaryBefore({ id, place })
  if (other === null || other.covers.to < place) return written
  return {
    ...written,
    record: null,
    summarization: { ...summarization, summaryId: null, why: 'overtaken' },
  }
}

function isAfresh({ told, parentId }: SummaryRecord): boolean {
  return told.from === 0 && parentId !== null
}
