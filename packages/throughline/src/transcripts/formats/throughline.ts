/**
 * The JSONL of `throughline export`: a line for each conversation, then one for each message, with the
 * bytes of its files and its original where that holds more than the message.
 */
import {
  type FileInput,
  type JsonObject,
  type MessageInput,
  origins,
  type PartInput,
  type Role,
  type ToolOutputInput,
} from '../../index.ts'
import type { PlainPart } from '../content-parts.ts'
import { partFields } from '../formats-data.ts'
import type { JsonNode } from '../json/raw-json.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import { readHeadedRecords, type TranscriptRecord } from '../records.ts'
import { plainMeta } from '../storable-items.ts'
import { messageItem, problemItem, type TranscriptItem } from '../transcript.ts'

export function readThroughline(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  return readHeadedRecords(input, {
    fallbackName: 'conversation',
    isHeader,
    isItem: (value) => !isHeader(value),
    conversationFields,
    itemOf: messageOf,
  })
}

function isHeader(value: JsonNode): boolean {
  return value.has('throughline')
}

function conversationFields(header: JsonNode) {
  const parent = header.field('parent')
  const conversationId = parent.filled('conversationId')
  return {
    // A title made from a message is made again, so that it is erased with that message.
    title: typeof header.get('titleFrom') === 'number' ? null : header.text('title'),
    parent: conversationId === null ? null : { conversationId, callId: parent.filled('callId') },
    meta: header.object('meta'),
  }
}

function messageOf({ value, line }: TranscriptRecord, conversationId: string): TranscriptItem {
  const role = roles.find((known) => known === value.get('role'))
  if (role === undefined) return problemItem(line, 'the record holds no message of a known role')
  const content = ownParts(value.field('content'))
  if (content === null) return problemItem(line, 'the message holds an invalid part')
  const message: MessageInput = {
    role,
    origin: originIn(value),
    content,
    author: value.text('author') ?? undefined,
    status: value.get('status') === 'incomplete' ? 'incomplete' : undefined,
    createdAt: value.count('createdAt') ?? undefined,
    meta: value.object('meta') ?? undefined,
    key: value.filled('key') ?? `line:${line}`,
    raw: value.text('raw') ?? bytesOf(value.text('rawBase64')) ?? undefined,
  }
  return messageItem(message, { conversationId, line })
}

/** Left to the text where it is not one that we know. */
export function originIn(value: JsonNode): MessageInput['origin'] {
  return origins.find((known) => known === value.get('origin'))
}

export const roles: readonly Role[] = ['system', 'user', 'assistant', 'tool']

/** The parts of a `MessageInput`; null where content is not a list of them. */
export function ownParts(content: JsonNode): readonly PartInput[] | null {
  const parts = content.items.map(partOf)
  return parts.every((part) => part !== null) ? parts : null
}

/** Null for what `export` does not write. */
function partOf(part: JsonNode): PartInput | null {
  const type = part.text('type') ?? ''
  if (type === 'file') return filePart(part)
  if (type === 'tool-result') return resultPart(part)
  const fields = Object.hasOwn(partFields, type) ? partFields[type] : undefined
  if (fields === undefined) return null
  const found = fields.map((field) => {
    const name = field.replace(/[!?=]$/, '')
    const json = field.endsWith('=') && part.has(name) ? part.field(name).exact() : null
    const text = field.endsWith('!') ? part.filled(name) : (part.text(name) ?? json)
    return [name, field.endsWith('?') ? (text ?? undefined) : text] as const
  })
  if (found.some(([, text]) => text === null)) return null
  // The table lists the fields of this type.
  const words = type === 'text' ? { origin: originIn(part) } : {}
  return { type, ...Object.fromEntries(found), ...words, metadata: metadataOf(part) } as PartInput
}

function resultPart(part: JsonNode): PartInput | null {
  const callId = part.filled('callId')
  const name = part.filled('name') ?? undefined
  const output = outputOf(part.field('output'))
  if (callId === null || output === null) return null
  const isError = part.get('isError') === true
  const about = { isError, origin: originIn(part), metadata: metadataOf(part) }
  return { type: 'tool-result', callId, name, output, ...about }
}

/** The parts that a tool result may hold. */
function isSimple(part: PartInput | null): part is PlainPart {
  return part?.type === 'text' || part?.type === 'file' || part?.type === 'opaque'
}

function filePart(part: JsonNode): FileInput | null {
  const mediaType = part.filled('mediaType')
  const [data, url] = [bytesOf(part.text('data')), part.filled('url')]
  if (mediaType === null || (data === null) === (url === null)) return null
  return {
    type: 'file',
    mediaType,
    name: part.text('name') ?? undefined,
    width: part.count('width') ?? undefined,
    height: part.count('height') ?? undefined,
    metadata: metadataOf(part),
    ...(data === null ? { url: url ?? undefined } : { data }),
  }
}

function outputOf(output: JsonNode): ToolOutputInput | null {
  if (output.asText !== null) return { kind: 'text', text: output.asText }
  const [text, json] = [output.text('text'), output.text('json')]
  const kind = output.get('kind')
  if (kind === 'text') return text === null ? null : { kind, text }
  if (kind === 'json') return json === null ? null : { kind, json }
  const parts = output.field('parts')
  if (kind !== 'parts' || !parts.isList) return null
  const valid = parts.items.map(partOf).filter(isSimple)
  return valid.length === parts.items.length ? { kind, parts: valid } : null
}

function metadataOf(part: JsonNode): JsonObject | undefined {
  return plainMeta(part.object('metadata') ?? {}) ?? undefined
}

/** Null where it is not base64. */
function bytesOf(base64: string | null): Uint8Array | null {
  if (base64 === null) return null
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
