/**
 * What a store of your own is built from: the port, the one algorithm that gives
 * messages their places, what a commit tells, and the forms that rows are kept in. It passes when it
 * passes `storeContract` of `throughline/testing`.
 */
export { chainStart } from '../domain/conversation.ts'
export { messageId } from '../domain/ids.ts'
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
export { kept, type Store, type TenantStore } from '../ports/store.ts'
export { sha256 } from '../system.ts'
export { changeEvents, completionEvent } from './change-events.ts'
export { withExpansion } from './expansions.ts'
export { type FactsBody, factsBodies } from './facts-body.ts'
export { type LookedAt, type RewrittenLog, type RowChange, rewriteLog } from './rewrite-log.ts'
