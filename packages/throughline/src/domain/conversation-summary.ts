/** A summary as a record: what it says, how far it goes, and when it was made. */
export interface ConversationSummary {
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly content: string
  /** Tokens that models had for it. */
  readonly tokensUsed: number
  readonly messagesIncluded: number
  /** 1 for the first, and one more with each update. */
  readonly version: number
}
