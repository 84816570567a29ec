/** A body of chat completions, read: the messages at its head are the system's text. */
import type { TextPart } from '../../domain/message.ts'
import type { MessageInput, PartInput } from '../../domain/message-input.ts'
import type { Reading } from '../../ports/adapter.ts'
import { type Fields, fieldsOf, filledText, listOf, otherFields } from '../unknown-json.ts'
import { callPart, chatPart, refusalField } from './chat-parts.ts'
import { type ReadableMessage, readableMessages } from './chat-readable.ts'
import { readChatTools } from './chat-tools.ts'
import { contentParts, outputOf } from './content-parts.ts'
import { noted, opaqueBlock } from './notes.ts'

export function readChat(request: object): Reading {
  const { messages, tools } = request as Fields
  const list = readableMessages(listOf(messages))
  const leading = list.findIndex((message) => !isInstruction(message))
  const head = leading === -1 ? list : list.slice(0, leading)
  return {
    system: head.flatMap(instructionParts),
    tools: readChatTools(tools),
    messages: readMessages(list.slice(head.length)),
  }
}

/** Of the text alone: an instruction of another form stays among the messages. */
function isInstruction({ role, content }: Fields): boolean {
  if (role !== 'system' && role !== 'developer') return false
  if (typeof content === 'string') return true
  const parts = listOf(content)
  return parts.length > 0 && parts.every((part) => textOf(part) !== null)
}

function textOf(part: unknown): string | null {
  const fields = fieldsOf(part)
  return fields?.['type'] === 'text' && typeof fields['text'] === 'string' ? fields['text'] : null
}

function instructionParts(message: Fields): readonly TextPart[] {
  const facts = roleFacts(message)
  const others = otherFields(message, ['role', 'content'])
  const { content } = message
  if (typeof content === 'string') {
    const metadata = noted(facts, 'chat', { message: others }) ?? null
    return [{ type: 'text', text: content, metadata }]
  }
  return listOf(content).map((part, index) => {
    const extra = otherFields(fieldsOf(part) ?? {}, ['type', 'text'])
    const wire = index === 0 ? { message: others } : { continues: true }
    const metadata = noted(facts, 'chat', { ...wire, content: 'parts', extra }) ?? null
    return { type: 'text', text: textOf(part) ?? '', metadata }
  })
}

function roleFacts({ role }: Fields): Fields {
  return { role: role === 'developer' ? role : undefined }
}

function readMessages(list: readonly ReadableMessage[]): readonly MessageInput[] {
  // A result of the days before `tool_calls` names no call: it answers the last one.
  let lastCall = 'function_call'
  return list.map((message, index) => {
    if (message.role === 'assistant' && message['function_call'])
      lastCall = `function_call_${index}`
    return readMessage(message, lastCall)
  })
}

function readMessage(message: ReadableMessage, lastCall: string): MessageInput {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { ...speech('system', message), meta: noted(roleFacts(message), 'chat', {}) }
    case 'user':
      return speech('user', message)
    case 'assistant':
      return answer(message, lastCall)
    case 'tool':
      return toolMessage(message)
    case 'function':
      return functionMessage(message, lastCall)
  }
}

function speech(role: 'system' | 'user', message: Fields): MessageInput {
  const parts = contentParts(message['content'], chatPart)
  return { role, author: authorOf(message), content: withMessageNote(parts, message, []) }
}

function authorOf(message: Fields): string | undefined {
  return filledText(message['name']) ?? undefined
}

function answer(message: Fields, legacyId: string): MessageInput {
  const { content, refusal, tool_calls, function_call, audio } = message
  const legacy = fieldsOf(function_call)
  const parts: readonly PartInput[] = [
    ...contentParts(content, chatPart),
    ...(typeof refusal === 'string' ? [refusalField(refusal)] : []),
    ...(fieldsOf(audio) === null ? [] : [opaqueBlock('audio', audio)]),
    ...(legacy === null ? [] : [legacyCall(legacy, legacyId)]),
    ...listOf(tool_calls).map(callPart),
  ]
  const read = [
    ...(typeof refusal === 'string' ? ['refusal'] : []),
    ...(fieldsOf(audio) === null ? [] : ['audio']),
    ...(legacy === null ? [] : ['function_call']),
    ...(Array.isArray(tool_calls) ? ['tool_calls'] : []),
  ]
  return {
    role: 'assistant',
    author: authorOf(message),
    content: withMessageNote(parts, message, read),
  }
}

function legacyCall(call: Fields, callId: string): PartInput {
  const name = filledText(call['name'])
  if (name === null || typeof call['arguments'] !== 'string')
    return opaqueBlock('function_call', call)
  const inner = otherFields(call, ['name', 'arguments'])
  const metadata = noted({}, 'chat', { legacy: true, inner })
  return { type: 'tool-call', callId, name, input: call['arguments'], metadata }
}

function toolMessage(message: Fields): MessageInput {
  const callId = filledText(message['tool_call_id'])
  const output = outputOf(message['content'], chatPart)
  if (callId === null || output === null)
    return { role: 'tool', content: [opaqueBlock('tool', message)] }
  const content = typeof message['content'] === 'string' ? undefined : 'parts'
  const extra = otherFields(message, ['role', 'content', 'tool_call_id'])
  const metadata = noted({}, 'chat', { content, extra })
  const name = authorOf(message)
  return { role: 'tool', content: [{ type: 'tool-result', callId, name, output, metadata }] }
}

function functionMessage(message: Fields, callId: string): MessageInput {
  const { content } = message
  const extra = otherFields(message, ['role', 'content'])
  const metadata = noted({}, 'chat', { legacy: true, null: content === null || undefined, extra })
  const output = typeof content === 'string' ? content : ''
  const name = authorOf(message)
  return { role: 'tool', content: [{ type: 'tool-result', callId, name, output, metadata }] }
}

/**
 * What the message itself holds besides is noted at its first part: where the parts
 * are replaced by a note about them, it goes with them.
 */
function withMessageNote(
  parts: readonly PartInput[],
  message: Fields,
  read: readonly string[],
): readonly PartInput[] {
  const [first, ...others] = parts
  if (first === undefined) return parts
  const author = authorOf(message) === undefined ? [] : ['name']
  const { content } = message
  const wire = {
    ...fieldsOf(fieldsOf(first.metadata?.['openai'])?.['chat']),
    content: Array.isArray(content) ? 'parts' : content === undefined ? 'absent' : undefined,
    message: otherFields(message, ['role', 'content', ...author, ...read]),
  }
  const facts = fieldsOf(first.metadata?.['openai']) ?? {}
  return [{ ...first, metadata: noted(facts, 'chat', wire) }, ...others]
}
