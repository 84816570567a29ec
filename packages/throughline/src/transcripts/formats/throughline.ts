/**
 * Conversations as `throughline export` writes them: JSONL, a line for each conversation and then
 * one for each of its messages, with the bytes of their files and their originals where those are
 * more than the message itself.
 */

import type {
  FileInput,
  JsonObject,
  JsonValue,
  MessageInput,
  OpaqueInput,
  PartInput,
  Role,
  TextInput,
  ToolOutputInput,
} from '../../index.ts'
import {
  countOf,
  fieldOf,
  filledTextOf,
  isJsonList,
  isJsonObject,
  listOf,
  textOf,
} from '../json/json-access.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import type { UniqueNames } from '../names.ts'
import { readHeadedRecords, type TranscriptRecord } from '../records.ts'
import { plainMeta } from '../storable-items.ts'
import {
  conversationItem,
  messageItem,
  problemItem,
  type TranscriptConversation,
  type TranscriptItem,
} from '../transcript.ts'

export function readThroughline(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  return readHeadedRecords(input, {
    fallbackName: 'conversation',
    isHeader,
    isItem: (value) => !isHeader(value),
    conversationOf,
    itemOf: messageOf,
  })
}

function isHeader(value: JsonObject): boolean {
  return fieldOf(value, 'throughline') !== undefined
}

function conversationOf(
  header: JsonObject,
  ids: UniqueNames,
  name: string,
): TranscriptConversation {
  const parent = fieldOf(header, 'parent')
  const parentId = filledTextOf(parent, 'conversationId')
  const meta = fieldOf(header, 'meta')
  return conversationItem(ids.take(filledTextOf(header, 'id') ?? name), {
    // One that was made from a message is made again, so that it goes with that message here too.
    title: typeof fieldOf(header, 'titleFrom') === 'number' ? null : textOf(header, 'title'),
    parent:
      parentId === null
        ? null
        : { conversationId: parentId, callId: filledTextOf(parent, 'callId') },
    meta: isJsonObject(meta) ? meta : null,
  })
}

function messageOf({ value, line }: TranscriptRecord, conversationId: string): TranscriptItem {
  const role = roles.find((known) => known === fieldOf(value, 'role'))
  if (role === undefined) return problemItem(line, 'the record holds no message of a known role')
  const parts = listOf(value, 'content').map((part) => partOf(part))
  const content = parts.filter((part) => part !== null)
  if (content.length < parts.length)
    return problemItem(line, 'the message holds a part that is not sound')
  const meta = fieldOf(value, 'meta')
  const message: MessageInput = {
    role,
    content,
    author: textOf(value, 'author') ?? undefined,
    status: fieldOf(value, 'status') === 'incomplete' ? 'incomplete' : undefined,
    createdAt: countOf(value, 'createdAt') ?? undefined,
    meta: isJsonObject(meta) ? meta : undefined,
    key: filledTextOf(value, 'key') ?? `line:${line}`,
    raw: originalOf(value),
  }
  return messageItem(message, { conversationId, line })
}

/** As text, or as base64 where it is none. */
function originalOf(value: JsonValue): string | Uint8Array | undefined {
  return textOf(value, 'raw') ?? bytesOf(textOf(value, 'rawBase64')) ?? undefined
}

const roles: readonly Role[] = ['system', 'user', 'assistant', 'tool']

/** Fields of a part that are texts: `!` must be filled, `?` may be missing. */
const textFields: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  opaque: ['kind!', 'json'],
  reasoning: ['text', 'signature?'],
  'tool-call': ['callId!', 'name!', 'input'],
  'resource-excerpt': ['resourceId!', 'title?', 'text'],
  'attachment-ref': ['attachmentId!', 'title?'],
}

/** Null for what we did not write so. */
function partOf(part: JsonValue): PartInput | null {
  const type = textOf(part, 'type') ?? ''
  if (type === 'file') return filePart(part)
  if (type === 'tool-result') return resultPart(part)
  const fields = Object.hasOwn(textFields, type) ? textFields[type] : undefined
  if (fields === undefined) return null
  const found = fields.map((field) => {
    const name = field.replace(/[!?]$/, '')
    const text = field.endsWith('!') ? filledTextOf(part, name) : textOf(part, name)
    return [name, field.endsWith('?') ? (text ?? undefined) : text] as const
  })
  if (found.some(([, text]) => text === null)) return null
  // The table says what a part of this type holds.
  return { type, ...Object.fromEntries(found), metadata: metadataOf(part) } as PartInput
}

function resultPart(part: JsonValue): PartInput | null {
  const callId = filledTextOf(part, 'callId')
  const name = filledTextOf(part, 'name') ?? undefined
  const output = outputOf(fieldOf(part, 'output'))
  if (callId === null || output === null) return null
  const isError = fieldOf(part, 'isError') === true
  return { type: 'tool-result', callId, name, output, isError, metadata: metadataOf(part) }
}

/** Those that a result of a tool may hold too. */
function isSimple(part: PartInput | null): part is TextInput | FileInput | OpaqueInput {
  return part?.type === 'text' || part?.type === 'file' || part?.type === 'opaque'
}

function filePart(part: JsonValue): FileInput | null {
  const mediaType = filledTextOf(part, 'mediaType')
  const [data, url] = [bytesOf(textOf(part, 'data')), filledTextOf(part, 'url')]
  if (mediaType === null || (data === null) === (url === null)) return null
  return {
    type: 'file',
    mediaType,
    name: textOf(part, 'name') ?? undefined,
    width: countOf(part, 'width') ?? undefined,
    height: countOf(part, 'height') ?? undefined,
    metadata: metadataOf(part),
    ...(data === null ? { url: url ?? undefined } : { data }),
  }
}

function outputOf(output: JsonValue | undefined): ToolOutputInput | null {
  const [text, json] = [textOf(output, 'text'), textOf(output, 'json')]
  const parts = fieldOf(output, 'parts')
  switch (fieldOf(output, 'kind')) {
    case 'text':
      return text === null ? null : { kind: 'text', text }
    case 'json':
      return json === null ? null : { kind: 'json', json }
    case 'parts': {
      if (!isJsonList(parts)) return null
      const sound = parts.map(partOf).filter(isSimple)
      return sound.length === parts.length ? { kind: 'parts', parts: sound } : null
    }
    default:
      return null
  }
}

function metadataOf(part: JsonValue): JsonObject | undefined {
  const metadata = fieldOf(part, 'metadata')
  return isJsonObject(metadata) ? (plainMeta(metadata) ?? undefined) : undefined
}

/** Of base64 text; null where it is none. */
function bytesOf(base64: string | null): Uint8Array | null {
  if (base64 === null) return null
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
