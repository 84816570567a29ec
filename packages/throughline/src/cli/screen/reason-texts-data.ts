/** These reasons come from an estimate that includes the JSON of a request. */
export const limitReasons: ReadonlySet<string> = new Set(['onTrim', 'emergency', 'overflow'])

/** Reasons of decisions and causes of compactions on screens; others are shown by their code. */
export const reasonTexts: Readonly<Record<string, string>> = {
  below: 'below the trigger',
  cooldown: 'too soon after the last one',
  minimum: 'too few new messages',
  disarmed: 'not below the reset ratio since the last one',
  regrowth: 'too little growth since the last one',
  'summary-pending': 'a summary is being written',
  suspended: 'auto-compaction is off since an undo',
  off: 'auto-compaction is off',
  trigger: 'above the trigger',
  tokenRatio: 'above the trigger',
  tokens: 'above the trigger',
  manual: 'compact command',
  'provider-overflow': 'too long for the provider',
  first: 'first request to this model',
  'history-changed': 'messages changed',
  restored: 'after an undo',
  refill: 'room for more messages',
  remembered: 'covered by the turn memory',
  digested: 'digest of a long message is ready',
}

/** Causes of epochs that are compactions. */
export const compactionCauses = new Set(['trigger', 'overflow', 'manual', 'provider-overflow'])

/** Kinds of content whose names differ on screens. */
export const kindNames: Readonly<Record<string, string>> = {
  earlier: 'notice',
  'earlier requests': 'user requests',
  kept: 'older (kept)',
  current: 'current turn',
  recent: 'recent (whole)',
  stubs: 'shortened',
  frames: 'request overhead',
}
