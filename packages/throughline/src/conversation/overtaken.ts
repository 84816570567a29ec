/**
 * Of two summaries of the same messages, the one that was committed first stays: the other one
 * would tell nothing more. What it has cost is kept all the same. One that was made afresh is
 * there to take the place of another, but not of what a person has written meanwhile. And where
 * that was taken back or corrected which a summary goes on from, it would bring it back.
 */
import type { ConversationId } from '../domain/ids.ts'
import type { SummaryRecord } from '../domain/summary.ts'
import { isByPerson } from '../flow/past/written-past.ts'
import type { SummaryOutcome } from '../flow/summarize/summary-writer.ts'
import type { TenantStore } from '../ports/store.ts'

/** Without its record where somebody else's tells as much. */
export async function unlessOvertaken(
  store: Pick<TenantStore, 'summaryBefore'>,
  id: ConversationId,
  written: SummaryOutcome,
): Promise<SummaryOutcome> {
  const { record, summarization } = written
  if (record === null || !(await isOvertaken(store, id, record))) return written
  return {
    ...written,
    record: null,
    summarization: { ...summarization, summaryId: null, why: 'overtaken' },
  }
}

async function isOvertaken(
  store: Pick<TenantStore, 'summaryBefore'>,
  id: ConversationId,
  record: SummaryRecord,
): Promise<boolean> {
  const { covers, told, parentId } = record
  const place = covers.to
  const other = await store.summaryBefore({ id, place })
  const isTold = other !== null && other.covers.to >= place
  if (isAfresh(record)) return isTold && isByPerson(other) && other.id !== parentId
  if (isTold || told.from === 0) return isTold
  const base = await store.summaryBefore({ id, place: told.from })
  return base?.id !== parentId
}

function isAfresh({ told, parentId }: SummaryRecord): boolean {
  return told.from === 0 && parentId !== null
}
