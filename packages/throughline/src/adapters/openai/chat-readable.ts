/** Messages of chat completions as far as they can be read without losing what they say. */
import { describe } from '../../domain/describe.ts'
import { checkContent, fieldsAt, roleAt, unreadable } from '../readable.ts'
import { type Fields, isFilled } from '../unknown-json.ts'

const chatRoles = ['developer', 'system', 'user', 'assistant', 'tool', 'function'] as const

export interface ReadableMessage extends Fields {
  readonly role: (typeof chatRoles)[number]
}

export function readableMessages(messages: readonly unknown[]): readonly ReadableMessage[] {
  return Array.from(messages, (value, index) => {
    const at = `openai-chat: messages[${index}]`
    const message = fieldsAt(value, at)
    const role = roleAt(message, chatRoles, at)
    if (role === 'tool' && !isFilled(message['tool_call_id']))
      throw unreadable(
        `${at}.tool_call_id`,
        `must be the id of a call, got ${describe(message['tool_call_id'])}`,
      )
    if (!saysNothing(message)) checkContent(message['content'], `${at}.content`)
    return { ...message, role }
  })
}

/** Null says nothing, and so does an answer that has something else instead. */
function saysNothing(message: Fields): boolean {
  const { role, content } = message
  if (content === null) return role !== 'tool'
  return (
    content === undefined && role === 'assistant' && insteadOfContent.some((name) => message[name])
  )
}

const insteadOfContent = ['tool_calls', 'function_call', 'refusal', 'audio']
