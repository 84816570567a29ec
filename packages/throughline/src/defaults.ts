/** What holds when nothing is set, in one table, each with the reason for it. */

interface Default<Value> {
  readonly value: Value
  readonly reason: string
}

export const defaults = {
  tenant: { value: 'default', reason: 'one tenant needs no name' },
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
  pageEvents: { value: 1_000, reason: 'events are small; who follows them asks again by number' },
  meterCacheEntries: {
    value: 50_000,
    reason: 'a count is some hundred bytes with its key: about 10 MB for a very long conversation',
  },
} as const satisfies Record<string, Default<string | number>>
