import type {
  FileInput,
  MessageInput,
  PartInput,
  TextInput,
  TextPart,
} from '../../domain/message.ts'
import { describe } from '../../domain/text.ts'
import type { Reading } from '../../ports/adapter.ts'
import { checkContent, fieldsAt, type Readers, roleAt, unreadable } from '../readable.ts'
import {
  type Fields,
  fieldsOf,
  filledText,
  isFilled,
  listOf,
  otherFields,
} from '../unknown-json.ts'
import { audioPart, contentParts, dataUrl, imagePart, outputOf, textPart } from './content.ts'
import { opaqueBlock, openaiMetadata, withWireDetails } from './extra-fields.ts'
import { readTools } from './tools.ts'

export function readChat(request: object): Reading {
  const { messages, tools } = request as Fields
  const list = readableMessages(listOf(messages))
  const leading = list.findIndex((message) => !isInstruction(message))
  const head = leading === -1 ? list : list.slice(0, leading)
  return {
    system: head.flatMap(instructionParts),
    tools: readTools(tools, 'chat'),
    messages: readMessages(list.slice(head.length)),
  }
}

/** Only text: an instruction of another form stays among the messages. */
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
  const shared = roleDetails(message)
  const others = otherFields(message, ['role', 'content'])
  const { content } = message
  if (typeof content === 'string') {
    const metadata = openaiMetadata(shared, 'chat', { message: others }) ?? null
    return [{ type: 'text', text: content, metadata }]
  }
  return listOf(content).map((part, index) => {
    const extra = otherFields(fieldsOf(part) ?? {}, ['type', 'text'])
    const wire = index === 0 ? { message: others } : { continues: true }
    const metadata = openaiMetadata(shared, 'chat', { ...wire, content: 'parts', extra }) ?? null
    return { type: 'text', text: textOf(part) ?? '', metadata }
  })
}

function roleDetails({ role }: Fields): Fields {
  return { role: role === 'developer' ? role : undefined }
}

function readMessages(list: readonly ReadableMessage[]): readonly MessageInput[] {
  // A result from before `tool_calls` names no call: it answers the last one.
  let lastCall = 'function_call'
  const read = (message: ReadableMessage, index: number): MessageInput => {
    switch (message.role) {
      case 'system':
      case 'developer':
        return {
          ...speech('system', message),
          meta: openaiMetadata(roleDetails(message), 'chat', {}),
        }
      case 'user':
        return speech('user', message)
      case 'assistant':
        if (message['function_call']) lastCall = `function_call_${index}`
        return answer(message, lastCall)
      case 'tool':
        return toolMessage(message)
      case 'function':
        return functionMessage(message, lastCall)
    }
  }
  return list.map(read)
}

function speech(role: 'system' | 'user', message: Fields): MessageInput {
  const parts = contentParts(message['content'], partReaders)
  return { role, author: authorOf(message), content: withMessageFields(parts, message, []) }
}

function authorOf(message: Fields): string | undefined {
  return filledText(message['name']) ?? undefined
}

function answer(message: Fields, legacyId: string): MessageInput {
  const { content, refusal, tool_calls, function_call, audio } = message
  const legacy = fieldsOf(function_call)
  const metadata = { openai: { refusal: true } }
  const beside: Readonly<Record<string, readonly PartInput[] | null>> = {
    refusal: typeof refusal === 'string' ? [{ type: 'text', text: refusal, metadata }] : null,
    audio: fieldsOf(audio) === null ? null : [opaqueBlock('audio', audio)],
    function_call: legacy === null ? null : [legacyCall(legacy, legacyId)],
    tool_calls: Array.isArray(tool_calls) ? tool_calls.map(callPart) : null,
  }
  const read = Object.keys(beside).filter((field) => beside[field] !== null)
  const others = Object.values(beside).flatMap((parts) => parts ?? [])
  const parts = [...contentParts(content, partReaders), ...others]
  const withFields = withMessageFields(parts, message, read)
  return { role: 'assistant', author: authorOf(message), content: withFields }
}

function legacyCall(call: Fields, callId: string): PartInput {
  const name = filledText(call['name'])
  if (name === null || typeof call['arguments'] !== 'string')
    return opaqueBlock('function_call', call)
  const inner = otherFields(call, ['name', 'arguments'])
  const metadata = openaiMetadata({}, 'chat', { legacy: true, inner })
  return { type: 'tool-call', callId, name, input: call['arguments'], metadata }
}

