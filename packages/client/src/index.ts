/** The conversations of a Throughline server, with the methods of a conversation in the same process. */
export { type Client, type ClientOptions, createClient } from './create-client.ts'
export type { FollowOptions, StreamedEvent } from './follow-events.ts'
export type { RemoteConversation } from './remote-conversation.ts'
export { afterReply, rememberedTurns, stepResult, turnMemory } from './turns.ts'
