/**
 * Summaries of one conversation in memory, as the JSON text that a database would keep. A fork
 * looks at its own first, and then at those of its source that end before its point.
 */
import type { Seq } from '../domain/ids.ts'
import { summaryRestsOn } from '../domain/rests-on.ts'
import type { SummaryRecord } from '../domain/summary.ts'
import type { SummariesQuery } from '../ports/store.ts'

interface Row {
  readonly to: Seq
  readonly body: string
}

export class MemorySummaries {
  readonly #source: () => { readonly summaries: MemorySummaries; readonly at: Seq } | null
  /** In the order in which they were committed. */
  #rows: readonly Row[] = []

  constructor(source: () => { readonly summaries: MemorySummaries; readonly at: Seq } | null) {
    this.#source = source
  }

  add(record: SummaryRecord): void {
    this.#rows = [...this.#rows, { to: record.covers.to, body: JSON.stringify(record) }]
  }

  forget(seq: Seq): void {
    this.#rows = this.#rows.filter(
      ({ body }) => !summaryRestsOn(JSON.parse(body) as SummaryRecord, seq),
    )
  }

  read({ limit, skip }: Pick<SummariesQuery, 'limit' | 'skip'>): readonly SummaryRecord[] {
    return this.#rows
      .toReversed()
      .slice(skip, skip + limit)
      .map(({ body }) => JSON.parse(body) as SummaryRecord)
  }

  before(place: Seq): SummaryRecord | null {
    const own = this.#rows
      .filter(({ to }) => to <= place)
      .reduce<Row | null>((best, row) => (best === null || row.to >= best.to ? row : best), null)
    if (own !== null) return JSON.parse(own.body) as SummaryRecord
    const source = this.#source()
    return source === null ? null : source.summaries.before(Math.min(place, source.at))
  }
}
