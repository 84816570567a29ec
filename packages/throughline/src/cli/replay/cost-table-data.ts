/** The cost table of a replay, with notes on the compared methods. */
export const costColumns = [
  { title: 'method' },
  { title: 'cost', align: 'right' },
  { title: 'vs sliding', align: 'right' },
  { title: 'vs forgetting', align: 'right', narrow: 'leaves' },
  { title: 'paid cache', align: 'right', narrow: 'leaves' },
  { title: '', shrinks: true, narrow: 'leaves' },
] as const

export const methodsNote =
  'full sends all messages. When the window is full, sliding drops the oldest messages and forgetting drops half of them; the model no longer sees what was dropped. model-summary keeps the last six messages and a summary by a model. throughline keeps a digest with a ledger, and recall finds every message.'

export const unitNote =
  'The cost is in tokens of uncached input: a cached prefix token costs 0.1, a summary output token 4. "vs sliding" is the cost divided by that of sliding. "paid cache" is the same with cache writes at 1.25 and a cache that expires after five minutes.'

export const equalNote =
  'full, sliding, forgetting and model-summary cost the same: the whole conversation fits the window.'
