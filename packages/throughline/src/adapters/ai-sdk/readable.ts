/** Messages of the AI SDK as far as they can be read without losing what they say. */
import { type Role, roles } from '../../domain/message.ts'
import { checkContent, checkText, fieldsAt, roleAt, unreadable } from '../readable.ts'
import { type Fields, isFields, listOf } from '../unknown-json.ts'

export interface ReadableMessage extends Fields {
  readonly role: Role
}

export function readableMessages(messages: readonly unknown[]): readonly ReadableMessage[] {
  return Array.from(messages, (value, index) => {
    const at = `ai-sdk: messages[${index}]`
    const message = fieldsAt(value, at)
    const role = roleAt(message, roles, at)
    if (message['content'] === undefined && Array.isArray(message['parts']))
      throw unreadable(`${at}.content`, uiMessage)
    checkContent(message['content'], `${at}.content`)
    for (const [place, part] of listOf(message['content']).entries())
      if (isFields(part) && part['type'] === 'tool-result')
        fieldsAt(part['output'], `${at}.content[${place}].output`)
    return { ...message, role }
  })
}

const uiMessage =
  'must be text or an array of parts; messages of the user interface, which have parts instead, ' +
  'become those of a model by convertToModelMessages of the AI SDK'

/** What is not text: a system message, or a list of them. */
export function readableInstructions(
  value: unknown,
): readonly (Fields & { readonly content: string })[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return Array.from(list, (message, index) => {
    const at = `ai-sdk: instructions${Array.isArray(value) ? `[${index}]` : ''}`
    if (!isFields(message)) throw unreadable(at, 'must be text or a message of the system')
    const { content } = message
    checkText(content, `${at}.content`)
    return { ...message, content: String(content) }
  })
}
