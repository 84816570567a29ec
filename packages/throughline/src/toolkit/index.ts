/** Single-purpose helpers: message texts, secrets, titles, search terms, checks and dry runs. */
export { wordsOf } from '../adapters/plain-text.ts'
export { accessOf, type ConversationAccess } from '../conversation/access.ts'
export { statusOf } from '../conversation/status.ts'
export { dataBlock } from '../domain/data-block.ts'
export { formatSummary } from '../extract/describe-tool-use.ts'
export { redactSecrets } from '../extract/redact-secrets.ts'
export { searchedTerms, termsOf } from '../extract/terms.ts'
export { titleOf, titleSource } from '../extract/title.ts'
export { isStale, modifiedFiles, recentFiles, wasModified } from '../flow/classify/track-files.ts'
export { summaryMessage } from '../flow/summarize/summary-record.ts'
export { messageText } from '../flow/text/message-text.ts'
export { readPolicy } from '../policies/read-policy.ts'
export { settingProblem } from '../policies/settings-schema.ts'
export { checkConversation } from './check-conversation.ts'
export { dryRunStore } from './dry-run-store.ts'
export { exportLines } from './export-lines.ts'
export { type ImportedRows, importRows } from './import-rows.ts'
export { type KeptView, keptView } from './kept-view.ts'
export { parseMessages, redactMessage, storedMessages } from './messages.ts'
export { type RebuiltRequest, rebuildRequest } from './rebuild-request.ts'
export {
  type SummarizeOptions,
  safeSummarize,
  summarizeDroppedMessages,
  summarizeToolResult,
} from './summarize.ts'
export {
  type SummarizeResult,
  type SummaryStore,
  type SummaryStoreState,
  summarizeConversation,
  summarizeWithLLM,
  summaryStore,
  updateRunningSummary,
} from './summarize-by-model.ts'
export { budgetOf, classify, type TrimOptions, trackFiles, trim } from './trim.ts'
