/** Which pieces of a log hold which terms, wherever the index is kept. */
import type { FoundPieces, PieceQuery } from '../../domain/found-pieces.ts'

export interface Recaller {
  /** Null where nothing can be searched. */
  find(query: PieceQuery): Promise<FoundPieces | null>
}
