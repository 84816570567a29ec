/** The cost table of a replay, with notes on the compared methods. */
export const costColumns = [
  { title: 'method' },
  { title: 'cost', align: 'right' },
  { title: 'vs sliding', align: 'right' },
  { title: 'vs forgetting', align: 'right', narrow: 'leaves' },
  { title: 'vs sliding, paid cache', align: 'right', narrow: 'leaves' },
] as const

export const methodsNote =
  'full sends all messages. When the window is full, sliding drops the oldest messages one by one, and forgetting drops the older half of all messages. model-summary keeps the last six messages and a summary by a model. throughline keeps a digest with a ledger, and recall finds every message.'

export const unitNote =
  'Cost in tokens of uncached input: a cached token counts 0.1, an output token of a summary 4. Paid cache: a cache write counts 1.25, and the cache expires after five minutes.'

export const equalNote =
  'full, sliding, forgetting and model-summary cost the same: the whole conversation fits the window.'
