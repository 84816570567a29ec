/**
 * Facts and the ledger of one conversation in memory, as the JSON text that a database
 * would keep. A fork looks at its own rows first, and before its point at those of its source.
 */
import type { MessageFacts } from '../../domain/fact.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Ledger } from '../../domain/ledger.ts'
import type { Span } from '../../domain/span.ts'
import type { ConversationChanges } from '../../ports/commit-commands.ts'
import type { FactsQuery } from '../../ports/state-commands.ts'
import { type FactsBody, factsBodies } from '../facts-body.ts'

export class MemoryFacts {
  readonly #source: () => { readonly facts: MemoryFacts; readonly at: Seq } | null
  readonly #rows = new Map<Seq, string>()
  #ledger: string | null = null

  constructor(source: () => { readonly facts: MemoryFacts; readonly at: Seq } | null) {
    this.#source = source
  }

  get ledger(): Ledger | null {
    return this.#ledger === null ? null : (JSON.parse(this.#ledger) as Ledger)
  }

  commit({ rows, ledger }: NonNullable<ConversationChanges['facts']>, head: Seq): void {
    // All of it becomes text before any of it is kept: what is refused leaves no trace.
    const [written, text] = [factsBodies(rows, head), ledger && JSON.stringify(ledger)]
    for (const { seq, body } of written) this.#rows.set(seq, body)
    this.#ledger = text ?? this.#ledger
  }

  read(
    { span, newestFirst = false, trust, limit }: FactsQuery,
    head: Seq,
  ): readonly MessageFacts[] {
    const most = limit ?? head
    const [from, to] = [span.from, Math.min(span.to, head)]
    const found: MessageFacts[] = []
    for (let step = 0; step < to - from && found.length < most; step += 1) {
      const seq = newestFirst ? to - 1 - step : from + step
      const text = this.#find(seq)
      const body = text === null ? null : (JSON.parse(text) as FactsBody)
      if (body !== null && (trust === undefined || body.trust === trust))
        found.push({ seq, ...body })
    }
    return found
  }

  /** Has rows of its own in a span where it read those of its source. */
  own({ from, to }: Span): void {
    for (let seq = from; seq < to; seq += 1) {
      const body = this.#find(seq)
      if (body !== null) this.#rows.set(seq, body)
    }
  }

  /** What another has told itself of the messages before a place, where this one has not. */
  take(other: MemoryFacts, to: Seq): void {
    for (const [seq, body] of other.#rows)
      if (seq < to && !this.#rows.has(seq)) this.#rows.set(seq, body)
  }

  forget(places: readonly Seq[]): void {
    for (const seq of places) this.#rows.delete(seq)
    this.#ledger = null
  }

  #find(seq: Seq): string | null {
    let facts: MemoryFacts = this
    for (;;) {
      const body = facts.#rows.get(seq)
      if (body !== undefined) return body
      const source = facts.#source()
      if (source === null || seq >= source.at) return null
      facts = source.facts
    }
  }
}
