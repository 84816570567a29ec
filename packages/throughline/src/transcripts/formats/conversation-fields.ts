/** Names under which messages say which conversation they are of. */
export const conversationFields = [
  'conversation_id',
  'conversationId',
  'session_id',
  'sessionId',
  'thread_id',
  'threadId',
  'chat_id',
  'chatId',
] as const
