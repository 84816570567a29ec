/** All default values in one table, and the reason for each. */

export const defaults = {
  tenant: 'default',
  policy: 'balanced',
  compaction: 'on',
  tokenizer: 'auto',
  durability: 'full',
  busyTimeoutMs: 5_000,
  messageBytesMax: 64 * 1024 * 1024,
  pageMessages: 500,
  pageConversations: 100,
  pageExpand: 20,
  pageExpandMost: 200,
  recallToolTokens: 4_000,
  recallToolPieces: 6,
  pageRows: 20,
  pageEvents: 1_000,
  lookBackWindows: 4,
  pageLookBack: 64,
  promptCharacters: 400_000,
  tailCacheCharacters: 32_000_000,
  knownMessages: 512,
  knownMessagesCharacters: 8_000_000,
  knownLedgerEntries: 24_000,
  knownFactRows: 20_000,
  ledgerMessages: 200,
  historyMessageLimit: 20_000,
  requestCharacters: 1_000_000,
  recallPieces: 8,
  recallTokens: 2_000,
  embedTimeoutMs: 3_000,
  indexMessages: 4_000,
  indexCharacters: 4_000_000,
  derivedCharacters: 4_000_000,
  jobsAtOnce: 4,
  drainMs: 5_000,
  summaryMessages: 4_000,
  giantTokens: 4_000,
  giantRatio: 0.2,
  digestCalls: 24,
  followUpRequests: 30,
  followUpMessages: 400,
  followUpRows: 200,
  followUpCharacters: 400_000,
  maxSummaryTokens: 500,
  summaryRatio: 0.1,
  summaryLeastTokens: 50,
  filesMessages: 200,
  stubLeastTokens: 24,
  retryAfterMs: 10_000,
  stubLeastSavingTokens: 16,
  commitAttempts: 20,
  meterCacheEntries: 50_000,
} as const

/** Apart from the values, which a web page loads. */
const defaultReasons = {
  tenant: 'one tenant needs no name',
  policy: 'good for chats and for agents',
  compaction: 'a conversation must be able to continue at any length',
  tokenizer: 'exact counts waste no window; estimates are never too low',
  durability: 'acknowledged writes survive a power cut',
  busyTimeoutMs: 'longer than any commit of another process, shorter than a person waits',
  messageBytesMax:
    'larger than any request a provider takes, small enough to hash and copy in memory',
  pageMessages: 'reading a long log takes few queries and keeps few messages in memory at once',
  pageConversations: 'a screen of them, and the next page is one call away',
  pageExpand: 'about what a model can read at once',
  pageExpandMost: 'a page with a token limit reaches that limit long before',
  recallToolTokens: 'fits even the smallest windows; the rest is one more call away',
  recallToolPieces: 'as many passages as a model can compare at once',
  pageRows: 'about as many compactions as a person reads at once',
  pageEvents: 'events are small; a reader continues by number',
  lookBackWindows:
    'three quarters of an agent session is tool output, which stubs shorten to little',
  pageLookBack: 'few queries for a large window, few unneeded messages for a small one',
  promptCharacters:
    'six times the tools of the largest agents; beyond it the inspector shows only tokens',
  tailCacheCharacters: 'the tails of some hundred busy conversations, in 64 MB of memory at most',
  knownMessages: 'what a compaction reads, so that the next one reads only newer messages',
  knownMessagesCharacters:
    'twice a window of a million tokens; more would evict other conversations',
  knownLedgerEntries:
    'eight of the largest ledgers, or those of some hundred shorter conversations, in 30 MB',
  knownFactRows: 'the user messages of some hundred conversations, in 20 MB',
  ledgerMessages:
    'a ledger may be a megabyte; folding the rows of so many messages is faster than reading it',
  historyMessageLimit:
    'an imported log is analysed in seconds of background work, newest messages first',
  requestCharacters:
    'analysed and indexed in about 0.3 seconds, and more than most conversations have',
  recallPieces: 'the useful part of a search result; the rest is one more query away',
  recallTokens: 'some pages of text, which fit every window',
  embedTimeoutMs:
    'several times what embedding models need, and less than a person waits for a reply',
  indexMessages: 'the first search in a long log takes about a second at most',
  indexCharacters: 'the same time for long messages: 4,000 messages of 1,000 characters',
  derivedCharacters:
    'more than the largest windows fit; of a longer message only beginning and end are analysed, so that 64 MB take seconds',
  jobsAtOnce: 'jobs mostly wait for models, and providers limit parallel calls',
  drainMs: 'most summaries finish in this time, and a program should close quickly',
  summaryMessages: 'fits a few requests; the next compaction summarizes the rest',
  giantTokens: 'a smaller message fits one request, and a digest of 500 tokens would save little',
  giantRatio: 'of the window: smaller messages mostly fit whole, or can be expanded',
  digestCalls: 'about 80,000 tokens in chunks, and the calls that merge them',
  followUpRequests: 'compacted content is needed again within the next requests, or not at all',
  followUpMessages: 'several times the messages of 30 requests, read in less than a second',
  followUpRows: 'content that is needed again is mostly among the newest compacted messages',
  followUpCharacters:
    'the size of the history block in the largest windows, kept for about 30 requests',
  maxSummaryTokens: 'the published rule digest, which is meant to be brief',
  summaryRatio: 'a larger summary would displace the messages that it makes room for',
  summaryLeastTokens: 'a shorter summary would be useless',
  filesMessages:
    'the next edited file was mostly read or edited within the last few hundred messages',
  stubLeastTokens: 'enough to identify the message and its place',
  retryAfterMs:
    'a provider that requires a longer pause is not retried: rules (no LLM) write the history at once',
  stubLeastSavingTokens: 'a stub that saves less is not worth the lost text',
  commitAttempts:
    'each failed attempt is a commit of another process; so many in a row point to a problem',
  meterCacheEntries:
    'a count is some hundred bytes with its key: about 10 MB for a very long conversation',
} as const satisfies Readonly<Record<keyof typeof defaults, string>>

/** The values with their reasons, by name. */
export function defaultRows() {
  return (Object.keys(defaults) as (keyof typeof defaults)[]).map(
    (name) => [name, { value: defaults[name], reason: defaultReasons[name] }] as const,
  )
}
