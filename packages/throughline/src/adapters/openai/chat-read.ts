import type { FileInput, MessageInput, PartInput, TextInput } from '../../domain/message.ts'
import { describe } from '../../domain/text.ts'
import type { Reading } from '../../ports/adapter.ts'
import {
  invalidMessage,
  type Readers,
  requireContent,
  requireFields,
  requireRole,
} from '../read-checks.ts'
import { type Fields, fieldsOf, filledText, listOf, otherFields } from '../unknown-json.ts'
import { imageFile, parseDataUrl, readAudio, readContent, readOutput, readText } from './content.ts'
import { opaqueBlock, openaiMetadata, withWireDetails } from './extra-fields.ts'
import { readTools } from './tools.ts'

type ToolCallInput = Extract<PartInput, { type: 'tool-call' }>

export function readChat(request: object): Reading {
  const { messages, tools } = request as Fields
  const checked = checkedMessages(listOf(messages))
  const firstOther = checked.findIndex((message) => !isTextInstruction(message))
  const opening = firstOther === -1 ? checked : checked.slice(0, firstOther)
  return {
    system: opening.flatMap(readInstruction),
    tools: readTools(tools, 'chat'),
    messages: readMessages(checked.slice(opening.length)),
  }
}

/** An instruction that is more than text stays among the messages. */
function isTextInstruction({ role, content }: Fields): boolean {
  if (role !== 'system' && role !== 'developer') return false
  if (typeof content === 'string') return true
  const parts = listOf(content)
  return parts.length > 0 && parts.every((part) => textOf(part) !== null)
}

function textOf(part: unknown): string | null {
  const fields = fieldsOf(part)
  return fields?.['type'] === 'text' && typeof fields['text'] === 'string' ? fields['text'] : null
}

function readInstruction(message: Fields): Reading['system'] {
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

function readMessages(messages: readonly ChatMessage[]): readonly MessageInput[] {
  // A legacy result (role `function`) names no call: it answers the last one.
  let lastCallId = 'function_call'
  let openCalls: readonly ToolCallInput[] = []
  const read = (message: ChatMessage, index: number): MessageInput => {
    switch (message.role) {
      case 'system':
      case 'developer':
        return {
          ...readSpeech('system', message),
          meta: openaiMetadata(roleDetails(message), 'chat', {}),
        }
      case 'user':
        return readSpeech('user', message)
      case 'assistant':
        if (message['function_call']) lastCallId = `function_call_${index}`
        return readAnswer(message, lastCallId)
      case 'tool':
        return readToolMessage(message, openCalls)
      case 'function':
        return readFunctionMessage(message, lastCallId)
    }
  }
  return messages.map((message, index) => {
    const found = read(message, index)
    const parts = typeof found.content === 'string' ? [] : found.content
    if (found.role === 'assistant') openCalls = parts.filter((part) => part.type === 'tool-call')
    const answered = parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : []))
    openCalls = openCalls.filter(({ callId }) => !answered.includes(callId))
    return found
  })
}

function readSpeech(role: 'system' | 'user', message: Fields): MessageInput {
  const parts = readContent(message['content'], partReaders)
  return { role, author: authorOf(message), content: withMessageFields(parts, message, []) }
}

function authorOf(message: Fields): string | undefined {
  return filledText(message['name']) ?? undefined
}

function readAnswer(message: Fields, legacyCallId: string): MessageInput {
  const { content, refusal, tool_calls, function_call, audio } = message
  const legacyCall = fieldsOf(function_call)
  const metadata = { openai: { refusal: true } }
  // Null for fields that are absent or have an unknown form.
  const partsByField: Readonly<Record<string, readonly PartInput[] | null>> = {
    refusal: typeof refusal === 'string' ? [{ type: 'text', text: refusal, metadata }] : null,
    audio: fieldsOf(audio) === null ? null : [opaqueBlock('audio', audio)],
    function_call: legacyCall === null ? null : [readLegacyCall(legacyCall, legacyCallId)],
    tool_calls: Array.isArray(tool_calls) ? tool_calls.map(readCall) : null,
  }
  const readFields = Object.keys(partsByField).filter((field) => partsByField[field] !== null)
  const others = Object.values(partsByField).flatMap((parts) => parts ?? [])
  const parts = [...readContent(content, partReaders), ...others]
  return {
    role: 'assistant',
    author: authorOf(message),
    content: withMessageFields(parts, message, readFields),
  }
}

function readLegacyCall(call: Fields, callId: string): PartInput {
  const name = filledText(call['name'])
  if (name === null || typeof call['arguments'] !== 'string')
    return opaqueBlock('function_call', call)
  const inner = otherFields(call, ['name', 'arguments'])
  const metadata = openaiMetadata({}, 'chat', { legacy: true, inner })
  return { type: 'tool-call', callId, name, input: call['arguments'], metadata }
}

