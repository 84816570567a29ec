/** All default values in one table, each with its reason. */

interface Default<Value> {
  readonly value: Value
  readonly reason: string
}

export const defaults = {
  tenant: { value: 'default', reason: 'one tenant needs no name' },
  policy: { value: 'balanced', reason: 'good for chats and for agents' },
  compaction: { value: 'on', reason: 'a conversation must be able to continue at any length' },
  tokenizer: { value: 'auto', reason: 'exact counts waste no window; estimates are never too low' },
  durability: { value: 'full', reason: 'acknowledged writes survive a power cut' },
  busyTimeoutMs: {
    value: 5_000,
    reason: 'longer than any commit of another process, shorter than a person waits',
  },
  messageBytesMax: {
    value: 64 * 1024 * 1024,
    reason: 'larger than any request a provider takes, small enough to hash and copy in memory',
  },
  pageMessages: {
    value: 500,
    reason: 'reading a long log takes few queries and keeps few messages in memory at once',
  },
  pageConversations: { value: 100, reason: 'a screen of them, and the next page is one call away' },
  pageExpand: { value: 20, reason: 'about what a model can read at once' },
  pageExpandMost: {
    value: 200,
    reason: 'a page with a token limit reaches that limit long before',
  },
  recallToolTokens: {
    value: 4_000,
    reason: 'fits even the smallest windows; the rest is one more call away',
  },
  recallToolPieces: { value: 6, reason: 'as many passages as a model can compare at once' },
  pageRows: { value: 20, reason: 'about as many compactions as a person reads at once' },
  pageEvents: { value: 1_000, reason: 'events are small; a reader continues by number' },
  lookBackWindows: {
    value: 4,
    reason: 'three quarters of an agent session is tool output, which stubs shorten to little',
  },
  pageLookBack: {
    value: 64,
    reason: 'few queries for a large window, few unneeded messages for a small one',
  },
  promptCharacters: {
    value: 400_000,
    reason: 'six times the tools of the largest agents; beyond it the inspector shows only tokens',
  },
  tailCacheCharacters: {
    value: 32_000_000,
    reason: 'the tails of some hundred busy conversations, in 64 MB of memory at most',
  },
  knownMessages: {
    value: 512,
    reason: 'what a compaction reads, so that the next one reads only newer messages',
  },
  knownMessagesCharacters: {
    value: 8_000_000,
    reason: 'twice a window of a million tokens; more would evict other conversations',
  },
  knownLedgerEntries: {
    value: 24_000,
    reason:
      'eight of the largest ledgers, or those of some hundred shorter conversations, in 30 MB',
  },
  knownFactRows: {
    value: 20_000,
    reason: 'the user messages of some hundred conversations, in 20 MB',
  },
  ledgerMessages: {
    value: 200,
    reason:
      'a ledger may be a megabyte; folding the rows of so many messages is faster than reading it',
  },
  historyMessageLimit: {
    value: 20_000,
    reason: 'an imported log is analysed in seconds of background work, newest messages first',
  },
  requestCharacters: {
    value: 1_000_000,
    reason: 'analysed and indexed in about 0.3 seconds, and more than most conversations have',
  },
  recallPieces: {
    value: 8,
    reason: 'the useful part of a search result; the rest is one more query away',
  },
  recallTokens: { value: 2_000, reason: 'some pages of text, which fit every window' },
  embedTimeoutMs: {
    value: 3_000,
    reason: 'several times what embedding models need, and less than a person waits for a reply',
  },
  indexMessages: {
    value: 4_000,
    reason: 'the first search in a long log takes about a second at most',
  },
  indexCharacters: {
    value: 4_000_000,
    reason: 'the same time for long messages: 4,000 messages of 1,000 characters',
  },
  derivedCharacters: {
    value: 4_000_000,
    reason:
      'more than the largest windows fit; of a longer message only beginning and end are analysed, so that 64 MB take seconds',
  },
  jobsAtOnce: {
    value: 4,
    reason: 'jobs mostly wait for models, and providers limit parallel calls',
  },
  drainMs: {
    value: 5_000,
    reason: 'most summaries finish in this time, and a program should close quickly',
  },
  summaryMessages: {
    value: 4_000,
    reason: 'fits a few requests; the next compaction summarizes the rest',
  },
  giantTokens: {
    value: 4_000,
    reason: 'a smaller message fits one request, and a digest of 500 tokens would save little',
  },
  giantRatio: {
    value: 0.2,
    reason: 'of the window: smaller messages mostly fit whole, or can be expanded',
  },
  digestCalls: {
    value: 24,
    reason: 'about 80,000 tokens in chunks, and the calls that merge them',
  },
  followUpRequests: {
    value: 30,
    reason: 'compacted content is needed again within the next requests, or not at all',
  },
  followUpMessages: {
    value: 400,
    reason: 'several times the messages of 30 requests, read in less than a second',
  },
  followUpRows: {
    value: 200,
    reason: 'content that is needed again is mostly among the newest compacted messages',
  },
  followUpCharacters: {
    value: 400_000,
    reason: 'the size of the history block in the largest windows, kept for about 30 requests',
  },
  maxSummaryTokens: { value: 500, reason: 'the published rule digest, which is meant to be brief' },
  summaryRatio: {
    value: 0.1,
    reason: 'a larger summary would displace the messages that it makes room for',
  },
  summaryLeastTokens: { value: 50, reason: 'a shorter summary would be useless' },
  filesMessages: {
    value: 200,
    reason: 'the next edited file was mostly read or edited within the last few hundred messages',
  },
  stubLeastTokens: { value: 24, reason: 'enough to identify the message and its place' },
  retryAfterMs: {
    value: 10_000,
    reason:
      'a provider that requires a longer pause is not retried: rules (no LLM) write the history at once',
  },
  stubLeastSavingTokens: {
    value: 16,
    reason: 'a stub that saves less is not worth the lost text',
  },
  commitAttempts: {
    value: 20,
    reason:
      'each failed attempt is a commit of another process; so many in a row point to a problem',
  },
  meterCacheEntries: {
    value: 50_000,
    reason: 'a count is some hundred bytes with its key: about 10 MB for a very long conversation',
  },
} as const satisfies Record<string, Default<string | number>>
