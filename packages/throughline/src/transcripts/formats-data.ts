/** Field names and words by which formats are recognized and read. */

/** The formats that are read, by name; our own first. See `detectFormat`. */
export const transcriptFormats = [
  'throughline',
  'claude-code',
  'codex',
  'pi',
  'opencode',
  'chatgpt',
  'openai',
  'anthropic',
  'ai-sdk',
  'messages',
  'text',
  'mini-swe',
] as const

/** Fields in which a message names its conversation. */
export const conversationFields = wordList(
  'conversation_id conversationId session_id sessionId thread_id threadId chat_id chatId',
)

/** Fields in which hand-written logs keep the time of a message. */
export const timeFields = wordList('timestamp created_at createdAt ts time')

/** Fields of the AI SDK's UI messages. */
export const uiMessageFields = wordList(
  'role parts metadata createdAt content toolInvocations experimental_attachments',
)

/** Types of the records of Codex. */
export const codexRecords = wordList('session_meta response_item event_msg turn_context compacted')

/** Items that Codex once wrote without a record around them. */
export const codexItems = wordList(
  'message reasoning function_call function_call_output custom_tool_call custom_tool_call_output ' +
    'local_shell_call web_search_call',
)

/** By the type of a record of pi: one of these fields is in it. */
export const piFields: ReadonlyMap<string | null, readonly string[]> = new Map([
  ['session', ['cwd', 'version', 'id']],
  ['message', ['message.role', 'message.content']],
  ['compaction', ['summary', 'tokensBefore']],
  ['model_change', ['type']],
  ['thinking_level_change', ['type']],
])

/** Text fields of our own parts: `!` must be filled, `?` may be missing, `=` may be any JSON. */
export const partFields: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  opaque: ['kind!', 'json'],
  reasoning: ['text', 'signature?'],
  'tool-call': ['callId!', 'name!', 'input='],
  'resource-excerpt': ['resourceId!', 'title?', 'text'],
  'attachment-ref': ['attachmentId!', 'title?'],
}

/**
 * The fields of reported usage: input, output, cache reads, cache writes; a point leads into an object.
 * Where cache writes are reported, the input does not include the tokens of the cache.
 */
export const usageFields = {
  openai: ['prompt_tokens', 'completion_tokens', 'prompt_tokens_details.cached_tokens', null],
  anthropic: wordList(
    'input_tokens output_tokens cache_read_input_tokens cache_creation_input_tokens',
  ),
  codex: ['input_tokens', 'output_tokens', 'cached_input_tokens', null],
  pi: ['input', 'output', 'cacheRead', 'cacheWrite'],
  opencode: ['input', 'output', 'cache.read', 'cache.write'],
} satisfies Record<string, readonly (string | null)[]>

/** Names that pasted chats use for each speaker. */
export const speakerNames: Readonly<Record<'user' | 'assistant' | 'system', readonly string[]>> = {
  user: ['user', 'human', 'you', 'me'],
  assistant: [
    'ai assistant',
    ...wordList('assistant ai bot model llm chatgpt gpt claude gemini copilot'),
  ],
  system: ['system'],
}

function wordList(words: string): readonly string[] {
  return words.split(' ')
}
