/**
 * Conversations as `throughline export` writes them: JSONL, a line for each conversation and then
 * one for each of its messages, with the bytes of their files and their originals where those are
 * more than the message itself.
 */
import type { JsonObject, JsonValue, MessageInput, Role } from '../../index.ts'
import { readHeadedRecords } from '../headed-records.ts'
import {
  countOf,
  fieldOf,
  filledTextOf,
  isJsonObject,
  listOf,
  textOf,
} from '../json/json-access.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import type { TranscriptRecord } from '../records.ts'
import type { TranscriptConversation, TranscriptItem } from '../transcript.ts'
import type { UniqueNames } from '../unique-names.ts'
import { bytesOf, partOf } from './throughline-parts.ts'

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
