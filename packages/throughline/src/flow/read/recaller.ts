/** Which pieces of a log hold which terms, wherever the index is kept. */
import type { FoundPieces, PieceQuery } from '../../domain/found-pieces.ts'
import type { Span } from '../../domain/span.ts'

export interface Recaller {
  /** Null where nothing can be searched. */
  find(query: PieceQuery): Promise<SearchedPieces | null>
}

export interface SearchedPieces extends FoundPieces {
  /** Messages before the place that were not searched; null where all of them were. */
  readonly unsearched: Span | null
}
