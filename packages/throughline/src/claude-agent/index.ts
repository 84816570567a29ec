/** The Claude Agent SDK: a store of sessions whose transcripts are conversations. */
export {
  type ClaudeSessionEntry,
  type ClaudeSessionKey,
  type ClaudeSessionStore,
  claudeConversation,
  claudeSessionStore,
} from './session-store.ts'
