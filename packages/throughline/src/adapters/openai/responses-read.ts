/**
 * A body of /v1/responses, read: one message for each item. The service refuses items made after
 * reasoning without it, and the reverse: each notes the reasoning before it (`after`), and the
 * reasoning the next item (`next`).
 */
import type { FileInput, MessageInput, PartInput, TextInput } from '../../domain/message.ts'
import { describe } from '../../domain/text.ts'
import type { Reading } from '../../ports/adapter.ts'
import { checkContent, fieldsAt, type Readers, roleAt, unreadable } from '../readable.ts'
import { type Fields, fieldsOf, filledText, listOf, otherFields } from '../unknown-json.ts'
import {
  audioPart,
  contentParts,
  dataUrl,
  documentType,
  imagePart,
  outputOf,
  textPart,
} from './content.ts'
import { opaqueBlock, openaiMetadata, withWireDetails } from './extra-fields.ts'
import { isAnswer, roleOfItem, typeOf } from './responses-rules.ts'
import { readTools } from './tools.ts'

export function readResponses(request: object): Reading {
  const { instructions, input, tools } = request as Fields
  const text = instructions ?? null
  if (text !== null && typeof text !== 'string')
    throw unreadable('openai-responses: instructions', `must be text, got ${describe(text)}`)
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
  const items = readableItems(list)
  let after: string | undefined
  return items.map((item, index) => {
    if (!isAnswer(item)) after = undefined
    const following = items[index + 1] ?? {}
    const name = filledText(following['id']) ?? filledText(following['call_id']) ?? undefined
    const message = readItem(item, { after, next: isAnswer(following) ? name : undefined })
    if (typeOf(item) === 'reasoning') after = filledText(item['id']) ?? after
    return message
  })
}

type Place = Readonly<Record<'after' | 'next', string | undefined>>

function readItem(item: Fields, place: Place): MessageInput {
  const type = typeOf(item)
  const reader = Object.hasOwn(itemReaders, type) ? itemReaders[type] : undefined
  const metadata = openaiMetadata({}, 'responses', { item: true, after: place.after })
  const opaque = { ...opaqueBlock(type, item), metadata }
  return reader?.(item, place) ?? { role: roleOfItem(type), content: [opaque] }
}

type ItemReader = (item: Fields, place: Place) => MessageInput | null

const itemReaders: Readonly<Record<string, ItemReader>> = {
  message: messageItem,
  reasoning: reasoningItem,
  function_call: (item, place) => callItem(item, 'arguments', place),
  custom_tool_call: (item, place) => callItem(item, 'input', place),
  function_call_output: outputItem,
  custom_tool_call_output: outputItem,
}

function messageItem(item: Fields, { after }: Place): MessageInput | null {
  const { content } = item
  const role = itemRoles.find((known) => known === item['role'])
  const read = contentParts(content, partReaders)
  if (role === undefined || read.length === 0) return null
  const parts = withWireDetails(read, 'responses', {
    content: Array.isArray(content) ? 'parts' : undefined,
    message: otherFields(item, ['role', 'content']),
    after: role === 'assistant' ? after : undefined,
  })
  if (role !== 'developer') return { role, content: parts }
  return { role: 'system', content: parts, meta: openaiMetadata({ role }, 'responses', {}) }
}

/** The summary is readable; the seal covers the rest. */
function reasoningItem(item: Fields, { next }: Place): MessageInput | null {
  const { summary, encrypted_content } = item
  if (!Array.isArray(summary)) return null
  const texts = summary.map((part) => fieldsOf(part)?.['text'])
  const sealed = typeof encrypted_content === 'string'
  const kept = otherFields(item, ['type', ...(sealed ? ['encrypted_content'] : [])])
  const part: PartInput = {
    type: 'reasoning',
    text: texts.filter((text) => typeof text === 'string').join('\n\n'),
    signature: sealed ? encrypted_content : undefined,
    metadata: openaiMetadata({}, 'responses', { item: kept, next }),
  }
  return { role: 'assistant', content: [part] }
}

function callItem(item: Fields, argument: 'arguments' | 'input', { after }: Place) {
  const callId = filledText(item['call_id'])
  const name = filledText(item['name'])
  const given = item[argument]
  if (callId === null || name === null || typeof given !== 'string') return null
  const custom = argument === 'input' || undefined
  const kept = otherFields(item, ['type', 'call_id', 'name', argument])
  const metadata = openaiMetadata({ custom }, 'responses', { item: kept, after })
  const input = custom ? JSON.stringify(given) : given
  const part: PartInput = { type: 'tool-call', callId, name, input, metadata }
  return { role: 'assistant', content: [part] } satisfies MessageInput
}

function outputItem(item: Fields): MessageInput | null {
  const callId = filledText(item['call_id'])
  const output = outputOf(item['output'], partReaders)
  if (callId === null || output === null) return null
  const metadata = openaiMetadata({}, 'responses', {
    item: otherFields(item, ['type', 'call_id', 'output']),
    content: typeof output === 'string' ? undefined : 'parts',
  })
  return { role: 'tool', content: [{ type: 'tool-result', callId, output, metadata }] }
}

const readText = (fields: Fields) => textPart(fields, 'responses')

const partReaders: Readers<TextInput | FileInput> = {
  input_text: readText,
  output_text: readText,
  refusal: readText,
  input_image: image,
  input_file: file,
  input_audio: (fields) => audioPart(fields, 'responses'),
}

function image(fields: Fields): FileInput | null {
  const url = filledText(fields['image_url'])
  if (url === null) return null
  const extra = otherFields(fields, ['type', 'image_url'])
  return imagePart(url, openaiMetadata({}, 'responses', { block: 'input_image', extra }))
}

/** Null for a file that the service keeps. */
function file(fields: Fields): FileInput | null {
  const { file_data, file_url, file_id, filename } = fields
  if (typeof file_id === 'string') return null
  const name = typeof filename === 'string' ? filename : undefined
  const named = name === undefined ? [] : ['filename']
  const fileMetadata = (read: string) =>
    openaiMetadata({}, 'responses', {
      block: 'input_file',
      extra: otherFields(fields, ['type', read, ...named]),
    })
  const bytes = typeof file_data === 'string' ? dataUrl(file_data) : null
  const url = filledText(file_url)
  if (bytes !== null && url === null)
    return { type: 'file', ...bytes, name, metadata: fileMetadata('file_data') }
  if (url === null || typeof file_data === 'string') return null
  return { type: 'file', mediaType: documentType, url, name, metadata: fileMetadata('file_url') }
}

const itemRoles = ['user', 'assistant', 'system', 'developer'] as const

/** Items of unknown types are taken as they are, but must have a type. */
function readableItems(input: readonly unknown[]): readonly Fields[] {
  return Array.from(input, (value, index) => {
    const at = `openai-responses: input[${index}]`
    const item = fieldsAt(value, at)
    const type = typeOf(item)
    if (type === 'unknown')
      throw unreadable(at, `needs a type, or one of the roles ${itemRoles.join(', ')}`)
    if (type === 'message') {
      roleAt(item, itemRoles, at)
      checkContent(item['content'], `${at}.content`)
    }
    if (type === 'function_call_output' || type === 'custom_tool_call_output')
      checkContent(item['output'], `${at}.output`)
    return item
  })
}