function toolMessage(message: Fields): MessageInput {
  const callId = filledText(message['tool_call_id'])
  const output = outputOf(message['content'], partReaders)
  if (callId === null || output === null)
    return { role: 'tool', content: [opaqueBlock('tool', message)] }
  const content = typeof output === 'string' ? undefined : 'parts'
  const extra = otherFields(message, ['role', 'content', 'tool_call_id'])
  const metadata = openaiMetadata({}, 'chat', { content, extra })
  const name = authorOf(message)
  return { role: 'tool', content: [{ type: 'tool-result', callId, name, output, metadata }] }
}

function functionMessage(message: Fields, callId: string): MessageInput {
  const { content } = message
  const extra = otherFields(message, ['role', 'content'])
  const metadata = openaiMetadata({}, 'chat', {
    legacy: true,
    null: content === null || undefined,
    extra,
  })
  const output = typeof content === 'string' ? content : ''
  const name = authorOf(message)
  return { role: 'tool', content: [{ type: 'tool-result', callId, name, output, metadata }] }
}

function withMessageFields(parts: readonly PartInput[], message: Fields, read: readonly string[]) {
  const author = authorOf(message) === undefined ? [] : ['name']
  const { content } = message
  return withWireDetails(parts, 'chat', {
    content: Array.isArray(content) ? 'parts' : content === undefined ? 'absent' : undefined,
    message: otherFields(message, ['role', 'content', ...author, ...read]),
  })
}

const partReaders: Readers<TextInput | FileInput> = {
  text: (fields) => textPart(fields, 'chat'),
  refusal: (fields) => textPart(fields, 'chat'),
  image_url: image,
  input_audio: (fields) => audioPart(fields, 'chat'),
  file,
}

function image(fields: Fields): FileInput | null {
  const inner = fieldsOf(fields['image_url'])
  const url = filledText(inner?.['url'])
  if (inner === null || url === null) return null
  return imagePart(url, fileMetadata('image_url', fields, otherFields(inner, ['url'])))
}

function file(fields: Fields): FileInput | null {
  const inner = fieldsOf(fields['file'])
  const data = inner?.['file_data']
  const bytes = typeof data === 'string' ? dataUrl(data) : null
  if (inner === null || bytes === null) return null
  const name = typeof inner['filename'] === 'string' ? inner['filename'] : undefined
  const named = name === undefined ? [] : ['filename']
  const metadata = fileMetadata('file', fields, otherFields(inner, ['file_data', ...named]))
  return { type: 'file', ...bytes, name, metadata }
}

function fileMetadata(block: string, fields: Fields, inner: Fields | undefined) {
  return openaiMetadata({}, 'chat', { block, inner, extra: otherFields(fields, ['type', block]) })
}

function callPart(call: unknown): PartInput {
  const fields = fieldsOf(call) ?? {}
  const callId = filledText(fields['id'])
  const custom = fields['type'] === 'custom'
  const [kind, argument] = custom ? ['custom', 'input'] : ['function', 'arguments']
  const inner = fieldsOf(fields[kind])
  const name = filledText(inner?.['name'])
  const given = inner?.[argument]
  if (callId === null || inner === null || name === null || typeof given !== 'string')
    return opaqueBlock('tool_call', call)
  const metadata = openaiMetadata({ custom: custom || undefined }, 'chat', {
    extra: otherFields(fields, ['id', 'type', kind]),
    inner: otherFields(inner, ['name', argument]),
  })
  const input = custom ? JSON.stringify(given) : given
  return { type: 'tool-call', callId, name, input, metadata }
}

const chatRoles = ['developer', 'system', 'user', 'assistant', 'tool', 'function'] as const

interface ReadableMessage extends Fields {
  readonly role: (typeof chatRoles)[number]
}

function readableMessages(messages: readonly unknown[]): readonly ReadableMessage[] {
  return Array.from(messages, (value, index) => {
    const at = `openai-chat: messages[${index}]`
    const message = fieldsAt(value, at)
    const role = roleAt(message, chatRoles, at)
    const { tool_call_id: id } = message
    if (role === 'tool' && !isFilled(id))
      throw unreadable(`${at}.tool_call_id`, `must be the id of a call, got ${describe(id)}`)
    if (!saysNothing(message)) checkContent(message['content'], `${at}.content`)
    return { ...message, role }
  })
}

/** Null content is fine where the answer has something else instead. */
function saysNothing(message: Fields): boolean {
  const { role, content } = message
  if (content === null) return role !== 'tool'
  if (content !== undefined || role !== 'assistant') return false
  return insteadOfContent.some((name) => message[name])
}

const insteadOfContent = ['tool_calls', 'function_call', 'refusal', 'audio']
