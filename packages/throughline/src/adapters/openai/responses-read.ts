/**
 * Reads a body of /v1/responses: one message for each item. The service refuses an item that followed
 * reasoning without that reasoning, and the reverse. So the message of an item keeps the id of the reasoning
 * before it (`after`), and that of reasoning the id of the next item (`next`).
 */
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
import {
  documentType,
  imageFile,
  parseDataUrl,
  readAudio,
  readContent,
  readOutput,
  readText,
} from './content.ts'
import { opaqueBlock, openaiMetadata, withWireDetails } from './extra-fields.ts'
import { isOfModel, roleOfItem, typeOf } from './responses-rules.ts'
import { readTools } from './tools.ts'

export function readResponses(request: object): Reading {
  const { instructions, input, tools } = request as Fields
  const text = instructions ?? null
  if (text !== null && typeof text !== 'string')
    throw invalidMessage('openai-responses: instructions', `must be text, got ${describe(text)}`)
  return {
    system: text === null ? [] : [{ type: 'text', text, metadata: null }],
    tools: readTools(tools, 'responses'),
    messages: typeof input === 'string' ? [shortInput(input)] : readItems(listOf(input)),
  }
}

function shortInput(text: string): MessageInput {
  const metadata = openaiMetadata({}, 'responses', { input: 'text' })
  return { role: 'user', content: [{ type: 'text', text, metadata }] }
}

function readItems(list: readonly unknown[]): readonly MessageInput[] {
  const items = checkedItems(list)
  let after: string | undefined
  return items.map((item, index) => {
    if (!isOfModel(item)) after = undefined
    const nextItem = items[index + 1] ?? {}
    const nextId = filledText(nextItem['id']) ?? filledText(nextItem['call_id']) ?? undefined
    const message = readItem(item, { after, next: isOfModel(nextItem) ? nextId : undefined })
    if (typeOf(item) === 'reasoning') after = filledText(item['id']) ?? after
    return message
  })
}

type ReasoningLinks = Readonly<Record<'after' | 'next', string | undefined>>

function readItem(item: Fields, links: ReasoningLinks): MessageInput {
  const type = typeOf(item)
  const reader = Object.hasOwn(itemReaders, type) ? itemReaders[type] : undefined
  const metadata = openaiMetadata({}, 'responses', { item: true, after: links.after })
  const opaque = { ...opaqueBlock(type, item), metadata }
  return reader?.(item, links) ?? { role: roleOfItem(type), content: [opaque] }
}

type ItemReader = (item: Fields, links: ReasoningLinks) => MessageInput | null

const itemReaders: Readonly<Record<string, ItemReader>> = {
  message: readMessageItem,
  reasoning: readReasoningItem,
  function_call: (item, links) => readCallItem(item, 'arguments', links),
  custom_tool_call: (item, links) => readCallItem(item, 'input', links),
  function_call_output: readOutputItem,
  custom_tool_call_output: readOutputItem,
}

function readMessageItem(item: Fields, { after }: ReasoningLinks): MessageInput | null {
  const { content } = item
  const role = itemRoles.find((known) => known === item['role'])
  const read = readContent(content, partReaders)
  if (role === undefined || read.length === 0) return null
  const parts = withWireDetails(read, 'responses', {
    content: Array.isArray(content) ? 'parts' : undefined,
    message: otherFields(item, ['role', 'content']),
    after: role === 'assistant' ? after : undefined,
  })
  if (role !== 'developer') return { role, content: parts }
  return { role: 'system', content: parts, meta: openaiMetadata({ role }, 'responses', {}) }
}

