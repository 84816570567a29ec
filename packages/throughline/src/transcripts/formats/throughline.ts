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
import type { TranscriptConversation, TranscriptItem } from '../transcript.ts'

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
  return {
    kind: 'conversation',
    id: ids.take(filledTextOf(header, 'id') ?? name),
    // One that was made from a message is made again, so that it goes with that message here too.
    title: typeof fieldOf(header, 'titleFrom') === 'number' ? null : textOf(header, 'title'),
    parent:
      parentId === null
        ? null
        : { conversationId: parentId, callId: filledTextOf(parent, 'callId') },
    meta: isJsonObject(meta) ? meta : null,
  }
}

function messageOf({ value, line }: TranscriptRecord, conversationId: string): TranscriptItem {
  const role = roles.find((known) => known === fieldOf(value, 'role'))
  if (role === undefined)
    return { kind: 'problem', line, reason: 'the record holds no message of a known role' }
  const parts = listOf(value, 'content').map((part) => partOf(part))
  const content = parts.filter((part) => part !== null)
  if (content.length < parts.length)
    return { kind: 'problem', line, reason: 'the message holds a part that is not sound' }
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
  return { kind: 'message', conversationId, message, usage: null, model: null, line }
}

/** As text, or as base64 where it is none. */
function originalOf(value: JsonValue): string | Uint8Array | undefined {
  return textOf(value, 'raw') ?? bytesOf(textOf(value, 'rawBase64')) ?? undefined
}

const roles: readonly Role[] = ['system', 'user', 'assistant', 'tool']

/** Parts of a message as we have written them ourselves; null for what we did not write so. */
export function partOf(part: JsonValue): PartInput | null {
  const sound = simplePart(part)
  if (sound !== null) return sound
  const text = textOf(part, 'text')
  const callId = filledTextOf(part, 'callId')
  const name = filledTextOf(part, 'name')
  const title = textOf(part, 'title') ?? undefined
  const metadata = metadataOf(part)
  switch (fieldOf(part, 'type')) {
    case 'reasoning': {
      const signature = textOf(part, 'signature') ?? undefined
      return text === null ? null : { type: 'reasoning', text, signature, metadata }
    }
    case 'tool-call': {
      const input = textOf(part, 'input')
      if (callId === null || name === null || input === null) return null
      return { type: 'tool-call', callId, name, input, metadata }
    }
    case 'tool-result': {
      const output = outputOf(fieldOf(part, 'output'))
      if (callId === null || output === null) return null
      const isError = fieldOf(part, 'isError') === true
      return { type: 'tool-result', callId, name: name ?? undefined, output, isError, metadata }
    }
    case 'resource-excerpt': {
      const resourceId = filledTextOf(part, 'resourceId')
      if (resourceId === null || text === null) return null
      return { type: 'resource-excerpt', resourceId, title, text, metadata }
    }
    case 'attachment-ref': {
      const attachmentId = filledTextOf(part, 'attachmentId')
      return attachmentId === null
        ? null
        : { type: 'attachment-ref', attachmentId, title, metadata }
    }
    default:
      return null
  }
}

/** Those that a result of a tool may hold too. */
function simplePart(part: JsonValue): TextInput | FileInput | OpaqueInput | null {
  const metadata = metadataOf(part)
  switch (fieldOf(part, 'type')) {
    case 'text': {
      const text = textOf(part, 'text')
      return text === null ? null : { type: 'text', text, metadata }
    }
    case 'file':
      return filePart(part)
    case 'opaque': {
      const [kind, json] = [filledTextOf(part, 'kind'), textOf(part, 'json')]
      return kind === null || json === null ? null : { type: 'opaque', kind, json, metadata }
    }
    default:
      return null
  }
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
  const [text, json, parts] = [
    textOf(output, 'text'),
    textOf(output, 'json'),
    fieldOf(output, 'parts'),
  ]
  switch (fieldOf(output, 'kind')) {
    case 'text':
      return text === null ? null : { kind: 'text', text }
    case 'json':
      return json === null ? null : { kind: 'json', json }
    case 'parts': {
      if (!isJsonList(parts)) return null
      const sound = parts.map(simplePart).filter((part) => part !== null)
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
export function bytesOf(base64: string | null): Uint8Array | null {
  if (base64 === null) return null
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
