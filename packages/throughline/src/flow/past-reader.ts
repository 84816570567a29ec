/** What is known of the messages before a line, wherever that is kept. */
import type { MessageFacts } from '../domain/fact.ts'
import type { Seq } from '../domain/ids.ts'
import type { Ledger } from '../domain/ledger.ts'

export interface PastReader {
  ledger(): Promise<Ledger | null>
  /** Rows of messages before a place, newest first. */
  rowsBefore(before: Seq, limit: number): Promise<readonly MessageFacts[]>
}

/** For a log of which nothing is kept: everything is looked at again. */
export const nothingKept: PastReader = {
  ledger: async () => null,
  rowsBefore: async () => [],
}

/** Nothing is read twice. */
export function rememberedPast(past: PastReader): PastReader {
  const pages = new Map<string, ReturnType<PastReader['rowsBefore']>>()
  let ledger: ReturnType<PastReader['ledger']> | null = null
  return {
    ledger: () => {
      ledger ??= past.ledger()
      return ledger
    },
    rowsBefore: (before, limit) => {
      const place = `${before} ${limit}`
      const page = pages.get(place) ?? past.rowsBefore(before, limit)
      pages.set(place, page)
      return page
    },
  }
}
