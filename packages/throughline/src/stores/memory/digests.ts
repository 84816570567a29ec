/** Digests of one conversation in memory. Before its point a fork reads those of its source, where it has none. */
import type { DigestRecord } from '../../domain/digest-record.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Span } from '../../domain/span.ts'

export class MemoryDigests {
  readonly #source: () => { readonly digests: MemoryDigests; readonly at: Seq } | null
  readonly #rows = new Map<Seq, string>()

  constructor(source: () => { readonly digests: MemoryDigests; readonly at: Seq } | null) {
    this.#source = source
  }

  add(record: DigestRecord): void {
    this.#rows.set(record.seq, JSON.stringify(record))
  }

  /** Has rows of its own in a span where it read those of its source. */
  own(span: Span): void {
    for (const record of this.read(span)) this.add(record)
  }

  /** What another has itself of the messages before a place, where this one has none. */
  take(other: MemoryDigests, to: Seq): void {
    for (const [seq, body] of other.#rows)
      if (seq < to && !this.#rows.has(seq)) this.#rows.set(seq, body)
  }

  forget(places: readonly Seq[]): void {
    for (const seq of places) this.#rows.delete(seq)
  }

  read({ from, to }: Span): readonly DigestRecord[] {
    const source = this.#source()
    const shared = source?.digests.read({ from, to: Math.min(to, source.at) }) ?? []
    const own = [...this.#rows.values()].map((body) => JSON.parse(body) as DigestRecord)
    return [
      ...shared.filter(({ seq }) => !this.#rows.has(seq)),
      ...own.filter(({ seq }) => seq >= from && seq < to),
    ].sort((left, right) => left.seq - right.seq)
  }
}