/** Only the summary is readable; the rest is encrypted. */
function readReasoningItem(item: Fields, { next }: ReasoningLinks): MessageInput | null {
  const { summary, encrypted_content } = item
  if (!Array.isArray(summary)) return null
  const texts = summary.map((part) => fieldsOf(part)?.['text'])
  const isEncrypted = typeof encrypted_content === 'string'
  const kept = otherFields(item, ['type', ...(isEncrypted ? ['encrypted_content'] : [])])
  const part: PartInput = {
    type: 'reasoning',
    text: texts.filter((text) => typeof text === 'string').join('\n\n'),
    signature: isEncrypted ? encrypted_content : undefined,
    metadata: openaiMetadata({}, 'responses', { item: kept, next }),
  }
  return { role: 'assistant', content: [part] }
}

function readCallItem(item: Fields, inputField: 'arguments' | 'input', { after }: ReasoningLinks) {
  const callId = filledText(item['call_id'])
  const name = filledText(item['name'])
  const text = item[inputField]
  if (callId === null || name === null || typeof text !== 'string') return null
  const custom = inputField === 'input' || undefined
  const kept = otherFields(item, ['type', 'call_id', 'name', inputField])
  const metadata = openaiMetadata({ custom }, 'responses', { item: kept, after })
  const input = custom ? JSON.stringify(text) : text
  const part: PartInput = { type: 'tool-call', callId, name, input, metadata }
  return { role: 'assistant', content: [part] } satisfies MessageInput
}

function readOutputItem(item: Fields): MessageInput | null {
  const callId = filledText(item['call_id'])
  const output = readOutput(item['output'], partReaders)
  if (callId === null || output === null) return null
  const metadata = openaiMetadata({}, 'responses', {
    item: otherFields(item, ['type', 'call_id', 'output']),
    content: typeof output === 'string' ? undefined : 'parts',
  })
  return { role: 'tool', content: [{ type: 'tool-result', callId, output, metadata }] }
}

const readTextPart = (fields: Fields) => readText(fields, 'responses')

const partReaders: Readers<TextInput | FileInput> = {
  input_text: readTextPart,
  output_text: readTextPart,
  refusal: readTextPart,
  input_image: readImage,
  input_file: readFile,
  input_audio: (fields) => readAudio(fields, 'responses'),
}

function readImage(fields: Fields): FileInput | null {
  const url = filledText(fields['image_url'])
  if (url === null) return null
  const extra = otherFields(fields, ['type', 'image_url'])
  return imageFile(url, openaiMetadata({}, 'responses', { block: 'input_image', extra }))
}

/** Null for a file that the service keeps. */
function readFile(fields: Fields): FileInput | null {
  const { file_data, file_url, file_id, filename } = fields
  if (typeof file_id === 'string') return null
  const name = typeof filename === 'string' ? filename : undefined
  const nameField = name === undefined ? [] : ['filename']
  const fileMetadata = (sourceField: string) => {
    const extra = otherFields(fields, ['type', sourceField, ...nameField])
    return openaiMetadata({}, 'responses', { block: 'input_file', extra })
  }
  const bytes = typeof file_data === 'string' ? parseDataUrl(file_data) : null
  const url = filledText(file_url)
  if (bytes !== null && url === null)
    return { type: 'file', ...bytes, name, metadata: fileMetadata('file_data') }
  if (url === null || typeof file_data === 'string') return null
  return { type: 'file', mediaType: documentType, url, name, metadata: fileMetadata('file_url') }
}

const itemRoles = ['user', 'assistant', 'system', 'developer'] as const

/** Items of unknown types are kept unchanged, but must have a type. */
function checkedItems(input: readonly unknown[]): readonly Fields[] {
  return Array.from(input, (value, index) => {
    const at = `openai-responses: input[${index}]`
    const item = requireFields(value, at)
    const type = typeOf(item)
    if (type === 'unknown')
      throw invalidMessage(at, `needs a type, or one of the roles ${itemRoles.join(', ')}`)
    if (type === 'message') {
      requireRole(item, itemRoles, at)
      requireContent(item['content'], `${at}.content`)
    }
    if (type === 'function_call_output' || type === 'custom_tool_call_output')
      requireContent(item['output'], `${at}.output`)
    return item
  })
}
