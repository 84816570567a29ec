/** The table of costs, beside the simpler ways to keep a conversation inside a window, and what it means. */
export const costColumns = [
  { title: 'cost' },
  { title: 'tokens', align: 'right' },
  { title: 'of sliding', align: 'right' },
  { title: 'of forgetting', align: 'right', narrow: 'leaves' },
  { title: 'writes, gaps', align: 'right', narrow: 'leaves' },
  { title: '', shrinks: true, narrow: 'leaves' },
] as const

export const whatIsLost =
  'full sends everything. What leaves with sliding (the oldest, one by one) and with forgetting (half at once) is lost to the model; model-summary loses all but the last six messages, except for what a model retells of them. With throughline a summary and a ledger tell the rest, and all of it is one recall away.'

export const howItIsCounted =
  'In tokens of fresh input: what a request begins with like the one before costs a tenth, what is written for a summary four times. "writes, gaps": of sliding, with cache writes at 1.25 and a cache that is empty after five minutes.'
