/** The cost table of a replay, with notes on the compared methods. */
export const costColumns = [
  { title: 'cost of' },
  { title: 'tokens', align: 'right' },
  { title: 'vs sliding', align: 'right' },
  { title: 'vs forgetting', align: 'right', narrow: 'leaves' },
  { title: 'paid cache', align: 'right', narrow: 'leaves' },
  { title: '', shrinks: true, narrow: 'leaves' },
] as const

export const methodsNote =
  'full sends all messages. sliding drops the oldest message each time; forgetting drops half of them at once; both lose them for the model. model-summary keeps the last six messages and a summary by a model. throughline keeps a digest with a ledger, and recall finds every message.'

export const unitNote =
  'Cost in tokens of uncached input: a cached prefix token costs 0.1, a summary output token 4. "vs sliding" is the cost divided by the cost of sliding. "paid cache" is the same ratio with cache writes at 1.25 and a cache that expires after five minutes.'
