/** What holds when nothing is set, in one table, each with the reason for it. */

interface Default<Value> {
  readonly value: Value
  readonly reason: string
}

export const defaults = {
  tenant: { value: 'default', reason: 'one tenant needs no name' },
  policy: { value: 'balanced', reason: 'good for chats and for agents' },
  compaction: { value: 'on', reason: 'what was asked for is a conversation that goes on' },
  tokenizer: { value: 'auto', reason: 'exact counts waste no window; without them, never too few' },
  durability: { value: 'full', reason: 'what was acknowledged survives a power cut' },
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
    reason: 'reading a long log takes few queries and holds few messages in memory at once',
  },
  pageConversations: { value: 100, reason: 'a screen of them, and the next page is one call away' },
  pageExpand: { value: 20, reason: 'about what a model can read at once' },
  pageExpandMost: {
    value: 200,
    reason: 'where a page is limited in tokens, those end it long before',
  },
  recallToolTokens: {
    value: 4_000,
    reason: 'a page that the smallest windows have room for; what is left is one more call away',
  },
  recallToolPieces: { value: 6, reason: 'what a model looks through without losing its thread' },
  pageRows: { value: 20, reason: 'about as many compactions as anybody looks at together' },
  pageEvents: { value: 1_000, reason: 'events are small; who follows them asks again by number' },
  lookBackWindows: {
    value: 4,
    reason: 'three quarters of an agent session is tool output, of which stubs leave little',
  },
  pageLookBack: {
    value: 64,
    reason: 'few queries for a large window, few messages too many for a small one',
  },
  tailCacheCharacters: {
    value: 32_000_000,
    reason: 'the tails of some hundred busy conversations, in 64 MB of memory at most',
  },
  knownMessages: {
    value: 512,
    reason: 'what a compaction looks at, so that the next one reads only what came since',
  },
  knownMessagesCharacters: {
    value: 8_000_000,
    reason: 'a window of a million tokens twice over; more would drive out other conversations',
  },
  knownLedgerEntries: {
    value: 24_000,
    reason:
      'eight of the largest ledgers, or those of some hundred shorter conversations, in 30 MB',
  },
  ledgerMessages: {
    value: 200,
    reason:
      'a ledger may be a megabyte, and to fold on the rows of so many messages takes less than to read it',
  },
  pastMessages: {
    value: 20_000,
    reason: 'a log that was imported is looked at in seconds, from its newest messages on',
  },
  recallPieces: {
    value: 8,
    reason: 'what is worth reading of a search; the rest is one question away',
  },
  recallTokens: { value: 2_000, reason: 'some pages, which every model has room for' },
  indexMessages: {
    value: 4_000,
    reason: 'whoever searches a long log for the first time waits for about a second, not longer',
  },
  indexCharacters: {
    value: 4_000_000,
    reason: 'the same wait where messages are long: four thousand of a thousand characters each',
  },
  derivedCharacters: {
    value: 4_000_000,
    reason:
      'more than the largest windows hold; of a longer message, its beginning and its end are read for facts and for search, so that one of 64 MB takes seconds',
  },
  jobsAtOnce: {
    value: 4,
    reason: 'models are waited for, not computed; providers limit how many calls they take at once',
  },
  drainMs: {
    value: 5_000,
    reason: 'most summaries are written by then, and nobody who closes a program waits for longer',
  },
  summaryMessages: {
    value: 4_000,
    reason: 'what a model can be told in a few requests; of more, the next compaction tells',
  },
  giantTokens: {
    value: 4_000,
    reason: 'less is told in one look, and a digest of 500 tokens would stand for little',
  },
  giantRatio: {
    value: 0.2,
    reason: 'of the window: what is smaller mostly finds room whole, or can be asked for again',
  },
  digestCalls: {
    value: 24,
    reason: 'some eighty thousand tokens in chunks, and the calls that join them',
  },
  followUpRequests: {
    value: 30,
    reason: 'what a compaction took away is missed within the next calls, or not at all',
  },
  followUpMessages: {
    value: 400,
    reason: 'several times what thirty calls bring, and read in less than a second',
  },
  followUpRows: {
    value: 200,
    reason: 'what is needed again mostly stands among the newest that were compacted',
  },
  followUpCharacters: {
    value: 400_000,
    reason: 'what stands for the past in the largest windows, kept for some thirty requests',
  },
  maxSummaryTokens: { value: 500, reason: 'the published rule digest, which is meant to be brief' },
  summaryRatio: {
    value: 0.1,
    reason: 'a summary that took more would crowd out what it is there to make room for',
  },
  summaryLeastTokens: { value: 50, reason: 'with less there is nothing that would help anybody' },
  filesMessages: {
    value: 200,
    reason: 'what is edited next was mostly read or edited a few hundred messages ago at most',
  },
  stubLeastTokens: { value: 24, reason: 'enough to tell which message it was, and where it is' },
  retryAfterMs: {
    value: 10_000,
    reason:
      'a provider that asks for a longer pause is not asked again: rules are done long before',
  },
  stubLeastSavingTokens: {
    value: 16,
    reason: 'a stub that saves less costs a reader more than it gives',
  },
  commitAttempts: {
    value: 20,
    reason: 'each that failed is a commit that somebody else made: so many in a row is no accident',
  },
  meterCacheEntries: {
    value: 50_000,
    reason: 'a count is some hundred bytes with its key: about 10 MB for a very long conversation',
  },
} as const satisfies Record<string, Default<string | number>>
