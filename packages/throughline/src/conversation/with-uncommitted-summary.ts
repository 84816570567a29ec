/** A past that also knows a summary that could not be committed yet: nobody pays for it twice. */
import type { SummaryRecord } from '../domain/summary.ts'
import type { PastReader } from '../flow/read/past-reader.ts'

export function withUncommittedSummary(past: PastReader, record: SummaryRecord | null): PastReader {
  if (record === null) return past
  return {
    ...past,
    summaryBefore: async (place) => {
      const kept = await past.summaryBefore(place)
      if (record.covers.to > place) return kept
      return kept !== null && kept.covers.to > record.covers.to ? kept : record
    },
  }
}
