/**
 * What a store of your own is built from: the port, the one algorithm that gives
 * messages their places, what a commit tells, and the forms that rows are kept in. It passes when it
 * passes `storeContract` of `throughline/testing`.
 */
export { chainStart } from '../domain/conversation.ts'
export type { FoundPieces, PiecePlaces, PieceQuery, TermMatch } from '../domain/found-pieces.ts'
export { messageId } from '../domain/ids.ts'
export {
  type IndexedPiece,
  type PieceKey,
  partOfPiece,
  pieceKey,
  seqOfPiece,
} from '../domain/indexed-piece.ts'
export { decodeBody, type MessageBody } from '../domain/message-body.ts'
export {
  type KnownKey,
  type LogState,
  type PlacedEntry,
  type Placement,
  place,
} from '../domain/placement.ts'
export { purgeSubject } from '../domain/purge-line.ts'
export { isRemoved } from '../domain/removed-message.ts'
export { Replay, type Replayed, type ReplayedMessage, type WaitingCall } from '../domain/replay.ts'
export {
  hindsightRestsOn,
  receiptRestsOn,
  summaryRestsOn,
  viewRestsOn,
  withoutWords,
} from '../domain/rests-on.ts'
export { clientKey, type FileContent, type SealedMessage } from '../domain/sealed-message.ts'
export { figuresOf, type ViewVersion } from '../domain/view-version.ts'
export { foldedNames, foldedPart } from '../extract/folded-names.ts'
export { joinFound } from '../extract/join-found.ts'
export { TermIndex } from '../extract/term-index.ts'
export { kept, type Store, type TenantStore } from '../ports/store.ts'
export { sha256 } from '../system.ts'
export { changeEvents, completionEvent } from './change-events.ts'
export { checkPieces } from './checked-pieces.ts'
export { withExpansion } from './expansions.ts'
export { type FactsBody, factsBodies } from './facts-body.ts'
export { type LookedAt, type RewrittenLog, type RowChange, rewriteLog } from './rewrite-log.ts'
