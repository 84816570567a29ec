/** What a message may be to a context that has to become smaller. See `classify`. */
export const messageClasses = [
  'system',
  /** What the application put before the conversation for the agent to follow (AGENTS.md). */
  'instructions',
  /** What the user asked for last, before the tools that are at work on it. */
  'task',
  /** A result, or a call, about a file that was changed in this conversation. */
  'modified-file',
  'recent-turn',
  'recent-file',
  /** What users said before the recent turns. */
  'old-said',
  /** What the assistant said before the recent turns. */
  'old-reply',
  'stale-output',
  'summarized',
] as const

export type MessageClass = (typeof messageClasses)[number]
