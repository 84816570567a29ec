/**
 * Summaries of one conversation in memory, as the JSON text that a database would keep. A fork
 * looks at its own first, and then at those of its source that end before its point.
 */

import type { Seq } from '../../domain/ids.ts'
import { summaryRestsOn } from '../../domain/rests-on.ts'
import type { KeptSummary, SummaryRecord } from '../../domain/summary.ts'
import type { SummariesQuery } from '../../ports/state-commands.ts'
import type { RestoredView } from '../../ports/view-versions.ts'

interface Row {
  readonly id: string
  readonly to: Seq
  readonly body: string
  readonly withdrawn: boolean
}

export class MemorySummaries {
  readonly #source: () => { readonly summaries: MemorySummaries; readonly at: Seq } | null
  /** In the order in which they were committed. */
  #rows: readonly Row[] = []

  constructor(source: () => { readonly summaries: MemorySummaries; readonly at: Seq } | null) {
    this.#source = source
  }

  add(record: SummaryRecord): void {
    const { id, covers } = record
    const row = { id, to: covers.to, body: JSON.stringify(record), withdrawn: false }
    this.#rows = [...this.#rows, row]
  }

  forget(seq: Seq): void {
    this.#rows = this.#rows.filter(
      ({ body }) => !summaryRestsOn(JSON.parse(body) as SummaryRecord, seq),
    )
  }

  mark({ withdrawn, returned }: Pick<RestoredView, 'withdrawn' | 'returned'>): void {
    this.#rows = this.#rows.map((row) => {
      if (withdrawn.includes(row.id)) return { ...row, withdrawn: true }
      return returned.includes(row.id) ? { ...row, withdrawn: false } : row
    })
  }

  read({ limit, skip }: Pick<SummariesQuery, 'limit' | 'skip'>): readonly KeptSummary[] {
    return this.#rows
      .toReversed()
      .slice(skip, skip + limit)
      .map(({ body, withdrawn }) => ({ ...(JSON.parse(body) as SummaryRecord), withdrawn }))
  }

  before(place: Seq): SummaryRecord | null {
    const own = this.#rows
      .filter(({ to, withdrawn }) => to <= place && !withdrawn)
      .reduce<Row | null>((best, row) => (best === null || row.to >= best.to ? row : best), null)
    if (own !== null) return JSON.parse(own.body) as SummaryRecord
    const source = this.#source()
    return source === null ? null : source.summaries.before(Math.min(place, source.at))
  }
}
