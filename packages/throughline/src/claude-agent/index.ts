/** The Claude Agent SDK: a store of sessions whose transcripts are conversations. */
export { type ClaudeSessionStore, claudeConversation, claudeSessionStore } from './session-store.ts'
