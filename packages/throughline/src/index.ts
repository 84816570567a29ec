/** The public face: what a program needs to keep conversations inside a window. */

export type { ThroughlineOptions, TokenizerChoice } from './config.ts'
export type { AppendOptions, AppendResult, UsageTaken } from './conversation/append-to.ts'
export type {
  ConversationUpdate,
  NotFound,
  PinFailure,
} from './conversation/change-conversation.ts'
export type { CompactOptions, OverflowTaken } from './conversation/compaction.ts'
export type { EditSummaryFailure, EditSummaryInput } from './conversation/edit-summary.ts'
export type { Expandable, ExpandOptions } from './conversation/expand.ts'
export type { ReceiptsInput } from './conversation/follow-up-receipts.ts'
export type { ConversationHandle, ForkFailure } from './conversation/handle.ts'
export type { Preview, PreviewInput, PreviewPlan } from './conversation/preview.ts'
export type { RecallOptions } from './conversation/recall.ts'
export {
  type RecallableConversation,
  type RecallToolOptions,
  recallToolSchemas,
  runRecallTool,
} from './conversation/recall-tool.ts'
export type { UndoFailure, UndoInput, VersionsInput } from './conversation/restore-view.ts'
export type { EditFailure } from './conversation/rewrite-messages.ts'
export type { RequestTotals, RequestUse, Status } from './conversation/status.ts'
export type { SummariesInput, SummaryInput } from './conversation/summary.ts'
export type {
  BeginFailure,
  ListInput,
  NewConversationInput,
  ParentInput,
  PurgesInput,
  TenantHandle,
} from './conversation/tenant-handle.ts'
export type { ViewHistory } from './conversation/view-history.ts'
export type { CountOptions } from './counting.ts'
export { type Amount, resolveAmount } from './domain/amount.ts'
export type { Anchor } from './domain/anchor.ts'
export type { AskLimits, AskState, Spent } from './domain/asking.ts'
export type { Breaker } from './domain/breaker.ts'
export type { Budget, ProtectedTokens } from './domain/budget.ts'
export {
  type Calibration,
  type CountedWith,
  calibrated,
  type Observation,
  observe,
  startCalibration,
} from './domain/calibration.ts'
export type {
  AskedCompaction,
  CompactionControl,
  CompactionMode,
  Suspended,
} from './domain/compaction.ts'
export type {
  Context,
  ContextMessage,
  Deliverable,
  Omission,
  Repair,
  Section,
  SlotKind,
} from './domain/context.ts'
export type { Conversation, ForkPoint, ParentLink } from './domain/conversation.ts'
export type { ConversationSummary } from './domain/conversation-summary.ts'
export type { Decision, DecisionFigures, DecisionReason } from './domain/decision.ts'
export type { ActionItem, Draft, Facets } from './domain/draft.ts'
export type { DraftMark, DraftRepair } from './domain/draft-findings.ts'
export type { BreakCause, CompactionCause, EpochCause, RenewCause } from './domain/epoch-cause.ts'
export type { EngineEvent, EventBody } from './domain/event.ts'
export type { Expanded, ExpandedPiece } from './domain/expanded.ts'
export type { FactKind, FactTrust } from './domain/fact.ts'
export type { FileAccess, FileOperation, FileReference } from './domain/file-reference.ts'
export type { FitModelState, FitState, Witness } from './domain/fit-state.ts'
export type { Hindsight, NeededNames, RecalledSpan, ReopenedFile } from './domain/hindsight.ts'
export type { ConversationId, MessageId, Seq, TenantId } from './domain/ids.ts'
export type { JsonObject, JsonValue } from './domain/json.ts'
export type { LedgerEntry } from './domain/ledger.ts'
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
export { type MessageClass, messageClasses } from './domain/message-class.ts'
export type {
  FileInput,
  MessageInput,
  OpaqueInput,
  PartInput,
  TextInput,
  ToolOutputInput,
} from './domain/message-input.ts'
export type { AttemptOutcome, ModelAttempt, ModelEvent } from './domain/model-attempt.ts'
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
export type { ModelPrices } from './domain/model-prices.ts'
export type {
  DigestSummarizer,
  KeepRecent,
  ModelOverride,
  Narrative,
  Policy,
  PolicyName,
  Preset,
  RecallRules,
  Run,
  RunningSummarizer,
  SetPriorities,
  Slot,
  StructuredSummarizer,
  Summarizer,
  TrimRules,
} from './domain/policy.ts'
export type { PurgeLine } from './domain/purge-line.ts'
export type { RecallToolKind } from './domain/recall-tools.ts'
export type { Recalled, RecalledPiece } from './domain/recalled.ts'
export type {
  Compacted,
  Expansion,
  LeftInContext,
  NewReceipt,
  Receipt,
  ShownKind,
} from './domain/receipt.ts'
export type { RequestPrefix, RequestRecord } from './domain/request-record.ts'
export type { Result } from './domain/result.ts'
export type { Size } from './domain/size.ts'
export type { Span } from './domain/span.ts'
export type { SummarizationEvent } from './domain/summarization-event.ts'
export type {
  KeptSummary,
  MadeBy,
  PassedOver,
  Summarization,
  SummarizationStop,
  SummaryRecord,
} from './domain/summary.ts'
export type { ToolSchema } from './domain/tool-schema.ts'
export type { ToolSummary } from './domain/tool-summary.ts'
export type {
  Guards,
  TokenRatioTrigger,
  TokensTrigger,
  Trigger,
  TriggerKind,
  TriggerState,
} from './domain/trigger.ts'
export {
  deriveTurns,
  type Step,
  type ToolPair,
  type Turn,
  type TurnMessage,
} from './domain/turn.ts'
export type { TurnRules, TurnSlot } from './domain/turn-rules.ts'
export type { Usage } from './domain/usage.ts'
export type { StubbedMessage, StubbedNext, View } from './domain/view.ts'
export type { ViewVersion } from './domain/view-version.ts'
export { type ErrorCode, errorTable, isThroughlineError, ThroughlineError } from './errors.ts'
export { formatSummary } from './extract/describe-tool-use.ts'
export { type FitReceipt, type Fitted, fit } from './fit/fit.ts'
export type { FitInput } from './fit/read-input.ts'
export type { ContextInput, RetrievedInput } from './flow/check/check-request.ts'
export {
  isStale,
  modifiedFiles,
  recentFiles,
  type TrackedFiles,
  wasModified,
} from './flow/classify/track-files.ts'
export {
  createMeter,
  type Measurable,
  type MeasuredRequest,
  type Meter,
  type MeterOptions,
} from './flow/measure/measure.ts'
export type { BudgetFigures } from './flow/measure/plan-budget.ts'
export { historyText } from './flow/past/history-text.ts'
export type { Trimmed } from './flow/select/trim.ts'
export { type SummaryMessage, summaryMessage } from './flow/summarize/summary-record.ts'
export { type FoundModel, findModel, knownModels } from './models/catalogue.ts'
export type {
  AdvancedPolicyOptions,
  PolicyInput,
  PolicyOptions,
  SummarizerInput,
} from './policies/policy-input.ts'
export { policies } from './policies/presets.ts'
export type { Adapter, Reading, RequestProblem } from './ports/adapter.ts'
export type { Clock } from './ports/clock.ts'
export type {
  ContextExtension,
  ExtensionBlock,
  ExtensionContent,
  ExtensionPiece,
  ExtensionQuery,
  MemoryReader,
} from './ports/context-extension.ts'
export type { LanguageModel } from './ports/language-model.ts'
export { type DigestJob, type Job, jobKey, type Queue, type SummarizeJob } from './ports/queue.ts'
export type { PurgeOutcome } from './ports/rewrite.ts'
export type { AppendedEntry, Store } from './ports/store.ts'
export type { Tokenizer } from './ports/tokenizer.ts'
export {
  type SafeSummarizeOptions,
  type SummarizeOptions,
  safeSummarize,
  summarizeDroppedMessages,
  summarizeToolResult,
  type ToolResultOptions,
} from './summarize.ts'
export { createThroughline, type LiveEvent, type Throughline } from './throughline.ts'
export { type GptEncodingName, loadGptTokenizer } from './tokenizers/gpt.ts'
export { loadEstimator } from './tokenizers/load-estimator.ts'
export {
  type BudgetOptions,
  budgetOf,
  type ClassifiedMessage,
  type ClassifyOptions,
  classify,
  type TrimOptions,
  trackFiles,
  trim,
} from './trim.ts'
