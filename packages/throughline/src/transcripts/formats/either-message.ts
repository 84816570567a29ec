/**
 * A message whose content is in the form of either provider. OpenAI's is the common one; blocks
 * that only Anthropic's API has tell the other.
 */
import type { JsonObject, JsonValue, PartInput, Role } from '../../index.ts'
import { exactTexts } from '../json/exact-texts.ts'
import { fieldOf, filledTextOf, listOf, textOf } from '../json/json-access.ts'
import { anthropicParts, userRole } from './anthropic-content.ts'
import { chatCalls } from './chat-content.ts'
import type { ChatMessages, ChatSpeech } from './chat-message.ts'

/** `chat` is of the conversation; `text` is the exact text, `made` names a call without an id. */
export function eitherSpeech(
  chat: ChatMessages,
  message: JsonObject,
  text: string,
  made: string,
): ChatSpeech | null {
  if (!hasBlocks(message)) return chat.read(message, text, made)
  const exact = exactTexts(() => text, ['content'])
  const blocks = anthropicParts(fieldOf(message, 'content'), exact)
  const content = [...blocks, ...chatCalls(message, text, made)]
  const author = filledTextOf(message, 'name') ?? undefined
  return { role: roleOf(message, content), content, author }
}

/** Results of tools have OpenAI's form unless they say themselves whose they are. */
function hasBlocks(message: JsonObject): boolean {
  const content = listOf(message, 'content')
  switch (textOf(message, 'role')) {
    case 'user':
    case 'assistant':
      return content.some(isBlock)
    case 'tool':
      return content.some((block) => textOf(block, 'type') === 'tool_result')
    default:
      return false
  }
}

function isBlock(block: JsonValue): boolean {
  switch (textOf(block, 'type')) {
    case 'tool_use':
    case 'tool_result':
    case 'thinking':
    case 'redacted_thinking':
      return true
    case 'image':
    case 'document':
      return fieldOf(block, 'source') !== undefined
    default:
      return false
  }
}

function roleOf(message: JsonObject, content: readonly PartInput[]): Role {
  switch (textOf(message, 'role')) {
    case 'assistant':
      return 'assistant'
    case 'tool':
      return 'tool'
    default:
      return userRole(content)
  }
}
