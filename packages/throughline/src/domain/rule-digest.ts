/**
 * The digest by rules of messages that are not shown any more: the newest as lines, everything
 * before them as counters. However long a conversation gets, it does not grow. Plain JSON.
 */
export interface RuleDigest {
  /** How often something was folded in. */
  readonly version: number
  /** Everything ever told: those in the counters and those in lines. */
  readonly items: number
  readonly messages: number
  /** Tokens that models had for it; rules need none. */
  readonly tokensUsed: number
  /** Oldest first, and each with a line at least. */
  readonly updates: readonly DigestUpdate[]
  readonly condensed: readonly DigestCount[]
}

/** What was folded in at once. */
export interface DigestUpdate {
  /** The version that it made. */
  readonly version: number
  readonly lines: readonly DigestLine[]
}

export interface DigestLine {
  readonly by: DigestVoice
  /** Of the tool; empty for people's words. */
  readonly tool: string
  readonly failed: boolean
  /** What it is about, for the counters. */
  readonly subject: string
  readonly text: string
}

type DigestVoice = 'user' | 'assistant' | 'tool'

/** Lines of one voice and tool that are counted, and no longer told one by one. */
export interface DigestCount {
  readonly by: DigestVoice
  readonly tool: string
  readonly count: number
  readonly failed: number
  /** What it began with: of a user, the task. */
  readonly first: string
  /** Newest last. */
  readonly newest: readonly string[]
}
