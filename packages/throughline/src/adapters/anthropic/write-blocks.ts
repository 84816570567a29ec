/**
 * Parts as blocks of the Messages API. What another provider sealed is left out whole;
 * what the service has no block for is put into words.
 */
import type { ContextMessage } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type {
  FilePart,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from '../../domain/message.ts'
import { base64Of, type Files, isWebAddress, storedBytes } from '../media.ts'
import { notedFields, noteOf } from '../notes.ts'
import type { Side, Turn, TurnItem } from '../paired-turns.ts'
import { applicationNote, type OutputPart, outputText, wordsOf } from '../plain-text.ts'
import { safeName } from '../safe-name.ts'
import { type Fields, inputObject, isFields, ownBlock } from '../unknown-json.ts'
import { idRule, isBlank, isSoundBlock, nameRule, pictureTypes } from './rules.ts'

export interface DraftBlock {
  readonly json: JsonObject
  /** It goes as it came: nothing may be hung on it. */
  readonly sealed: boolean
}

export type DraftTurn = Turn<DraftBlock>
export type DraftItem = TurnItem<DraftBlock>

export function turnOf(message: ContextMessage, from: number, files: Files): DraftTurn {
  const side: Side = message.role === 'assistant' ? 'assistant' : 'user'
  const parts = message.role === 'system' ? applicationNote(message.parts) : message.parts
  const blocks = parts.flatMap((part): readonly DraftBlock[] => {
    // A result in the assistant's own message, where other providers leave it, is moved later.
    const speaker = part.type === 'tool-result' ? 'user' : side
    const json = writePart(part, speaker, files)
    if (json === null || !isSoundBlock(json, speaker)) return []
    return [{ json, sealed: part.type === 'opaque' || part.type === 'reasoning' }]
  })
  const spoken = side === 'user' ? withAuthor(blocks, message.author) : blocks
  const idIn = ({ json }: DraftBlock, type: string, field: string) =>
    json['type'] === type && typeof json[field] === 'string' ? json[field] : null
  const items = spoken.map((block) => ({
    block,
    from,
    call: idIn(block, 'tool_use', 'id'),
    result: idIn(block, 'tool_result', 'tool_use_id'),
  }))
  return { side, items }
}

function writePart(part: Part, side: Side, files: Files): JsonObject | null {
  switch (part.type) {
    case 'text':
    case 'resource-excerpt':
    case 'attachment-ref':
      return textBlock(part)
    case 'file':
      return (side === 'user' ? mediaBlock(part, files) : null) ?? textBlock(part)
    case 'reasoning':
      return side === 'assistant' ? thinkingBlock(part) : null
    case 'tool-call':
      return side === 'assistant' ? callBlock(part) : null
    case 'tool-result':
      return side === 'user' ? resultBlock(part, files) : null
    case 'opaque':
      return ownBlock(part, 'anthropic')
  }
}

/** Null where nothing would be left: the service refuses text without a letter. */
export function textBlock(part: Part): JsonObject | null {
  const text = wordsOf(part)
  if (text === null || isBlank(text)) return null
  const fields = part.type === 'text' ? notedFields(noteOf(part.metadata, 'anthropic')) : {}
  return { ...fields, type: 'text', text }
}

/** Only what this service sealed, and only as it was sealed. */
function thinkingBlock({ text, signature, metadata }: ReasoningPart): JsonObject | null {
  if (signature === null || !isFields(metadata?.['anthropic'])) return null
  if (!text.isWellFormed() || !signature.isWellFormed()) return null
  const fields = notedFields(noteOf(metadata, 'anthropic'))
  return { ...fields, type: 'thinking', thinking: text, signature }
}

function callBlock({ callId, name, input, metadata }: ToolCallPart): JsonObject {
  return {
    ...notedFields(noteOf(metadata, 'anthropic')),
    type: 'tool_use',
    id: safeName(callId, idRule),
    name: safeName(name, nameRule),
    input: inputObject(input),
  }
}

/** The service knows no names of speakers. Who spoke stands before what was said. */
function withAuthor(blocks: readonly DraftBlock[], author: string | null): readonly DraftBlock[] {
  const first = blocks.findIndex(({ json, sealed }) => json['type'] === 'text' && !sealed)
  const block = blocks[first]
  if (author === null || isBlank(author) || block === undefined) return blocks
  const json = { ...block.json, text: `${author}: ${block.json['text']}` }
  return blocks.with(first, { ...block, json })
}

/** The service wants a reason for every failure, in words. */
const failedText = 'failed'

function resultBlock(part: ToolResultPart, files: Files): JsonObject {
  const { callId, output, isError, metadata } = part
  const note = noteOf(metadata, 'anthropic')
  const { is_error: noted, content: _, ...fields } = notedFields(note)
  const content = isError ? failure(output) : success(output, note, files)
  return {
    ...fields,
    type: 'tool_result',
    tool_use_id: safeName(callId, idRule),
    ...(content === undefined ? {} : { content }),
    ...(isError ? { is_error: true } : noted === false ? { is_error: noted } : {}),
  }
}

function success(output: ToolOutput, note: Fields, files: Files): JsonValue | undefined {
  if (output.kind !== 'parts') {
    const text = outputText(output)
    return text === '' && note['content'] === 'absent' ? undefined : text
  }
  const blocks = output.parts.flatMap((part) => leafBlock(part, files) ?? [])
  return blocks.length === 0 && output.parts.length > 0 ? '' : blocks
}

/** Of a failure the service takes text alone. */
function failure(output: ToolOutput): JsonValue {
  if (output.kind !== 'parts') {
    const text = outputText(output)
    return isBlank(text) ? failedText : text
  }
  const blocks = output.parts.flatMap((part) => textBlock(part) ?? [])
  return blocks.length === 0 ? failedText : blocks
}

function leafBlock(part: OutputPart, files: Files): JsonObject | null {
  const shown = part.type === 'file' ? mediaBlock(part, files) : null
  const block = part.type === 'opaque' ? ownBlock(part, 'anthropic') : (shown ?? textBlock(part))
  return block !== null && isSoundBlock(block, 'leaf') ? block : null
}

/** Null for a file that the service does not take. */
function mediaBlock(file: FilePart, files: Files): JsonObject | null {
  const picture = file.mediaType.startsWith('image/')
  const source = sourceOf(file, picture, files)
  if (source === null) return null
  const note = noteOf(file.metadata, 'anthropic')
  const sourceRest = isFields(note['source']) ? (note['source'] as JsonObject) : {}
  return {
    ...notedFields(note),
    ...(file.name === null || picture ? {} : { title: file.name }),
    type: picture ? 'image' : 'document',
    source: { ...sourceRest, ...source },
  }
}

function sourceOf({ mediaType, source }: FilePart, picture: boolean, files: Files) {
  if (source.kind === 'url') {
    const taken = (picture || mediaType === 'application/pdf') && isWebAddress(source.url)
    return taken ? { type: 'url', url: source.url } : null
  }
  const bytes = storedBytes(source, files)
  if (bytes === null) return null
  if (pictureTypes.includes(mediaType) || mediaType === 'application/pdf')
    return { type: 'base64', media_type: mediaType, data: base64Of(bytes) }
  if (!mediaType.startsWith('text/') && mediaType !== 'application/json') return null
  const text = textOfBytes(bytes)
  return text === null ? null : { type: 'text', media_type: 'text/plain', data: text }
}

/** Null for bytes that are not UTF-8. */
function textOfBytes(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
