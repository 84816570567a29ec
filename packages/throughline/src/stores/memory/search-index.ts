/** The search index of a conversation in memory; shared messages are in the index of the source. */
import type { Seq } from '../../domain/ids.ts'
import type { FoundPieces, IndexedPiece, PieceQuery } from '../../domain/search-index.ts'
import type { Span } from '../../domain/span.ts'
import { joinFound, TermIndex } from '../../extract/term-index.ts'

interface Source {
  readonly log: { readonly index: MemoryIndex }
  /** The fork shares the messages before this place. */
  readonly at: Seq
}

export class MemoryIndex {
  readonly #source: () => Source | null
  #own = new TermIndex()
  #ownEnd: Seq

  constructor(source: () => Source | null) {
    this.#source = source
    this.#ownEnd = source()?.at ?? 0
  }

  /** All messages before this place are indexed, shared ones in the index of the source. */
  get end(): Seq {
    const source = this.#source()
    const sharedEnd = source?.log.index.end ?? 0
    return source !== null && sharedEnd < source.at ? sharedEnd : this.#ownEnd
  }

  /** Adds pieces of shared messages to the index of the source. */
  add({ from, to }: Span, pieces: readonly IndexedPiece[]): void {
    const { log, at } = this.#source() ?? { log: null, at: 0 }
    const shared = pieces.filter(({ seq }) => seq < at)
    if (from < at) log?.index.add({ from, to: Math.min(to, at) }, shared)
    this.#own.add(pieces.filter(({ seq }) => seq >= at))
    this.#ownEnd = Math.max(this.#ownEnd, to)
  }

  /** Replaces the pieces of changed messages that are already indexed. */
  reindex(places: readonly Seq[], pieces: readonly IndexedPiece[]): void {
    for (const seq of places) this.#own.drop(seq)
    this.#own.add(pieces.filter(({ seq }) => seq < this.#ownEnd))
  }

  /** For a fork that now shares fewer messages: `end` moves back to its first own message. */
  reset(): void {
    this.#own = new TermIndex()
    this.#ownEnd = this.#source()?.at ?? 0
  }

  find(query: PieceQuery): FoundPieces {
    const own = this.#own.find(query)
    const source = this.#source()
    if (source === null) return own
    const before = Math.min(query.before, source.at)
    return joinFound([source.log.index.find({ ...query, before }), own], query)
  }
}
