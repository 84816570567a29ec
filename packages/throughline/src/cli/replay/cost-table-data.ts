/** The cost table of a replay, with notes on the compared methods. */
export const costColumns = [
  { title: 'method' },
  { title: 'cost', align: 'right' },
  { title: 'vs sliding', align: 'right' },
  { title: 'vs forgetting', align: 'right', narrow: 'leaves' },
  { title: 'vs sliding, paid cache', align: 'right', narrow: 'leaves' },
] as const

export const methodsNote =
  'full sends all messages. When the window is full, sliding drops the oldest messages one by one, and forgetting drops the older half of all messages. model-summary keeps the last six messages and a summary by a model. throughline keeps a digest and a ledger (decisions, files, commands and names, each with its message number); the command recall finds every message.'

export const unitNote =
  'The unit of cost is the price of one uncached input token: cached input counts 0.1, summary output 4. "vs sliding, paid cache" assumes that cache writes cost 1.25 and that the cache expires after five minutes.'

export const equalNote =
  'full, sliding, forgetting and model-summary cost the same: the whole conversation fits the window.'
