/** The policies that we ship. */
export const policyNames = [
  ...(['balanced', 'chat', 'coding', 'rule-digest'] as const),
  ...(['ratio-chain', 'rolling-rows', 'running-rag', 'turn-memory'] as const),
] as const

/** The class of a message for a context that has to become smaller. See `classify`. */
export const messageClasses = [
  'system',
  /** The application's instructions for the agent before the conversation (AGENTS.md). */
  'instructions',
  /** The user's last request, before the tools that work on it. */
  'task',
  /** A result, or a call, about a file that was changed in this conversation. */
  'modified-file',
  'recent-turn',
  'recent-file',
  'old-user-text',
  'old-reply',
  'stale-output',
  'summarized',
] as const
