/**
 * What a store of your own is built from: the port, the one algorithm that gives
 * messages their places, what a commit tells, and the forms that rows are kept in. It passes when it
 * passes `storeContract` of `throughline/testing`.
 */
export { noControl } from '../domain/compaction.ts'
export { chainStart } from '../domain/conversation.ts'
export type { DigestRecord } from '../domain/digest-record.ts'
export type { Fact, MessageDigest, MessageFacts } from '../domain/fact.ts'
export { ForgetTurns, type KeptKeys } from '../domain/forget-turns.ts'
export type { FoundPieces, PiecePlaces, PieceQuery, TermMatch } from '../domain/found-pieces.ts'
export type { Sha256 } from '../domain/hash.ts'
export { conversationId, messageId, tenantId } from '../domain/ids.ts'
export { type IndexedPiece, type PieceKey, pieceKey } from '../domain/indexed-piece.ts'
export type { Insert } from '../domain/insert.ts'
export type { Ledger } from '../domain/ledger.ts'
export { decodeBody, encodeBody, type MessageBody } from '../domain/message-body.ts'
export {
  type KnownKey,
  type LogState,
  type PlacedEntry,
  type Placement,
  place,
} from '../domain/placement.ts'
export { purgeSubject } from '../domain/purge-line.ts'
export { isRemoved, type RemovedMessage, removedMark } from '../domain/removed-message.ts'
export { Replay, type Replayed, type ReplayedMessage, type WaitingCall } from '../domain/replay.ts'
export {
  hindsightRestsOn,
  insertRestsOn,
  receiptRestsOn,
  summaryRestsOn,
  viewRestsOn,
  withoutWords,
} from '../domain/rests-on.ts'
export {
  answersOf,
  callsOf,
  clientKey,
  type FileContent,
  type MessageKey,
  type SealedMessage,
} from '../domain/sealed-message.ts'
export { storedIn } from '../domain/stored-files.ts'
export { figuresOf, type ViewVersion } from '../domain/view-version.ts'
export { foldedNames, foldedPart, joinFound, TermIndex } from '../extract/term-index.ts'
export type {
  CommitCommand,
  CommitOutcome,
  ConversationChanges,
  Digested,
  Summarized,
} from '../ports/commit-commands.ts'
export type { FindQuery, Found, IndexCommand, IndexOutcome } from '../ports/index-commands.ts'
export { keptRows } from '../ports/kept-rows.ts'
export type {
  CompleteCommand,
  CompleteOutcome,
  ReceiptsQuery,
  WaitingQuery,
  WaitingReceipt,
} from '../ports/receipt-commands.ts'
export type {
  AlreadyPurged,
  Erasure,
  ErasureRemains,
  PurgeCommand,
  PurgeOutcome,
  PurgesQuery,
  RewriteCommand,
  RewriteOutcome,
} from '../ports/rewrite.ts'
export type {
  ConversationState,
  DigestsQuery,
  FactsQuery,
  LedgerQuery,
  RecordCommand,
  RecordOutcome,
  RequestsQuery,
  StateQuery,
  SummariesQuery,
  SummaryBeforeQuery,
} from '../ports/state-commands.ts'
export type {
  AppendCommand,
  AppendedEntry,
  AppendOutcome,
  CreateCommand,
  CreateOutcome,
  EventsQuery,
  LatestConversation,
  LatestQuery,
  ListQuery,
  ReadBackQuery,
  ReadQuery,
  Store,
  TenantStore,
} from '../ports/store.ts'
export type { Remembered, StepsQuery, TurnsQuery } from '../ports/turn-commands.ts'
export type {
  RestoredView,
  VersionedView,
  VersionsQuery,
  ViewOfQuery,
} from '../ports/view-versions.ts'
export { sha256 } from '../system.ts'
export { changeEvents, completionEvent } from './change-events.ts'
export { checkPieces } from './checked-pieces.ts'
export { withExpansion } from './expansions.ts'
export { type FactsBody, factsBodies } from './facts-body.ts'
export { type PlacedTitle, remadeTitle } from './remade-title.ts'
export {
  type LookedAt,
  type Rewritten,
  type RewrittenLog,
  type RowChange,
  rewriteLog,
} from './rewrite-log.ts'
