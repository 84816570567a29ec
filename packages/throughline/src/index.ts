/** The public face: what a program needs to keep conversations inside a window. */
export type { ThroughlineOptions, TokenizerChoice } from './config.ts'
export type {
  AppendOptions,
  ConversationHandle,
  ConversationUpdate,
  ForkFailure,
} from './conversation-handle.ts'
export { type Amount, resolveAmount } from './domain/amount.ts'
export {
  type Calibration,
  type CountedWith,
  calibrated,
  type Observation,
  observe,
  startCalibration,
} from './domain/calibration.ts'
export type { Conversation, ForkPoint, ParentLink } from './domain/conversation.ts'
export type { EngineEvent, EventBody } from './domain/event.ts'
export type { ConversationId, MessageId, Seq, TenantId } from './domain/ids.ts'
export type { JsonObject, JsonValue } from './domain/json.ts'
export type {
  AttachmentRefPart,
  FilePart,
  FileSource,
  Mark,
  Message,
  MessageHashes,
  MessageStatus,
  OpaquePart,
  Part,
  ReasoningPart,
  ResourceExcerptPart,
  Role,
  TextPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from './domain/message.ts'
export type {
  FileInput,
  MessageInput,
  OpaqueInput,
  PartInput,
  TextInput,
  ToolOutputInput,
} from './domain/message-input.ts'
export {
  type ModelCard,
  type ModelCardInput,
  modelCard,
  type Overhead,
  type PatchRule,
  type PictureRule,
  type TileRule,
  type TokenizerName,
} from './domain/model-card.ts'
export type { Result } from './domain/result.ts'
export type { Span } from './domain/span.ts'
export { deriveTurns, type Step, type ToolPair, type Turn } from './domain/turn.ts'
export {
  type BeginFailure,
  createThroughline,
  type ListInput,
  type NewConversationInput,
  type ParentInput,
  type TenantHandle,
  type Throughline,
} from './engine.ts'
export { type ErrorCode, errorTable, isThroughlineError, ThroughlineError } from './errors.ts'
export type { AppendResult } from './flow/append.ts'
export {
  createMeter,
  type Measurable,
  type MeasuredRequest,
  type Meter,
  type MeterOptions,
  type ToolSchema,
} from './flow/measure.ts'
export { type FoundModel, findModel } from './models/catalogue.ts'
export type { Clock } from './ports/clock.ts'
export type {
  AppendCommand,
  AppendedEntry,
  AppendOutcome,
  CommitCommand,
  CommitOutcome,
  ConversationChanges,
  CreateCommand,
  CreateOutcome,
  EventsQuery,
  ListQuery,
  PurgeCommand,
  PurgeOutcome,
  ReadQuery,
  Store,
  TenantStore,
} from './ports/store.ts'
export type { Tokenizer } from './ports/tokenizer.ts'
export { type GptEncodingName, loadGptTokenizer } from './tokenizers/gpt.ts'
export { loadEstimator } from './tokenizers/load-estimator.ts'
