/** How known clients name their conversations, and the words by which their own requests are recognized. */

/** A header, a field of the body by its path, or a field of a header that has JSON. */
export interface IdPlace {
  readonly header?: string
  readonly body?: readonly string[]
  /** The field inside, where the value is JSON as text. */
  readonly json?: string
}

export interface KnownClient {
  readonly client: string
  readonly conversation: readonly IdPlace[]
  /** What a sub-agent of the same conversation sends as well. */
  readonly agent?: IdPlace
  /** The conversation that started a sub-agent, which has an id of its own. */
  readonly parent?: IdPlace
  /** A value that grows with each compaction of the client. */
  readonly window?: IdPlace
  readonly kind?: IdPlace & { readonly compaction: string }
}

/** In this order; the first that a request matches names its conversation. Versions as they were recorded. */
export const knownClients: readonly KnownClient[] = [
  {
    // 2.1.328
    client: 'claude-code',
    conversation: [
      { header: 'x-claude-code-session-id' },
      { body: ['metadata', 'user_id'], json: 'session_id' },
    ],
    agent: { header: 'x-claude-code-agent-id' },
  },
  {
    // 0.169.0
    client: 'codex',
    conversation: [{ header: 'thread-id' }, { body: ['client_metadata', 'thread_id'] }],
    parent: { header: 'x-codex-parent-thread-id' },
    window: { header: 'x-codex-window-id' },
    kind: { header: 'x-codex-turn-metadata', json: 'request_kind', compaction: 'compaction' },
  },
  // 1.18.33
  {
    client: 'opencode',
    conversation: [{ header: 'x-session-affinity' }, { header: 'x-session-id' }],
    parent: { header: 'x-parent-session-id' },
  },
  {
    client: 'responses',
    conversation: [{ body: ['conversation', 'id'] }, { body: ['conversation'] }],
  },
  // Programs may use one key for many conversations, so it only narrows the search.
  { client: 'cache-key', conversation: [{ body: ['prompt_cache_key'] }] },
]

/** At the start of a text of the user, or of a line in it: the client asks for a summary. */
export const compactionRequests: readonly string[] = [
  'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.',
  'You are performing a CONTEXT CHECKPOINT COMPACTION',
]

/** At the start of a text of the user: the client has replaced its history by a summary. */
export const summaryOpenings: readonly string[] = [
  'This session is being continued from a previous conversation',
  'Another language model started to solve this problem',
]

/** In the system prompt, or at the start of a text of the user: a request beside the conversation. */
export const sideRequests: readonly string[] = [
  'You are a title generator',
  'Generate a title for this conversation:',
]
