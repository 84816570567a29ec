/** The public API of the package. */

export type { ThroughlineOptions } from './config.ts'
export type { AppendOptions, AppendResult } from './conversation/append-to.ts'
export { comparisonHash } from './conversation/comparison-hash.ts'
export type { ExpandOptions } from './conversation/expand.ts'
export type { ConversationHandle, ConversationHistory } from './conversation/handle.ts'
export type { Preview, PreviewInput } from './conversation/preview.ts'
export type { RecallOptions } from './conversation/recall.ts'
export {
  type RecallableConversation,
  recallToolSchemas,
  runRecallTool,
} from './conversation/recall-tool.ts'
export type {
  CompactFailure,
  CompactInput,
  CompactOptions,
} from './conversation/requested-compaction.ts'
export type { UndoInput } from './conversation/restore-view.ts'
export type { RequestUse, Status } from './conversation/status.ts'
export type { ListInput, NewConversationInput, TenantHandle } from './conversation/tenant-handle.ts'
export { type Calibration, calibrated, startCalibration } from './domain/calibration.ts'
export type {
  Budget,
  Context,
  ContextMessage,
  ContextWarning,
  Deliverable,
  Omission,
  Section,
  SlotKind,
  ToolSchema,
} from './domain/context.ts'
export type { CompactionMode, Conversation } from './domain/conversation.ts'
export type { BreakCause, Decision, Trigger } from './domain/decision.ts'
export type { EngineEvent, LiveEvent } from './domain/event.ts'
export type { FitState } from './domain/fit-state.ts'
export type { ConversationId, Seq, TenantId } from './domain/ids.ts'
export type { JsonObject, JsonValue } from './domain/json.ts'
export { observe } from './domain/learn-calibration.ts'
export type { Ledger, LedgerEntry, ToolSummary } from './domain/ledger.ts'
export type {
  FileInput,
  FilePart,
  Message,
  MessageInput,
  OpaqueInput,
  Origin,
  Part,
  PartInput,
  Role,
  TextInput,
  TextPart,
  ToolCallPart,
  ToolOutput,
  ToolOutputInput,
  ToolResultPart,
} from './domain/message.ts'
export { origins } from './domain/message.ts'
export type { AskLimits, AskState } from './domain/model-calls.ts'
export type { ModelCard, ModelCardInput, TokenizerName } from './domain/model-card.ts'
export { type OriginPiece, originOf, originPieces } from './domain/origin.ts'
export type {
  KeepRecent,
  ModelOverride,
  Policy,
  PolicyName,
  Preset,
  RecallRules,
  Run,
  Slot,
  Summarizer,
} from './domain/policy.ts'
export { type Amount, resolveAmount } from './domain/policy.ts'
export { messageClasses } from './domain/policy-names-data.ts'
export type { Expanded, ExpandedPiece, FoundBy, Recalled, RecalledPiece } from './domain/recall.ts'
export type { Compacted, Receipt, ShownKind } from './domain/receipt.ts'
export type { Result } from './domain/result.ts'
export type { Anchor, Span } from './domain/span.ts'
export type {
  ConversationSummary,
  Draft,
  DraftRepair,
  KeptSummary,
  SummaryRecord,
} from './domain/summary.ts'
export { deriveTurns, type Turn } from './domain/turn.ts'
export type { TurnRules } from './domain/turn-memory.ts'
export type { ModelPrices, Usage, UsageInput } from './domain/usage.ts'
export type { View, ViewVersion } from './domain/view.ts'
export { type ErrorCode, errorTable, isThroughlineError, ThroughlineError } from './errors.ts'
export { fit } from './fit/fit.ts'
export type { Fitted } from './fit/fit-messages.ts'
export type { FitInput } from './fit/read-input.ts'
export type { ContextInput, RetrievedInput } from './flow/check/check-request.ts'
export { historyText } from './flow/history/history-text.ts'
export {
  createMeter,
  type Measurable,
  type Meter,
  type MeterOptions,
} from './flow/measure/measure.ts'
export { findModel, knownModels, modelCard } from './models/catalogue.ts'
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
  ExtensionContent,
  ExtensionQuery,
} from './ports/context-extension.ts'
export type { Embedder } from './ports/embedder.ts'
export type { LanguageModel } from './ports/language-model.ts'
export { type Job, jobKey, type Queue } from './ports/queue.ts'
export type { PurgeOutcome } from './ports/rewrite.ts'
export type { Store } from './ports/store.ts'
export type { Tokenizer } from './ports/tokenizer.ts'
export { createThroughline, type Throughline } from './throughline.ts'
export { loadEstimator } from './tokenizers/choose-tokenizer.ts'
export { loadGptTokenizer } from './tokenizers/gpt.ts'
