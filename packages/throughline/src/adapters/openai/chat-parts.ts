/** The pieces of a chat message, read as our parts. */
import type { FileInput, OpaqueInput, PartInput, TextInput } from '../../domain/message-input.ts'
import { type Fields, fieldsOf, filledText, listOf, otherFields } from '../unknown-json.ts'
import { audioTypeOf, dataUrl, isFileData } from './media.ts'
import { noted, opaqueBlock } from './notes.ts'

type ContentInput = TextInput | FileInput | OpaqueInput

export function contentParts(content: unknown): readonly ContentInput[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return listOf(content).map(contentPart)
}

function contentPart(block: unknown): ContentInput {
  const fields = fieldsOf(block) ?? {}
  const type = filledText(fields['type']) ?? 'unknown'
  return knownPart(type, fields) ?? opaqueBlock(type, block)
}

function knownPart(type: string, fields: Fields): ContentInput | null {
  switch (type) {
    case 'text': {
      const { text } = fields
      if (typeof text !== 'string') return null
      const metadata = noted({}, 'chat', { extra: otherFields(fields, ['type', 'text']) })
      return { type: 'text', text, metadata }
    }
    case 'refusal': {
      const { refusal } = fields
      if (typeof refusal !== 'string') return null
      const extra = otherFields(fields, ['type', 'refusal'])
      const metadata = noted({ refusal: true }, 'chat', { part: true, extra })
      return { type: 'text', text: refusal, metadata }
    }
    case 'image_url':
      return picture(fields)
    case 'input_audio':
      return audio(fields)
    case 'file':
      return file(fields)
    default:
      return null
  }
}

function picture(fields: Fields): FileInput | null {
  const inner = fieldsOf(fields['image_url'])
  const url = filledText(inner?.['url'])
  if (inner === null || url === null) return null
  const bytes = dataUrl(url)
  const metadata = fileNote('image_url', fields, otherFields(inner, ['url']))
  if (bytes !== null) return { type: 'file', ...bytes, metadata }
  return url.startsWith('data:') ? null : { type: 'file', mediaType: 'image/*', url, metadata }
}

function audio(fields: Fields): FileInput | null {
  const inner = fieldsOf(fields['input_audio'])
  const data = inner?.['data']
  const mediaType = audioTypeOf(inner?.['format'])
  if (inner === null || mediaType === null) return null
  if (!isFileData(data)) return null
  const metadata = fileNote('input_audio', fields, otherFields(inner, ['data', 'format']))
  return { type: 'file', mediaType, data, metadata }
}

function file(fields: Fields): FileInput | null {
  const inner = fieldsOf(fields['file'])
  const data = inner?.['file_data']
  const bytes = typeof data === 'string' ? dataUrl(data) : null
  if (inner === null || bytes === null) return null
  const name = typeof inner['filename'] === 'string' ? inner['filename'] : undefined
  const named = name === undefined ? [] : ['filename']
  const metadata = fileNote('file', fields, otherFields(inner, ['file_data', ...named]))
  return { type: 'file', ...bytes, name, metadata }
}

function fileNote(block: string, fields: Fields, inner: Fields | undefined) {
  return noted({}, 'chat', { block, inner, extra: otherFields(fields, ['type', block]) })
}

/** A refusal that stands beside the content and not in it. */
export function refusalField(text: string): TextInput {
  return { type: 'text', text, metadata: { openai: { refusal: true } } }
}

export function callPart(call: unknown): PartInput {
  const fields = fieldsOf(call) ?? {}
  const callId = filledText(fields['id'])
  const kind = fields['type'] === 'custom' ? 'custom' : 'function'
  const inner = fieldsOf(fields[kind])
  const name = filledText(inner?.['name'])
  const argument = kind === 'custom' ? 'input' : 'arguments'
  const input = inner?.[argument]
  if (callId === null || inner === null || name === null || typeof input !== 'string')
    return opaqueBlock('tool_call', call)
  const metadata = noted({ custom: kind === 'custom' || undefined }, 'chat', {
    extra: otherFields(fields, ['id', 'type', kind]),
    inner: otherFields(inner, ['name', argument]),
  })
  return {
    type: 'tool-call',
    callId,
    name,
    input: kind === 'custom' ? JSON.stringify(input) : input,
    metadata,
  }
}

/** The content of a tool's message; null where it is neither text nor parts. */
export function resultOutput(content: unknown) {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return null
  return { kind: 'parts', parts: contentParts(content) } as const
}
