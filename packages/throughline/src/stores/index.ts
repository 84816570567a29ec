/**
 * Building blocks for a store of your own: the port, the algorithm that places messages, the rules
 * of derived rows, and the algorithm that rewrites messages. A store is correct when it passes
 * `storeContract` of `throughline/testing`.
 */
export { loadReceipts } from '../derived/receipts.ts'
export { loadRequests } from '../derived/rows.ts'
export { loadConversation } from '../derived/state.ts'
export { chainStart, noControl } from '../domain/conversation.ts'
export { checkRow, derivedKinds, kindNames, MessageChange } from '../domain/derived-kinds.ts'
export type { DerivedKind, DerivedRow } from '../domain/derived-row.ts'
export { purgeSubject } from '../domain/event.ts'
export type { Sha256 } from '../domain/hash.ts'
export { conversationId, messageId, tenantId } from '../domain/ids.ts'
export { keptRows } from '../domain/kept-rows-data.ts'
export { storedIn } from '../domain/message.ts'
export {
  chainHalves,
  chainHash,
  type LogState,
  type PlacedEntry,
  place,
  Replay,
  segmentMessages,
} from '../domain/placement.ts'
export {
  answersOf,
  callsOf,
  clientKey,
  decodeBody,
  encodeBody,
  isRemoved,
  type MessageBody,
  removedMark,
  type SealedMessage,
} from '../domain/sealed-message.ts'
export type { FoundPieces, PieceQuery } from '../domain/search-index.ts'
export { type IndexedPiece, pieceKey } from '../domain/search-index.ts'
export { foldedNames, foldedPart, joinFound, TermIndex } from '../extract/term-index.ts'
export type {
  PurgeCommand,
  PurgeOutcome,
  RewriteCommand,
  RewriteOutcome,
} from '../ports/rewrite.ts'
export type {
  AppendCommand,
  AppendOutcome,
  BytesQuery,
  CommitCommand,
  CommitOutcome,
  CreateCommand,
  CreateOutcome,
  EventsQuery,
  IndexCommand,
  IndexOutcome,
  ListedConversation,
  ListQuery,
  Loaded,
  LoadQuery,
  PieceVectors,
  ReadQuery,
  RecordCommand,
  RecordOutcome,
  RowQuery,
  SearchQuery,
  Store,
  TenantStore,
} from '../ports/store.ts'
export { sha256 } from '../system.ts'
export type { Archive, ArchivedConversation, ArchiveRecord } from './archive.ts'
export { checkPieces } from './check-pieces.ts'
export { isOwn, type OwnRows, type RowSegment, readRows } from './derived-read.ts'
export { renewTitle } from './renew-title.ts'
export {
  type AsyncRewrittenLog,
  type RewrittenLog,
  rewriteLog,
  rewriteLogAsync,
} from './rewrite-log.ts'
