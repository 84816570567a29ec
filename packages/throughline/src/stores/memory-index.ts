/**
 * What can be searched of one conversation in memory. A piece is kept where its message stands:
 * what a fork indexes before its point is its source's, and found by all that share it.
 */
import type { FoundPieces, PieceQuery } from '../domain/found-pieces.ts'
import type { Seq } from '../domain/ids.ts'
import type { IndexedPiece } from '../domain/indexed-piece.ts'
import type { Span } from '../domain/span.ts'
import { joinFound } from '../extract/join-found.ts'
import { TermIndex } from '../extract/term-index.ts'

export class MemoryIndex {
  readonly #source: { readonly index: MemoryIndex; readonly at: Seq } | null
  readonly #own = new TermIndex()
  /** Where our own rows are indexed to. */
  #ownEnd: Seq

  constructor(source: { readonly index: MemoryIndex; readonly at: Seq } | null) {
    this.#source = source
    this.#ownEnd = source?.at ?? 0
  }

  /** Up to here all messages are indexed. */
  get end(): Seq {
    const source = this.#source
    return source !== null && source.index.end < source.at ? source.index.end : this.#ownEnd
  }

  add({ from, to }: Span, pieces: readonly IndexedPiece[]): void {
    const at = this.#source?.at ?? 0
    if (from < at)
      this.#source?.index.add(
        { from, to: Math.min(to, at) },
        pieces.filter(({ seq }) => seq < at),
      )
    this.#own.add(pieces.filter(({ seq }) => seq >= at))
    this.#ownEnd = Math.max(this.#ownEnd, to)
  }

  /** The pieces of one message give way to others, or to none. */
  replace(seq: Seq, pieces: readonly IndexedPiece[]): void {
    if (this.#source !== null && seq < this.#source.at) {
      this.#source.index.replace(seq, pieces)
      return
    }
    this.#own.drop(seq)
    this.#own.add(pieces)
  }

  find(query: PieceQuery): FoundPieces {
    const own = this.#own.find(query)
    if (this.#source === null) return own
    const before = Math.min(query.before, this.#source.at)
    return joinFound([this.#source.index.find({ ...query, before }), own], query)
  }
}