/** Some clients name the tool instead of the call: the result of the first open call to it. */
function readToolMessage(message: Fields, openCalls: readonly ToolCallInput[]): MessageInput {
  const author = authorOf(message)
  const callId =
    filledText(message['tool_call_id']) ?? openCalls.find(({ name }) => name === author)?.callId
  if (callId === undefined) return { role: 'tool', author, content: messageText(message) }
  const output = readOutput(message['content'], partReaders)
  if (output === null) return { role: 'tool', content: [opaqueBlock('tool', message)] }
  const content = typeof output === 'string' ? undefined : 'parts'
  const extra = otherFields(message, ['role', 'content', 'tool_call_id'])
  const metadata = openaiMetadata({}, 'chat', { content, extra })
  const result = { type: 'tool-result', callId, name: author, output, metadata } as const
  return { role: 'tool', content: [result] }
}

function messageText({ content }: Fields): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .flatMap((part) => textOf(part) ?? [])
    .join('\n')
}

function readFunctionMessage(message: Fields, callId: string): MessageInput {
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

/** Keeps the fields of a message that were not read into its parts (`readFields`). */
function withMessageFields(
  parts: readonly PartInput[],
  message: Fields,
  readFields: readonly string[],
) {
  const nameField = authorOf(message) === undefined ? [] : ['name']
  const { content } = message
  return withWireDetails(parts, 'chat', {
    content: Array.isArray(content) ? 'parts' : content === undefined ? 'absent' : undefined,
    message: otherFields(message, ['role', 'content', ...nameField, ...readFields]),
  })
}

const partReaders: Readers<TextInput | FileInput> = {
  text: (fields) => readText(fields, 'chat'),
  refusal: (fields) => readText(fields, 'chat'),
  image_url: readImage,
  input_audio: (fields) => readAudio(fields, 'chat'),
  file: readFile,
}

function readImage(fields: Fields): FileInput | null {
  const inner = fieldsOf(fields['image_url'])
  const url = filledText(inner?.['url'])
  if (inner === null || url === null) return null
  return imageFile(url, fileMetadata('image_url', fields, otherFields(inner, ['url'])))
}

function readFile(fields: Fields): FileInput | null {
  const inner = fieldsOf(fields['file'])
  const data = inner?.['file_data']
  const bytes = typeof data === 'string' ? parseDataUrl(data) : null
  if (inner === null || bytes === null) return null
  const name = typeof inner['filename'] === 'string' ? inner['filename'] : undefined
  const nameField = name === undefined ? [] : ['filename']
  const metadata = fileMetadata('file', fields, otherFields(inner, ['file_data', ...nameField]))
  return { type: 'file', ...bytes, name, metadata }
}

function fileMetadata(block: string, fields: Fields, inner: Fields | undefined) {
  return openaiMetadata({}, 'chat', { block, inner, extra: otherFields(fields, ['type', block]) })
}

function readCall(call: unknown): PartInput {
  const fields = fieldsOf(call) ?? {}
  const callId = filledText(fields['id'])
  const custom = fields['type'] === 'custom'
  const [kind, inputField] = custom ? ['custom', 'input'] : ['function', 'arguments']
  const inner = fieldsOf(fields[kind])
  const name = filledText(inner?.['name'])
  const text = inner?.[inputField]
  if (callId === null || inner === null || name === null || typeof text !== 'string')
    return opaqueBlock('tool_call', call)
  const metadata = openaiMetadata({ custom: custom || undefined }, 'chat', {
    extra: otherFields(fields, ['id', 'type', kind]),
    inner: otherFields(inner, ['name', inputField]),
  })
  const input = custom ? JSON.stringify(text) : text
  return { type: 'tool-call', callId, name, input, metadata }
}

const chatRoles = ['developer', 'system', 'user', 'assistant', 'tool', 'function'] as const

interface ChatMessage extends Fields {
  readonly role: (typeof chatRoles)[number]
}

function checkedMessages(messages: readonly unknown[]): readonly ChatMessage[] {
  return Array.from(messages, (value, index) => {
    const at = `openai-chat: messages[${index}]`
    const message = requireFields(value, at)
    const role = requireRole(message, chatRoles, at)
    const { tool_call_id: id, name } = message
    if (role === 'tool' && filledText(id) === null && (id != null || filledText(name) === null))
      throw invalidMessage(`${at}.tool_call_id`, `must be the id of a call, got ${describe(id)}`)
    if (!mayLackContent(message)) requireContent(message['content'], `${at}.content`)
    return { ...message, role }
  })
}

/** An answer may have something else instead of content. */
function mayLackContent(message: Fields): boolean {
  const { role, content } = message
  if (content === null) return role !== 'tool'
  if (content !== undefined || role !== 'assistant') return false
  return contentSubstitutes.some((name) => message[name])
}

const contentSubstitutes = ['tool_calls', 'function_call', 'refusal', 'audio']
