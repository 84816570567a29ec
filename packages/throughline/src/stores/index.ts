/**
 * What a store of your own is built from: the port, the one algorithm that gives messages their
 * places, the rules of derived rows, and the one that rewrites messages. It passes when it passes
 * `storeContract` of `throughline/testing`.
 */
export { loadReceipts } from '../derived/receipts.ts'
export { loadRequests } from '../derived/rows.ts'
export { loadConversation } from '../derived/state.ts'
export { chainStart, noControl } from '../domain/conversation.ts'
export {
  checkRow,
  derivedKinds,
  type KindRules,
  keptRows,
  kindNames,
  MessageChange,
} from '../domain/derived-kinds.ts'
export type { DerivedKind, DerivedRow } from '../domain/derived-row.ts'
export { purgeSubject } from '../domain/event.ts'
export type { KeptKeys } from '../domain/forget-turns.ts'
export type { Sha256 } from '../domain/hash.ts'
export { conversationId, messageId, tenantId } from '../domain/ids.ts'
export { storedIn } from '../domain/message.ts'
export {
  type KnownKey,
  type LogState,
  type PlacedEntry,
  type Placement,
  place,
  Replay,
  type Replayed,
  type ReplayedMessage,
  type WaitingCall,
} from '../domain/placement.ts'
export {
  answersOf,
  callsOf,
  clientKey,
  decodeBody,
  encodeBody,
  type FileContent,
  isRemoved,
  type MessageBody,
  type MessageKey,
  type RemovedMessage,
  removedMark,
  type SealedMessage,
} from '../domain/sealed-message.ts'
export type { FoundPieces, PiecePlaces, PieceQuery, TermMatch } from '../domain/search-index.ts'
export { type IndexedPiece, type PieceKey, pieceKey } from '../domain/search-index.ts'
export { foldedNames, foldedPart, joinFound, TermIndex } from '../extract/term-index.ts'
export type {
  AlreadyPurged,
  Erasure,
  ErasureRemains,
  PurgeCommand,
  PurgeOutcome,
  RewriteCommand,
  RewriteOutcome,
} from '../ports/rewrite.ts'
export type {
  AppendCommand,
  AppendedEntry,
  AppendOutcome,
  BytesQuery,
  CommitCommand,
  CommitOutcome,
  ConversationFields,
  CreateCommand,
  CreateOutcome,
  EventsQuery,
  Found,
  IndexCommand,
  IndexOutcome,
  ListedConversation,
  ListQuery,
  Loaded,
  LoadQuery,
  ReadQuery,
  RecordCommand,
  RecordedRow,
  RecordGuard,
  RecordOutcome,
  RowQuery,
  SearchQuery,
  Store,
  TenantStore,
} from '../ports/store.ts'
export { sha256 } from '../system.ts'
export { checkPieces } from './checked-pieces.ts'
export { isOwn, type OwnRows, type RowSegment, readRows } from './derived-read.ts'
export { type PlacedTitle, remadeTitle } from './remade-title.ts'
export {
  type LookedAt,
  type Rewritten,
  type RewrittenLog,
  type RowChange,
  rewriteLog,
} from './rewrite-log.ts'
